// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.folder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.rewind.PathSelection;
import dev.varve.rewind.Repo;
import dev.varve.rewind.Rewind;
import dev.varve.rewind.Snapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Snapshots that a store does not keep any more. It deletes nothing.
final class SnapshotRemovalTest {

  @TempDir Path folder;
  private Repo repo;

  @BeforeEach
  void start() {
    repo = Repo.plain(folder);
  }

  private Snapshot captured(String text) throws IOException {
    return repo.write("f", text).capture();
  }

  private Set<String> drop(Snapshot... snapshots) {
    Set<String> names = new HashSet<>();
    for (Snapshot snapshot : snapshots) {
      names.add(snapshot.commit());
    }
    return repo.rewind().drop(names);
  }

  @Test
  void whatIsLetGoIsNeitherListedNorAPointAnyMore() throws IOException {
    Snapshot first = captured("1");
    Snapshot second = captured("2");
    Snapshot last = captured("3");

    assertThat(drop(first)).containsExactly(first.commit());

    Rewind rewind = repo.rewind();
    assertThat(rewind.snapshots()).containsExactly(last, second);
    assertThat(rewind.snapshot("@1")).isEqualTo(second);
    assertThat(rewind.present(Set.of(first.commit(), second.commit(), last.commit())))
        .containsExactlyInAnyOrder(second.commit(), last.commit());
    assertThat(drop(first)).isEmpty();
  }

  @Test
  void allDigitsOfANameStillLeadToIt() throws IOException {
    Snapshot first = captured("1");
    captured("2");
    captured("3");
    drop(first);

    Rewind rewind = repo.rewind();
    Snapshot found = rewind.snapshot(first.commit());
    rewind.restore(rewind.plan(found, new PathSelection.Everything()));
    assertThat(repo.read("f")).isEqualTo("1");
    // The files stand as in it: so it is kept again.
    assertThat(rewind.snapshots().getFirst()).isEqualTo(first);
    assertThat(rewind.present(Set.of(first.commit()))).hasSize(1);
    assertThat(rewind.check().problems()).isEmpty();
  }

  @Test
  void theLastOneAndWhatAnUndoNeedsStay() throws IOException {
    Snapshot first = captured("1");
    captured("2");
    Snapshot before = captured("3");
    Rewind rewind = repo.rewind();
    rewind.restore(rewind.plan(first, new PathSelection.Everything()));
    List<Snapshot> all = rewind.snapshots();

    drop(all.toArray(Snapshot[]::new));

    assertThat(rewind.snapshots()).hasSizeLessThan(all.size());
    rewind.undo(rewind.planUndo());
    assertThat(repo.read("f")).isEqualTo("3");
    assertThat(rewind.snapshots()).extracting(Snapshot::tree).contains(before.tree());
  }

  @Test
  void howMuchStaysIsTold() throws IOException {
    String large = "x".repeat(300_000);
    Snapshot first = repo.write("shared", "s".repeat(5_000)).write("large", large).capture();
    Files.delete(repo.path("large"));
    captured("2");
    captured("3");

    long would = repo.rewind().retainedBytes(Set.of(first.commit()));
    drop(first);

    assertThat(would).isBetween(300_000L, 302_000L);
    assertThat(repo.rewind().retainedBytes(Set.of(first.commit()))).isEqualTo(would);
    assertThat(repo.rewind().check().remarks()).anyMatch(note -> note.contains("let go: 1."));
  }

  @Test
  void manyAreLetGoAtOnceAndOtherFoldersKeepTheirs() throws IOException {
    Repo other = repo.at(Files.createDirectories(folder.resolve("other")));
    Snapshot theirs = other.write("f", "theirs").capture();
    CountedAccess access = new CountedAccess(folder.resolve("store"));
    repo.write("f", "0").capture();
    Set<String> names = new HashSet<>();
    try (Store store = access.open()) {
      SnapshotContext chain = new SnapshotContext(repo.root(), repo.archive().folder());
      for (int i = 0; i < 1_200; i++) {
        Payload text =
            Payload.utf8(
                "{\"kind\":\"varve.rewind.Checkpoint\",\"at\":\"2026-01-01T00:00:00Z\",\"note\":\""
                    + i
                    + "\",\"fs_root\":\""
                    + theirs.tree()
                    + "\"}");
        chain.add(store, text, dev.varve.BlobHash.parse(theirs.tree()));
        names.add(dev.varve.hash.Blake3.hash(text).toString());
      }
    }
    assertThat(repo.rewind().snapshots()).hasSize(1_201);

    assertThat(repo.rewind().drop(names)).isEqualTo(names);

    assertThat(repo.rewind().snapshots()).hasSize(1);
    assertThat(other.rewind().snapshots()).containsExactly(theirs);
  }
}
