// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.ContextId;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Overlay;
import dev.varve.Payload;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.server.events.ServerEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The file of rows: what a start takes from it, and what is read again.
final class RowsKeeperTest extends RowsFixture {
  @Test
  void aStartTakesAllRows() {
    endService();
    startService();

    assertThat(taken()).containsExactly(1L, 2L, 3L);
    assertThat(titled("pear")).containsExactly(2L);
    assertThat(titled("fig")).isEmpty();
  }

  @Test
  @Timeout(60)
  void theFileIsWrittenWhileTheServiceRuns() {
    while (!Files.exists(file())) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Test
  void onlyTheOwnerMayReadTheFile() throws IOException {
    endService();

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
        .isEqualTo("rw-------");
  }

  @Test
  void aContextThatMovedIsReadAgain() {
    endService();
    store.moveContext(
        new ContextId(2),
        store.head(new ContextId(2)).head(),
        store.head(new ContextId(3)).head(),
        Instant.EPOCH,
        null);
    startService();

    assertThat(taken()).containsExactly(1L, 3L);
    assertThat(titled("plum")).containsExactly(3L, 2L);
  }

  @Test
  void aContextThatWasDescribedIsReadAgain() {
    endService();
    store.describe(new ContextId(1), store.put(Payload.utf8("{\"kind\":\"pi.manifest\"}")));
    startService();

    assertThat(taken()).containsExactly(2L, 3L);
    assertThat(titled("apple")).isEmpty();
  }

  @Test
  void aPatchedTurnIsReadAgain() {
    endService();
    store.patch(
        store.head(new ContextId(3)).head(),
        Payload.utf8("{\"context_metadata\":{\"title\":\"cherry\"}}"));
    startService();

    assertThat(taken()).containsExactly(1L, 2L);
    assertThat(titled("cherry")).containsExactly(3L);
    assertThat(titled("plum")).isEmpty();
  }

  @Test
  void aForkWithoutWordsOfItsOwnIsReadAgainAfterAnyPatch() {
    store.fork(store.head(new ContextId(1)).head());
    assertThat(titled("apple")).containsExactly(4L, 1L);
    endService();
    store.patch(
        store.head(new ContextId(1)).head(),
        Payload.utf8("{\"context_metadata\":{\"title\":\"cherry\"}}"));
    startService();

    assertThat(taken()).containsExactly(2L, 3L);
    assertThat(titled("cherry")).containsExactly(4L, 1L);
  }

  @Test
  void aContextThatBeganAgainHasTheMetadataOfItsNewFirstTurn() {
    Payload other = Payload.utf8("{\"context_metadata\":{\"title\":\"fig\"}}");
    NewTurn root = NewTurn.of(other, Turns.ITEM, Encoding.JSON).withParent(TurnId.NONE);
    Turn said = store.append(new ContextId(2), root);
    index.on(new ServerEvent.TurnAppended(said, null));

    assertThat(titled("fig")).containsExactly(2L);
    endService();
    startService();
    assertThat(titled("fig")).containsExactly(2L);
    assertThat(titled("pear")).isEmpty();
  }

  /// The overlay comes after the rows of the file were compared with those of the store.
  @Test
  void anOverlayWhileTheFileIsReadCounts() {
    endService();
    TurnId turn = store.head(new ContextId(3)).head();
    AtomicBoolean patching = new AtomicBoolean();
    index =
        keeping(
            () -> {
              if (patching.getAndSet(false)) {
                long seq = store.tombstone(turn);
                index.on(new ServerEvent.TurnOverlaid(turn, seq, Overlay.Kind.TOMBSTONE));
              }
            });
    patching.set(true);
    index.start();
    index.awaitRows(Duration.ofMinutes(1));

    assertThat(patching).isFalse();
    assertThat(taken()).containsExactly(1L, 2L);
    assertThat(titled("plum")).isEmpty();
  }
}
