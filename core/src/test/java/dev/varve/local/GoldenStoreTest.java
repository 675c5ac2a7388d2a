// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.IdempotencyKey;
import dev.varve.NewTurn;
import dev.varve.Overlay;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.disk.SimulatedDisk;
import dev.varve.journal.Checkpoint;
import dev.varve.sim.SimulatedTime;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Stores that were written once and must open for ever, with every field as it was; and broken
/// ones that must be refused for the right reason.
class GoldenStoreTest {

  private static HeardLog log;

  @BeforeAll
  static void listen() {
    log = new HeardLog();
  }

  @AfterAll
  static void stopListening() {
    log.close();
  }

  private static LocalStore open(SimulatedDisk disk) {
    return GoldenStore.open(disk, SimulatedTime.standing());
  }

  @Test
  void theClosedStoreOpensAsItWasWritten() throws IOException {
    log.complaints();
    SimulatedDisk disk = GoldenStore.load("stores/v1").disk();
    LocalStore store = open(disk);
    assertThat(log.complaints()).isEmpty();
    assertHolds(store);
    assertThat(store.counts().turns()).isEqualTo(5);
    assertThat(store.counts().blobs()).isEqualTo(8);
    assertThat(store.head(new ContextId(1)).head()).isEqualTo(new TurnId(5));
    assertThat(store.check().problems()).isEmpty();
    Turn retried =
        store.append(
            new ContextId(1),
            NewTurn.of(Payload.utf8("keyed"), new DeclaredType("golden.Key", 2), Encoding.MSGPACK)
                .withKey(IdempotencyKey.of("the key")));
    assertThat(retried.id()).isEqualTo(new TurnId(3));
    store.close();
  }

  @Test
  void theKilledStoreOpensWithEverythingThatWasAnswered() throws IOException {
    SimulatedDisk disk = GoldenStore.load("stores/v1-killed").disk();
    LocalStore store = open(disk);
    assertHolds(store);
    assertThat(store.counts().turns()).isEqualTo(7);
    Turn last = store.turn(new TurnId(6), View.LATEST);
    assertThat(last.payload()).isEqualTo(Payload.utf8("after the checkpoint"));
    assertThat(last.parent()).isEqualTo(new TurnId(5));
    assertThat(store.turn(new TurnId(2), View.LATEST).tombstone()).isTrue();
    assertThat(store.head(new ContextId(4)).base()).isEqualTo(new TurnId(3));
    assertThat(store.check().problems()).isEmpty();
    store.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"stores/v1", "stores/v1-killed"})
  void bothOpenWithoutTheirDerivedFiles(String name) throws IOException {
    LocalStore store = open(Furnished.withoutDerived(GoldenStore.load(name)).disk());
    assertHolds(store);
    assertThat(store.check().problems()).isEmpty();
    store.close();
  }

  private static void assertHolds(LocalStore store) {
    List<Turn> path = store.last(new ContextId(1), 10, View.AS_WRITTEN).turns();
    Turn first = path.getFirst();
    assertThat(first.id()).isEqualTo(new TurnId(1));
    assertThat(first.type()).isEqualTo(new DeclaredType("golden.Text", 1));
    assertThat(first.encoding()).isEqualTo(Encoding.JSON);
    assertThat(first.payload()).isEqualTo(Payload.utf8("hello"));
    assertThat(first.payloadHash())
        .as("BLAKE3 of hello")
        .hasToString("ea8f163db38682925e4491c5e58d4bb3506ef8c14eb78a86e908c5624a67200f");
    assertThat(first.createdAt())
        .isBetween(
            Instant.ofEpochMilli(1_700_000_000_000L), Instant.ofEpochMilli(1_700_000_001_000L));
    assertThat(path.get(1).payload()).isEqualTo(Payload.utf8("how are you? ".repeat(100)));
    Turn keyed = path.get(2);
    assertThat(keyed.type()).isEqualTo(new DeclaredType("golden.Key", 2));
    assertThat(keyed.encoding()).isEqualTo(Encoding.MSGPACK);
    assertThat(keyed.declaredCompression()).isEqualTo(1);
    assertThat(store.get(Objects.requireNonNull(keyed.fsRoot())))
        .isEqualTo(Payload.utf8("a file tree"));
    assertThat(path.get(3).id()).isEqualTo(new TurnId(5));
    assertThat(path.get(3).payload()).isEqualTo(Payload.EMPTY);
    assertThat(path.get(3).type()).isEqualTo(DeclaredType.UNDECLARED);
    assertThat(store.turn(new TurnId(1), View.LATEST).payload())
        .isEqualTo(Payload.utf8("hello, patched"));
    assertThat(store.turn(new TurnId(4), View.LATEST).tombstone()).isTrue();
    assertThat(store.turn(new TurnId(4), View.AS_WRITTEN).payload())
        .isEqualTo(Payload.utf8("a branch"));
    assertThat(store.overlays(new TurnId(2)))
        .extracting(Overlay::kind)
        .contains(Overlay.Kind.FS_ROOT);
    ContextHead context = store.head(new ContextId(1));
    assertThat(store.get(Objects.requireNonNull(context.about())))
        .isEqualTo(Payload.utf8("a title"));
    assertThat(store.head(new ContextId(2)).base()).isEqualTo(new TurnId(2));
    assertThat(store.head(new ContextId(2)).head()).isEqualTo(new TurnId(4));
    assertThat(store.head(new ContextId(3)).head()).isEqualTo(TurnId.NONE);
    assertThat(store.findChild(new TurnId(2), keyed.payloadHash())).contains(keyed.id());
  }

  /// `broken/<name>` is one file that stands in the place of the whole store's.
  @ParameterizedTest
  @CsvSource({
    "root-too-new, varve.store, FormatTooNew",
    "root-too-old, varve.store, FormatTooOld",
    "root-foreign, varve.store, NoStore",
    "root-empty, varve.store, Corrupt",
    "root-damaged, varve.store, Corrupt",
  })
  void aBrokenRootIsRefused(String name, String file, String refusal) throws IOException {
    DiskImage image =
        GoldenStore.load("stores/v1").with(file, GoldenStore.load("broken").file(name));
    assertThatThrownBy(() -> open(image.disk()))
        .isInstanceOf(StoreException.class)
        .extracting(e -> e.getClass().getSimpleName())
        .isEqualTo(refusal);
  }

  /// A checkpoint would put the last block of the file right again, so these stores have none.
  @ParameterizedTest
  @CsvSource({
    "turn-damaged, turns.log, 80",
    "meta-damaged, turns.meta, 128",
    "blob-damaged, blobs.pack, 116",
    "overlay-damaged, overlays.log, 128",
  })
  void aBrokenRecordIsRefusedByFileAndOffset(String name, String file, long offset)
      throws IOException {
    DiskImage image =
        GoldenStore.load("stores/v1")
            .without(Checkpoint.FILE)
            .with(file, GoldenStore.load("broken").file(name));
    LocalStore store = open(image.disk());
    assertThatThrownBy(() -> store.turn(new TurnId(2), View.LATEST))
        .isInstanceOfSatisfying(
            StoreException.Corrupt.class,
            e -> {
              assertThat(e.file()).isEqualTo(file);
              assertThat(e.offset()).isEqualTo(offset);
            });
    assertThat(store.turn(new TurnId(1), View.AS_WRITTEN).payload())
        .isEqualTo(Payload.utf8("hello"));
    assertThat(store.check().problems())
        .anyMatch(p -> p.file().equals(file) && p.offset() == offset && !p.derived());
    store.close();
  }
}
