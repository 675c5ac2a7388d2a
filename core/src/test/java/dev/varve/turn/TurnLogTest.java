// SPDX-License-Identifier: Apache-2.0
package dev.varve.turn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import dev.varve.disk.AppendFile;
import dev.varve.disk.DiskFile;
import dev.varve.disk.FileGrowth;
import dev.varve.disk.LittleEndian;
import dev.varve.disk.SimulatedDisk;
import dev.varve.format.Bytes;
import dev.varve.format.FormatPage;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// `turns.idx` is a cache: whatever stands in it, the log answers right.
class TurnLogTest {

  private static final long STORE = 7;
  private static final long[] IDS = {1, 2, 3, 1026, 1027, 5000};

  private final SimulatedDisk disk = new SimulatedDisk(0);
  private final AppendFile log = AppendFile.open(disk, TurnLog.LOG, FileGrowth.DEFAULTS);
  private final AppendFile meta = AppendFile.open(disk, TurnLog.META, FileGrowth.DEFAULTS);

  private TurnLog opened(long count) {
    TurnLog turns = new TurnLog(disk, log, meta, STORE);
    turns.open(count, System.Logger.Level.WARNING);
    return turns;
  }

  private TurnLog written(long... ids) {
    TurnLog turns = opened(0);
    ByteBuffer records = ByteBuffer.allocate(ids.length * TurnRecord.SIZE_BYTES);
    ByteBuffer metas = ByteBuffer.allocate(ids.length * TurnMeta.SIZE_BYTES);
    for (int i = 0; i < ids.length; i++) {
      new TurnRecord(ids[i], 0, 0, 0, 0, new BlobHash(1, 2, 3, 4), 0, 0)
          .write(MemorySegment.ofBuffer(records), (long) i * TurnRecord.SIZE_BYTES);
      new TurnMeta(ids[i], 1, ids[i], 0, 0, null, null, true)
          .write(
              MemorySegment.ofBuffer(metas),
              (long) i * TurnMeta.SIZE_BYTES,
              STORE,
              TurnRecord.crc(
                  MemorySegment.ofBuffer(records)
                      .asSlice((long) i * TurnRecord.SIZE_BYTES, TurnRecord.SIZE_BYTES)));
    }
    turns.write(0, records, metas);
    turns.publish(ids);
    turns.saveIndex();
    return turns;
  }

  private byte[] index() {
    try (DiskFile file = disk.open(TurnLog.INDEX)) {
      ByteBuffer bytes = ByteBuffer.allocate((int) file.sizeBytes());
      file.read(0, bytes);
      return bytes.array();
    }
  }

  private void index(byte[] bytes) {
    disk.delete(TurnLog.INDEX);
    try (DiskFile file = disk.open(TurnLog.INDEX)) {
      file.write(0, ByteBuffer.wrap(bytes));
    }
  }

  private static void assertAnswers(TurnLog turns, long... ids) {
    assertThat(turns.count()).isEqualTo(ids.length);
    for (int i = 0; i < ids.length; i++) {
      assertThat(turns.ordinal(ids[i])).isEqualTo(i);
      assertThat(turns.id(i)).isEqualTo(ids[i]);
      assertThat(turns.record(i).turnId()).isEqualTo(ids[i]);
      assertThat(turns.meta(i).turnId()).isEqualTo(ids[i]);
    }
    assertThat(turns.ordinal(4)).isEqualTo(-1);
    assertThat(turns.ordinal(5001)).isEqualTo(-1);
    assertThat(turns.ordinal(0)).isEqualTo(-1);
  }

  @Test
  void thePageShowsWhatIsWritten() {
    written(1, 2, 3, 1026);

    assertThat(FormatPage.of("turns-idx").example("Example")).isEqualTo(Bytes.dump(index()));
    MemorySegment second = MemorySegment.ofArray(index()).asSlice(TurnRuns.ENTRY_BYTES);
    assertThat(Bytes.fields(TurnRuns.ENTRY, second))
        .containsEntry("turn_id", 1026L)
        .containsEntry("log_offset", 3L * TurnRecord.SIZE_BYTES);
  }

  @Test
  void aSavedIndexIsTakenAsItIs() {
    written(IDS);
    byte[] saved = index();

    assertAnswers(opened(IDS.length), IDS);
    TurnLog again = opened(IDS.length);
    again.saveIndex();
    assertThat(index()).isEqualTo(saved);
  }

