// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Durability;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Overlay;
import dev.varve.Payload;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.local.LocalStore;
import dev.varve.server.events.ServerEvent;
import dev.varve.server.value.IdFormat;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/// The marks of a tree, for conversations as agents' importers and cxdb's clients write them.
final class TreeMarksTest {

  private static final Instant MORNING = Instant.parse("2026-01-02T08:00:00Z");

  @TempDir Path folder;
  private LocalStore store;
  private ContextIndex index;

  @BeforeEach
  void open() {
    store =
        LocalStore.open(folder, StoreOptions.DEFAULTS.withDurability(Durability.LET_THE_SYSTEM));
    index = new ContextIndex(store);
  }

  @AfterEach
  void close() {
    index.close();
    store.close();
  }

  private static NewTurn turn(String type, String json) {
    return NewTurn.of(Payload.utf8(json), new DeclaredType(type, 1), Encoding.JSON);
  }

  private Turn say(ContextId context, String text) {
    return store.append(context, turn("note", "\"" + text + "\""));
  }

  private BlobHash files(String name) {
    return store.put(Payload.utf8("a tree of " + name));
  }

  /// A context as an importer makes it for a leaf.
  private ContextId leaf(TurnId head, String session, String slot) {
    String about =
        "{\"kind\":\"x.session\",\"title\":\"leaf of"
            + " %s\",\"slot\":\"%s\",\"manifest_context\":\"%s\"}";
    return store
        .createContext(head, store.put(Payload.utf8(about.formatted(slot, slot, session))))
        .id();
  }

  private JsonNode tree(ContextId context, Duration time) {
    BranchViews views = new BranchViews(store, index, new LiveSessions(), time);
    return new ObjectMapper().readTree(views.tree(context, 500, IdFormat.TEXT).text());
  }

  private JsonNode tree(ContextId context) {
    return tree(context, Duration.ofMinutes(1));
  }

  private static List<String> marks(JsonNode tree) {
    List<String> marks = new ArrayList<>();
    for (JsonNode knot : tree.get("knots")) {
      for (JsonNode mark : knot.get("marks")) {
        marks.add(
            mark.get("kind").stringValue()
                + " at "
                + mark.get("depth").intValue()
                + " before "
                + knot.get("depth").intValue());
      }
    }
    return marks;
  }

  @Test
  void compactionsAreFoundByTheTypesOfTheirTurnsAndClaudeCodesByTheirPayload() {
    ContextId context = store.createContext().id();
    say(context, "root");
    store.append(context, turn("pi.compaction", "{}"));
    store.append(context, turn("codex.compacted", "{}"));
    store.append(context, turn("claude-code.system", "{\"subtype\":\"turn_duration\"}"));
    store.append(context, turn("claude-code.system", "{\"subtype\":\"compact_boundary\"}"));
    store.append(context, turn("other.system", "{\"subtype\":\"compact_boundary\"}"));
    store.append(context, turn("claude-code.system", "no JSON"));
    say(context, "compaction");

    assertThat(marks(tree(context)))
        .containsExactly(
            "compaction at 1 before 7", "compaction at 2 before 7", "compaction at 4 before 7");
  }

  @Test
  void aSnapshotIsATurnWithOtherFilesThanBefore() {
    ContextId context = store.createContext().id();
    BlobHash one = files("one");
    store.append(context, turn("note", "0").withFsRoot(one));
    say(context, "without");
    store.append(context, turn("note", "2").withFsRoot(one));
    store.append(context, turn("note", "3").withFsRoot(files("two")));
    Turn end = store.append(context, turn("note", "4").withFsRoot(one));

    JsonNode tree = tree(context);
    assertThat(marks(tree))
        .containsExactly(
            "snapshot at 0 before 0",
            "snapshot at 2 before 4",
            "snapshot at 3 before 4",
            "snapshot at 4 before 4");
    JsonNode last = tree.at("/knots/1/marks/2");
    assertThat(last.get("turn_id").stringValue()).isEqualTo(end.id().toString());
    assertThat(last.get("fs_root_hash").stringValue()).isEqualTo(one.toString());
  }

  @Test
  void manyMarksAreCountedAndTheLastAreNamed() {
    ContextId context = store.createContext().id();
    say(context, "root");
    BlobHash same = files("same");
    for (int i = 1; i <= 1_500; i++) {
      BlobHash at = i % 100 == 0 && i > 1_000 ? files("i" + i) : same;
      store.append(context, turn("pi.compaction", Integer.toString(i)).withFsRoot(at));
    }

    JsonNode knot = tree(context).at("/knots/1");
    assertThat(knot.at("/mark_counts/compaction").intValue()).isEqualTo(1_500);
    // the same files from 1 on, then five others, each followed by the same but the last
    assertThat(knot.at("/mark_counts/snapshot").intValue()).isEqualTo(1 + 5 + 4);
    assertThat(knot.get("marks")).hasSize(LineScan.NAMED_MAX + 10);
    assertThat(knot.at("/marks/25/depth").intValue()).isEqualTo(1_500);
  }

