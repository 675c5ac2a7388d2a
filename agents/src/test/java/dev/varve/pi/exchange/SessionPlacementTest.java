// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.local.LocalStore;
import dev.varve.pi.branch.AgentFolder;
import dev.varve.pi.branch.Sessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SessionPlacementTest {

  private static final String ENTRIES =
      "{\"type\":\"message\",\"id\":\"a\",\"parentId\":null}\n{\"type\":\"mess";

  @TempDir Path folder;

  private Store store;
  private AgentFolder agent;
  private SessionPlacement placing;

  @BeforeEach
  void open() {
    store = LocalStore.open(folder.resolve("s"), StoreOptions.DEFAULTS);
    agent = new AgentFolder(folder.resolve("sessions"), false);
    placing = new SessionPlacement(store, agent);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static String session(String id) {
    return Sessions.header(id, "") + "\n" + ENTRIES;
  }

  private BlobHash put(String text) {
    return store.put(Payload.utf8(text));
  }

  @Test
  void aSessionGoesWherePiWouldKeepIt() {
    SessionPlacement.Placed placed = placing.byHeader(put(session("one")));

    assertThat(placed.file())
        .isEqualTo(folder.resolve("sessions/--src-demo--/2026-11-27T20-37-22-939Z_one.jsonl"))
        .hasContent(session("one"));
    assertThat(placed.isNew()).isTrue();
    assertThat(placing.byHeader(put(session("one"))).isNew()).as("again").isFalse();
  }

  @Test
  void oneWithoutAHeaderGoesWhereItIsTold() {
    BlobHash src = put(ENTRIES);
    Path target = folder.resolve("lost/its-header.jsonl");

    assertThatThrownBy(() -> placing.byHeader(src)).isInstanceOf(StoreException.Invalid.class);
    assertThat(placing.at(target, src).header()).isEmpty();
    assertThat(target).hasContent(ENTRIES);
  }

  @Test
  void nothingIsEverWrittenOver() throws IOException {
    BlobHash src = put(session("one"));
    Path place = placing.byHeader(src).file();
    for (String other : List.of("", "mine", session("one") + "age\"}\n", session("two"))) {
      Files.writeString(place, other);

      assertThatThrownBy(() -> placing.byHeader(src)).isInstanceOf(StoreException.Conflict.class);
      assertThat(place).hasContent(other);
    }
    Files.writeString(place, session("one") + "age\"}\n");
    assertThatThrownBy(() -> placing.byHeader(src)).hasMessageContaining("a later version");
    Files.writeString(place, session("one").substring(0, 120));
    assertThatThrownBy(() -> placing.byHeader(src)).hasMessageContaining("an earlier version");
    Files.delete(place);
    Path victim = folder.resolve("victim");
    Files.createSymbolicLink(place, victim);
    assertThatThrownBy(() -> placing.byHeader(src)).isInstanceOf(StoreException.Conflict.class);
    assertThat(victim).doesNotExist();
  }

  @Test
  void aHeaderCannotLeadElsewhere() {
    for (String id : List.of("../../x", "/etc/x", "a\\u0000", "CON/..", "..")) {
      BlobHash src = put(session(id.replace("\\", "\\\\").replace("\\\\u", "\\u")));

      assertThatThrownBy(() -> placing.byHeader(src)).isInstanceOf(StoreException.Invalid.class);
    }
    BlobHash deep = put(session("one").replace("/src/demo", "/x".repeat(300)));
    assertThatThrownBy(() -> placing.byHeader(deep)).isInstanceOf(StoreException.Invalid.class);
    BlobHash none = put("my notes");
    assertThatThrownBy(() -> placing.byHeader(none)).isInstanceOf(StoreException.Invalid.class);
    assertThat(folder.resolve("sessions")).doesNotExist();
  }

  @Test
  void aMovedSessionIsANewOneWithTheSameEntries() throws IOException {
    BlobHash src = put(session("one"));
    Path original = placing.byHeader(src).file();
    SessionMove moving =
        new SessionMove(
            store, agent, Instant.parse("2026-11-28T01:02:03Z"), new SplittableRandom(1));

    SessionMove.Moved moved = moving.to(Path.of("/w/\"shop\""), original, src);

    assertThat(moved.id()).matches("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-.{12}");
    assertThat(moved.file())
        .hasFileName("2026-11-28T01-02-03-000Z_" + moved.id() + ".jsonl")
        .hasContent(
            "{\"type\":\"session\",\"version\":3,\"id\":\"%s\",\"timestamp\":\"2026-11-28T01:02:03.000Z\",\"cwd\":\"/w/\\\"shop\\\"\",\"parentSession\":\"%s\"}\n%s"
                .formatted(moved.id(), original, ENTRIES));
    assertThat(original).hasContent(session("one"));
  }

  @Test
  void aSessionThatCannotBeAFileHereCanBeMoved() {
    BlobHash src = put(session("one").replace("/src/demo", "/x".repeat(300)));
    SessionMove moving = new SessionMove(store, agent, Instant.EPOCH, new SplittableRandom(2));

    assertThat(moving.to(Path.of("/w"), null, src).file())
        .content()
        .doesNotContain("parentSession");
  }
}