  @Test
  void anIndexThatIsAbsentCutOrStaleIsMadeAgain() {
    written(IDS);
    byte[] right = index();

    disk.delete(TurnLog.INDEX);
    assertAnswers(opened(IDS.length), IDS);
    for (int length = 0; length < right.length; length++) {
      index(Arrays.copyOf(right, length));
      TurnLog turns = opened(IDS.length);
      assertAnswers(turns, IDS);
      turns.saveIndex();
      assertThat(index()).as("cut to %d bytes, then saved", length).isEqualTo(right);
    }
  }

  @Test
  void anIndexWithAnyByteDamagedIsMadeAgain() {
    written(IDS);
    byte[] right = index();

    Bytes.eachDamaged(
        right,
        damaged -> {
          index(damaged);
          TurnLog turns = opened(IDS.length);
          assertAnswers(turns, IDS);
          turns.saveIndex();
          assertAnswers(opened(IDS.length), IDS);
        });
  }

  @Test
  void anIndexThatIsNewerThanTheLogIsCutToIt() {
    written(IDS);

    TurnLog turns = opened(4);

    assertThat(turns.count()).isEqualTo(4);
    assertThat(turns.ordinal(1026)).isEqualTo(3);
    assertThat(turns.ordinal(1027)).isEqualTo(-1);
    assertThat(turns.ordinal(5000)).isEqualTo(-1);
  }

  @Test
  void aDamagedRecordCostsItselfAlone() {
    written(IDS);
    for (int damaged = 0; damaged < IDS.length; damaged++) {
      long offset = (long) damaged * TurnRecord.SIZE_BYTES;
      byte before = log.at(offset + 20, 1).get(ValueLayout.JAVA_BYTE, 0);
      log.write(offset + 20, ByteBuffer.wrap(new byte[] {(byte) (before ^ 1)}));
      if (damaged % 2 == 0) {
        disk.delete(TurnLog.INDEX);
      }

      TurnLog turns = opened(IDS.length);

      turns.saveIndex();
      for (int i = 0; i < IDS.length; i++) {
        int ordinal = i;
        assertThat(turns.ordinal(IDS[i])).isEqualTo(i);
        if (i == damaged) {
          assertThatThrownBy(() -> turns.record(ordinal))
              .isInstanceOfSatisfying(
                  StoreException.Corrupt.class, e -> assertThat(e.offset()).isEqualTo(offset));
        } else {
          assertThat(turns.record(i).turnId()).isEqualTo(IDS[i]);
        }
      }
      log.write(offset + 20, ByteBuffer.wrap(new byte[] {before}));
    }
  }

  @Test
  void aWholeRecordInAnotherOnesPlaceIsCorrupt() {
    TurnLog turns = written(IDS);
    log.write(2L * TurnRecord.SIZE_BYTES, log.at(0, TurnRecord.SIZE_BYTES).asByteBuffer());

    assertThatThrownBy(() -> turns.record(2))
        .isInstanceOf(StoreException.Corrupt.class)
        .hasMessageContaining("turn 3");
  }

  @Test
  void aLogWhoseEndNobodyKnowsEndsBehindItsLastValidRecord() {
    written(IDS);
    log.write(IDS.length * (long) TurnRecord.SIZE_BYTES, ByteBuffer.wrap(new byte[300]));
    log.end(log.readableBytes());

    assertThat(TurnLog.countByScan(log, meta, STORE)).isEqualTo(IDS.length);
  }

  @Test
  void onlyNewRunsAreWritten() {
    TurnLog turns = written(1, 2, 3);
    long before = disk.writes();
    turns.publish(new long[] {});
    turns.saveIndex();
    assertThat(disk.writes()).as("nothing new").isEqualTo(before);
    assertThat(index()).hasSize(TurnRuns.ENTRY_BYTES);
    assertThat(MemorySegment.ofArray(index()).get(LittleEndian.U64, 0)).isEqualTo(1);
  }

  /// After a power cut the last turns may be gone, and the table still leads to them: the turn like
  /// them that was there before has to be found.
  @Test
  void anEarlierTurnLikeItGivesWayOnlyToATurnThatIsSurelyKept() {
    TurnLog turns = written(1, 2, 3);
    turns.noteForced(2);
    List<String> givesWay = new ArrayList<>();
    TurnFinder.children(turns)
        .entries(
            0, (_, value, superseded) -> givesWay.add("1 to " + value + ": " + superseded.test(1)));

    assertThat(givesWay).containsExactly("1 to 1: true", "1 to 2: true", "1 to 3: false");
  }
}