  @Test
  void pathsOfOneTranscriptPartByARewindAndOthersByAFork() {
    ContextId writer = store.createContext().id();
    Turn root = say(writer, "root");
    Turn early = say(writer, "early");
    Turn late = say(writer, "late");
    Turn a = say(writer, "a");
    Turn b = store.append(writer, turn("note", "1").withParent(late.id()));
    Turn c = store.append(writer, turn("note", "2").withParent(early.id()));
    Turn d = store.append(writer, turn("note", "3").withParent(root.id()));
    ContextId asked = leaf(a.id(), "7", "main");
    leaf(b.id(), "7", "main");
    leaf(c.id(), "8", "main");
    store.fork(d.id());

    List<String> partings = new ArrayList<>();
    for (JsonNode knot : tree(asked).get("knots")) {
      if (knot.has("parting")) {
        partings.add(knot.get("depth").intValue() + " " + knot.get("parting").stringValue());
      }
    }
    assertThat(partings).contains("1 fork", "2 rewind").doesNotContain("1 rewind", "2 fork");
  }

  @Test
  void aSubAgentIsMarkedWhereItsParentStoodWhenItBegan() {
    ContextId writer = store.createContext().id();
    Turn last = null;
    for (int i = 0; i < 6; i++) {
      last = store.append(writer, turn("note", "1" + i).withCreatedAt(MORNING.plusSeconds(10 * i)));
    }
    Turn root =
        store.append(
            writer,
            turn("note", "7").withParent(TurnId.NONE).withCreatedAt(MORNING.plusSeconds(35)));
    ContextId main = leaf(last.id(), "7", "main");
    ContextId agent = leaf(root.id(), "7", "subagents/one");
    leaf(root.id(), "8", "subagents/of-another-session");

    JsonNode tree = tree(main);
    List<JsonNode> found = new ArrayList<>();
    tree.get("knots").forEach(knot -> knot.get("marks").forEach(found::add));
    assertThat(found).hasSize(1);
    assertThat(found.getFirst().get("kind").stringValue()).isEqualTo("sub_agent");
    assertThat(found.getFirst().get("depth").intValue()).isEqualTo(3);
    assertThat(found.getFirst().get("context_id").stringValue()).isEqualTo(agent.toString());
    assertThat(found.getFirst().get("label").stringValue()).isEqualTo("leaf of subagents/one");
    assertThat(marks(tree(agent))).isEqualTo(marks(tree));
  }

  @Test
  void aContextThatDeclaresItsParentIsASubAgentUnlessItIsAFork() {
    ContextId parent = store.createContext().id();
    Turn root = Turns.say(store, parent, "{'title':'the parent'}");
    ContextId child = store.createContext().id();
    String declared = "{'provenance':{'parent_context_id':%s,'spawn_reason':'survey'}}";
    Turns.say(store, child, declared.formatted(parent));
    ContextId fork = store.fork(root.id()).id();
    Turns.say(store, fork, declared.formatted(parent));

    JsonNode mark = tree(parent).at("/knots/0/marks/0");
    assertThat(mark.get("context_id").stringValue()).isEqualTo(child.toString());
    assertThat(mark.get("label").stringValue()).isEqualTo("survey");
    assertThat(marks(tree(parent))).hasSize(1);
  }

  @Test
  void whoAsksAgainGetsTheMarksThatThereWasNoTimeFor() {
    ContextId first = store.createContext().id();
    Turn root = say(first, "root");
    for (int i = 0; i < 100; i++) {
      ContextId fork = store.fork(root.id()).id();
      store.append(fork, turn("x.compaction", Integer.toString(i)));
    }
    JsonNode tree = tree(first, Duration.ZERO);
    assertThat(tree.get("marks_incomplete").booleanValue()).isTrue();
    assertThat(marks(tree)).isNotEmpty().hasSizeLessThan(100);
    tree = tree(first, Duration.ZERO);
    assertThat(tree.get("marks_incomplete").booleanValue()).isFalse();
    assertThat(marks(tree)).hasSize(100);
  }

  @Test
  void filesThatAreAttachedLaterAreSeen() {
    ContextId context = store.createContext().id();
    Turn root = say(context, "root");
    assertThat(marks(tree(context))).isEmpty();

    long seq = store.attachFsRoot(root.id(), files("later"));
    index.on(new ServerEvent.TurnOverlaid(root.id(), seq, Overlay.Kind.FS_ROOT));

    assertThat(marks(tree(context))).containsExactly("snapshot at 0 before 0");
  }
}
