// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.pi.store.SessionText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionTreeTest {

  @TempDir Path folder;

  private SessionTree tree(SessionText text) throws IOException {
    return SessionTree.read(text.write(folder.resolve("s.jsonl")), _ -> {});
  }

  private static int at(SessionTree tree, String id) {
    return tree.entries().find(EntryId.of(id));
  }

  @Test
  void theMainLineLeadsToTheLastEntryOfTheFile() throws IOException {
    SessionTree tree =
        tree(
            SessionText.headed()
                .user("a", null, "root")
                .user("b", "a", "left")
                .user("c", "a", "right")
                .user("d", "b", "left again"));

    assertThat(tree.mainChild(at(tree, "a"))).isEqualTo(at(tree, "b"));
    assertThat(tree.leaf()).isEqualTo(at(tree, "d"));
    assertThat(tree.tips()).isEqualTo(2);
    assertThat(tree.forks(at(tree, "a"))).isTrue();
    assertThat(tree.firstChild(at(tree, "a"))).isEqualTo(at(tree, "b"));
    assertThat(tree.nextSibling(at(tree, "b"))).isEqualTo(at(tree, "c"));
  }

  @Test
  void theLastLabelCountsAndAnEmptyOneTakesItAway() throws IOException {
    SessionTree tree =
        tree(
            SessionText.two()
                .line(label("l1", "b", "a", ",\"label\":\"first\""))
                .line(label("l2", "l1", "b", ",\"label\":\"kept\""))
                .line(label("l3", "l2", "a", "")));

    assertThat(tree.label(at(tree, "a"))).isEmpty();
    assertThat(tree.label(at(tree, "b"))).contains("kept");
  }

  private static String label(String id, String parent, String target, String label) {
    return "{\"type\":\"label\",\"id\":\"%s\",\"parentId\":\"%s\",\"targetId\":\"%s\"%s}"
        .formatted(id, parent, target, label);
  }

  @Test
  void anEntryWhoseParentIsMissingStaysVisibleAsARoot() throws IOException {
    SessionTree tree =
        tree(SessionText.headed().user("a", null, "x").user("b", "gone", "y").user("c", "b", "z"));

    assertThat(tree.entries().parent(at(tree, "b"))).isEqualTo(EntryTable.MISSING);
    assertThat(reached(tree)).hasSize(3);
  }

  @Test
  void aCircleIsOpenedAtItsFirstEntry() throws IOException {
    SessionTree tree =
        tree(SessionText.headed().user("a", "c", "x").user("b", "a", "y").user("c", "b", "z"));

    assertThat(tree.entries().parent(at(tree, "a"))).isEqualTo(EntryTable.CIRCULAR);
    assertThat(tree.entries().parent(at(tree, "c"))).isEqualTo(at(tree, "b"));
    assertThat(reached(tree)).hasSize(3);
  }

  @Test
  void ofTwoEntriesWithOneIdTheLaterIsTheParent() throws IOException {
    SessionTree tree =
        tree(SessionText.headed().user("a", null, "x").user("a", null, "y").user("b", "a", "z"));

    assertThat(tree.entries().parent(2)).isEqualTo(1);
    assertThat(tree.entries().shadowed(0)).isTrue();
    assertThat(tree.entries().shadowed(1)).isFalse();
  }

  @Test
  void theEntriesOfVersionOneFollowOneAnother() throws IOException {
    SessionTree tree =
        tree(
            new SessionText()
                .line("{\"type\":\"session\",\"id\":\"s\",\"cwd\":\"/\"}")
                .line("{\"type\":\"message\",\"message\":{\"role\":\"user\",\"content\":\"a\"}}")
                .line("{\"type\":\"message\",\"message\":{\"role\":\"user\",\"content\":\"b\"}}"));

    assertThat(tree.entries().parent(1)).isZero();
    assertThat(tree.tips()).isEqualTo(1);
  }

  @Test
  void whateverTheParentsEveryEntryIsReachedOnce() throws IOException {
    for (int seed = 0; seed < 300; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      SessionText text = SessionText.headed();
      int count = random.nextInt(40);
      for (int i = 0; i < count; i++) {
        String parent = random.nextInt(8) == 0 ? null : "e" + random.nextInt(count + 3);
        text.user("e" + (random.nextInt(10) == 0 ? random.nextInt(count) : i), parent, "t");
      }
      SessionTree tree = tree(text);

      List<Integer> reached = reached(tree);
      assertThat(reached).as("seed %d", seed).hasSize(count).doesNotHaveDuplicates();
      Set<Integer> main = new HashSet<>();
      for (int root = tree.firstRoot(); root >= 0; root = tree.nextSibling(root)) {
        for (int at = root; at >= 0; at = tree.mainChild(at)) {
          main.add(at);
        }
      }
      assertThat(count == 0 || main.contains(tree.leaf())).as("seed %d", seed).isTrue();
    }
  }

  private static List<Integer> reached(SessionTree tree) {
    List<Integer> reached = new ArrayList<>();
    for (int root = tree.firstRoot(); root >= 0; root = tree.nextSibling(root)) {
      reached.add(root);
    }
    for (int i = 0; i < reached.size() && i <= tree.entries().count(); i++) {
      int child = tree.firstChild(reached.get(i));
      for (; child >= 0; child = tree.nextSibling(child)) {
        reached.add(child);
      }
    }
    return reached;
  }

  @Test
  void whatIsNoEntryIsCounted() throws IOException {
    SessionTree tree =
        tree(SessionText.headed().user("a", null, "x").line("{\"type\":\"mess").line("[1]"));

    assertThat(tree.damagedPieces()).isEqualTo(2);
    assertThat(tree.entries().count()).isEqualTo(1);
  }
}
