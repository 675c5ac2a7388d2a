// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.CheckReport.Problem;
import dev.varve.ContextId;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.blob.BlobPack;
import dev.varve.blob.BlobRecord;
import dev.varve.disk.LittleEndian;
import dev.varve.disk.SimulatedDisk;
import dev.varve.hash.Blake3;
import dev.varve.journal.Checkpoint;
import dev.varve.turn.HeadRebuild;
import dev.varve.turn.HeadRecord;
import dev.varve.turn.OverlayLog;
import dev.varve.turn.OverlayRecord;
import dev.varve.turn.TurnLog;
import dev.varve.turn.TurnMeta;
import dev.varve.turn.TurnRecord;
import dev.varve.turn.TypeTable;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Damage in the middle of a primary file costs the damaged record and nothing else: whoever needs
/// it is told which file and where, everything else reads, the check names it, appends go on, and
/// no number is given twice. So it stays after closing, and when everything derived is made again.
class RecordDamageTest {

  private static HeardLog log;
  private static Furnished furnished;

  @BeforeAll
  static void furnish() {
    log = new HeardLog();
    furnished = new Furnished();
  }

  @AfterAll
  static void stopListening() {
    log.close();
  }

  /// Looks at the store as it is, after appends, opened again, without derived files, and without
  /// the checkpoint.
  private static void inEveryState(DiskImage damaged, Consumer<LocalStore> look) {
    DiskImage image = damaged;
    long last = Furnished.TURNS;
    for (int state = 0; state < 4; state++) {
      SimulatedDisk disk = image.disk();
      LocalStore store = Furnished.open(disk);
      look.accept(store);
      for (int i = 0; i < 30; i++) {
        ContextId fresh = store.createContext().id();
        assertThat(fresh.value()).isGreaterThan(Furnished.CONTEXTS);
        long turn = store.append(fresh, Furnished.newTurn(1000 * (state + 1) + i)).id().value();
        assertThat(turn).as("numbers are given once").isGreaterThan(last);
        last = turn;
      }
      look.accept(store);
      store.close();
      image = DiskImage.of(disk);
      if (state > 0) {
        image = Furnished.withoutDerived(image);
      }
      if (state > 1) {
        image = image.without(Checkpoint.FILE);
      }
    }
  }

  private static void assertNames(LocalStore store, String file, long offset) {
    List<Problem> problems = store.check().problems();
    assertThat(problems).isNotEmpty();
    assertThat(problems)
        .allSatisfy(
            problem -> {
              assertThat(problem.file()).isEqualTo(file);
              assertThat(problem.offset()).isEqualTo(offset);
              assertThat(problem.derived()).isFalse();
            });
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 8, 16, 24, 40, 68, 79})
  void aDamagedTurnIsTheOnlyOneLost(int field) {
    int turn = 20;
    int offset = (turn - 1) * TurnRecord.SIZE_BYTES;
    inEveryState(
        furnished.image.withFlip(TurnLog.LOG, offset + field),
        store -> {
          Map<String, String> different = furnished.differences(store);
          assertThat(different.values()).containsOnly("turns.log " + offset);
          assertThat(different.keySet())
              .containsExactlyInAnyOrder(
                  "turn 20 as written",
                  "turn 20 now",
                  "ancestor of 20",
                  "ancestor of 21"); // both of whose links lead to it
          assertNames(store, TurnLog.LOG, offset);
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 8, 16, 32, 64, 127})
  void aDamagedMetaCostsItsTurnOnly(int field) {
    int offset = (30 - 1) * TurnMeta.SIZE_BYTES;
    inEveryState(
        furnished.image.withFlip(TurnLog.META, offset + field),
        store -> {
          assertThat(furnished.differences(store))
              .isEqualTo(
                  Map.of(
                      "turn 30 as written", "turns.meta " + offset,
                      "turn 30 now", "turns.meta " + offset,
                      "ancestor of 30", "turns.meta " + offset));
          assertNames(store, TurnLog.META, offset);
        });
  }

  /// Each turn keeps a leap to an ancestor; some of those lead over the damaged one or to it.
  @Test
  void everyPathAroundADamagedTurnCanBeWalkedAndContinued() {
    for (int damaged = 2; damaged < 40; damaged++) {
      int offset = (damaged - 1) * TurnRecord.SIZE_BYTES;
      SimulatedDisk disk = furnished.image.withFlip(TurnLog.LOG, offset + 70).disk();
      LocalStore store = Furnished.open(disk);
      for (int turn = damaged + 1; turn <= 60; turn++) {
        ContextId branch = store.fork(new TurnId(turn)).id();
        store.append(branch, Furnished.newTurn(100_000 + turn));
        assertThat(store.ancestor(store.head(branch).head(), turn - 1).value()).isEqualTo(turn);
        assertThat(store.ancestor(new TurnId(turn), damaged).value()).isEqualTo(damaged + 1);
        TurnId other = store.append(store.fork(new TurnId(turn)).id(), Furnished.newTurn(7)).id();
        assertThat(store.findCommonAncestor(store.head(branch).head(), other))
            .contains(new TurnId(turn));
      }
      store.close();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 12, 40, 44, 52, 63})
  void aDamagedOverlayCostsTheNewestViewOfItsTurnOnly(int field) {
    int seq = 15;
    int offset = (seq - 1) * OverlayRecord.SIZE_BYTES;
    DiskImage image = furnished.image.withFlip(OverlayLog.FILE, offset + field);
    SimulatedDisk disk = image.disk();
    LocalStore store = Furnished.open(disk);
    assertThat(furnished.differences(store))
        .isEqualTo(Map.of("turn 15 now", "overlays.log " + offset));
    assertThat(store.turn(new TurnId(15), View.asOf(14)).payload())
        .as("as it was before the damaged one")
        .isEqualTo(Furnished.payload(15));
    assertNames(store, OverlayLog.FILE, offset);
    assertThat(store.tombstone(new TurnId(15))).isEqualTo(Furnished.OVERLAID + 1);
    assertThat(store.patch(new TurnId(16), Payload.utf8("revived")))
        .isEqualTo(Furnished.OVERLAID + 2);
    assertThat(store.turn(new TurnId(16), View.LATEST).payload())
        .isEqualTo(Payload.utf8("revived"));
    assertThatThrownBy(() -> store.turn(new TurnId(15), View.LATEST))
        .isInstanceOf(StoreException.Corrupt.class);
    store.close();
    LocalStore again = Furnished.open(Furnished.withoutDerived(DiskImage.of(disk)).disk());
    assertThat(again.turn(new TurnId(15), View.AS_WRITTEN).payload())
        .isEqualTo(Furnished.payload(15));
    assertThat(again.turn(new TurnId(16), View.LATEST).payload())
        .isEqualTo(Payload.utf8("revived"));
    assertNames(again, OverlayLog.FILE, offset);
    again.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 8, 40, 80, 127})
  void aDamagedRecordOfHeadsLogCostsNothingWhileHeadsTblIsThere(int field) {
    int offset = (3 - 1) * HeadRecord.SIZE_BYTES;
    SimulatedDisk disk = furnished.image.withFlip(HeadRebuild.LOG, offset + field).disk();
    LocalStore store = Furnished.open(disk);
    assertThat(furnished.differences(store)).isEmpty();
    assertNames(store, HeadRebuild.LOG, offset);
    store.close();
  }

  /// Context 3 has turns, and is known by them; context 25 has none, and nothing but its number is
  /// left.
  @Test
  void aContextWhoseBeginningIsLostIsKnownByItsTurns() {
    int third = (3 - 1) * HeadRecord.SIZE_BYTES;
    DiskImage image = furnished.image.withFlip(HeadRebuild.LOG, third + 8);
    SimulatedDisk disk = Furnished.withoutDerived(image).disk();
    LocalStore store = Furnished.open(disk);
    assertThat(furnished.differences(store)).isEmpty();
    assertNames(store, HeadRebuild.LOG, third);
    store.close();
    int empty = 25;
    image = furnished.image.withFlip(HeadRebuild.LOG, (empty - 1) * HeadRecord.SIZE_BYTES + 8);
    store = Furnished.open(Furnished.withoutDerived(image).disk());
    assertThat(furnished.differences(store).keySet())
        .containsExactlyInAnyOrder("head of 25", "last of 25", "contexts");
    assertThat(store.createContext().id().value()).isGreaterThan(Furnished.CONTEXTS);
    store.close();
  }

  // ---- types

  private static int typeOffset(int turn) {
    int offset = 0;
    for (int i = 1; i < turn; i++) {
      offset += 20 + ("furnished.Type" + i).length();
    }
    return offset;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 8, 12, 15, 18, 31})
  void aDamagedTypeReadsAsUnknownAndNothingElseDoes(int field) {
    int offset = typeOffset(12);
    inEveryState(
        furnished.image.withFlip(TypeTable.FILE, offset + field),
        store -> {
          Map<String, String> different = furnished.differences(store);
          assertThat(different.keySet())
              .containsExactlyInAnyOrder("turn 12 as written", "turn 12 now");
          assertThat(different.values()).allMatch(answer -> answer.contains("unknown-tag:"));
          assertNames(store, TypeTable.FILE, offset);
        });
    assertThat(log.complaints()).anyMatch(said -> said.contains("types.tbl at byte " + offset));
  }

  @Test
  void aDamagedTypeIsHealedByDeclaringItAgain() {
    SimulatedDisk disk = furnished.image.withFlip(TypeTable.FILE, typeOffset(12) + 18).disk();
    LocalStore store = Furnished.open(disk);
    assertThat(store.append(Furnished.contextOf(12), Furnished.newTurn(12)).id().value())
        .as("a retry finds its turn although its type is lost")
        .isEqualTo(12);
    ContextId context = store.createContext().id();
    store.append(context, Furnished.newTurn(12));
    assertThat(store.check().problems()).isEmpty();
    store.close();
    LocalStore again = Furnished.open(disk);
    assertThat(furnished.differences(again)).isEmpty();
    assertThat(again.check().problems()).isEmpty();
    again.close();
  }

  // ---- blobs

  /// Fields of the header, and bytes of the stored bytes and of the checksum behind them.
  @ParameterizedTest
  @ValueSource(ints = {0, 4, 6, 8, 12, 14, 16, 47, 48, 120, 199, 201})
  void aDamagedBlobIsTheOnlyOneLostAndIsHealedByPuttingItAgain(int field) {
    int turn = 9;
    BlobHash hash = Blake3.hash(Furnished.payload(turn).bytes());
    int offset = Furnished.packOffsets(furnished.image.file(BlobPack.FILE)).get(turn - 1);
    DiskImage image = furnished.image.withFlip(BlobPack.FILE, offset + field);
    SimulatedDisk disk = image.disk();
    LocalStore store = Furnished.open(disk);
    assertThat(furnished.differences(store))
        .isEqualTo(Map.of("turn 9 as written", "blobs.pack " + offset));
    assertThatThrownBy(() -> store.get(hash))
        .isInstanceOfSatisfying(
            StoreException.Corrupt.class, e -> assertThat(e.offset()).isEqualTo(offset));
    assertNames(store, BlobPack.FILE, offset);
    long blobs = store.counts().blobs();
    assertThat(store.put(Furnished.payload(turn))).isEqualTo(hash);
    assertThat(store.counts().blobs()).as("it is no new blob").isEqualTo(blobs);
    assertThat(furnished.differences(store)).isEmpty();
    assertThat(store.check().problems()).isEmpty();
    store.close();
    LocalStore again = Furnished.open(disk);
    assertThat(furnished.differences(again)).isEmpty();
    assertThat(again.check().problems()).isEmpty();
    again.close();
    LocalStore anew = Furnished.open(Furnished.withoutDerived(DiskImage.of(disk)).disk());
    assertThat(furnished.differences(anew)).isEmpty();
    anew.close();
  }

  /// Without the index nobody knows where a record stood whose name is damaged; the turn knows that
  /// there was one.
  @ParameterizedTest
  @ValueSource(ints = {0, 12, 16, 47, 120})
  void aDamagedBlobIsMissedAlsoWhenEverythingDerivedIsMadeAgain(int field) {
    int offset = Furnished.packOffsets(furnished.image.file(BlobPack.FILE)).get(9 - 1);
    DiskImage image =
        Furnished.withoutDerived(furnished.image.withFlip(BlobPack.FILE, offset + field));
    SimulatedDisk disk = image.disk();
    LocalStore store = Furnished.open(disk);
    Map<String, String> different = furnished.differences(store);
    assertThat(different.keySet()).containsExactly("turn 9 as written");
    assertThat(different.values())
        .allMatch(
            refusal ->
                refusal.equals("blobs.pack " + offset)
                    || refusal.equals("turns.log " + 8 * TurnRecord.SIZE_BYTES));
    assertThat(store.check().problems())
        .anyMatch(p -> p.file().equals(BlobPack.FILE) && p.offset() == offset && !p.derived());
    store.put(Furnished.payload(9));
    assertThat(furnished.differences(store)).isEmpty();
    store.close();
    LocalStore again = Furnished.open(disk);
    assertThat(furnished.differences(again)).isEmpty();
    for (int i = 1; i <= 20; i++) {
      again.append(new ContextId(1), Furnished.newTurn(5000 + i));
    }
    again.close();
    log.complaints();
    again = Furnished.open(disk);
    again.close();
    assertThat(log.complaints()).as("and is not made again and again").isEmpty();
  }

  /// What somebody stores may look like records of ours, even with a name that is somebody else's.
  /// The checksum of a record holds over whatever was written with it; only the hash says whose
  /// content it is.
  @Test
  void contentThatIsNotWhatItsHashSaysIsRefusedThoughTheChecksumHolds() {
    byte[] pack = furnished.image.file(BlobPack.FILE);
    int offset = Furnished.packOffsets(pack).get(2);
    MemorySegment bytes = MemorySegment.ofArray(pack);
    BlobRecord record =
        BlobRecord.read(bytes.asSlice(offset, BlobRecord.HEADER_BYTES)).orElseThrow();
    pack[offset + BlobRecord.HEADER_BYTES + 7] ^= 1;
    long crc = offset + record.sizeBytes() - BlobRecord.CRC_BYTES;
    bytes.set(LittleEndian.U32, crc, LittleEndian.crc32(bytes, offset, crc - offset));
    LocalStore store = Furnished.open(furnished.image.with(BlobPack.FILE, pack).disk());

    assertThatThrownBy(() -> store.get(record.hash()))
        .isInstanceOf(StoreException.Corrupt.class)
        .hasMessageContaining("hash " + record.hash());
    assertThat(store.check().problems()).anyMatch(problem -> problem.offset() == offset);
    store.close();
  }

  @Test
  void aRecordWithinABlobIsNeverTakenForARecord() {
    SimulatedDisk disk = new SimulatedDisk(1, DiskImage.FILE_CAPACITY_BYTES);
    LocalStore store = Furnished.open(disk);
    Payload victim = Furnished.payload(1);
    store.put(victim);
    byte[] pack = DiskImage.of(disk).file(BlobPack.FILE);
    byte[] forged = Arrays.copyOf(pack, 202);
    BlobHash carrier = store.put(Payload.wrap(forged));
    for (int i = 2; i < 30; i++) {
      store.put(Furnished.payload(i)); // beyond what the checkpoint keeps
    }
    store.close();
    DiskImage image = DiskImage.of(disk);
    int at = Furnished.packOffsets(image.file(BlobPack.FILE)).get(1);
    image = Furnished.withoutDerived(image.withFlip(BlobPack.FILE, at + 48 + 202 + 1));
    store = Furnished.open(image.disk());
    assertThat(store.get(Blake3.hash(victim.bytes()))).isEqualTo(victim);
    assertThat(store.get(Blake3.hash(Furnished.payload(2).bytes())))
        .isEqualTo(Furnished.payload(2));
    LocalStore damaged = store;
    assertThatThrownBy(() -> damaged.get(carrier)).isInstanceOf(StoreException.Corrupt.class);
    assertThat(store.check().blobs()).isEqualTo(29);
    store.close();
  }
}
