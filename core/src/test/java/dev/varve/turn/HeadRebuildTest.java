// SPDX-License-Identifier: Apache-2.0
package dev.varve.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import dev.varve.disk.AppendFile;
import dev.varve.disk.FileGrowth;
import dev.varve.disk.SimulatedDisk;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HeadRebuildTest {

  private static final long STORE = 7;
  private static final BlobHash ABOUT = new BlobHash(1, 2, 3, 4);

  private final SimulatedDisk disk = new SimulatedDisk(0);
  private final AppendFile log = AppendFile.open(disk, HeadRebuild.LOG, FileGrowth.DEFAULTS);
  private final AppendFile turnFile = AppendFile.open(disk, TurnLog.LOG, FileGrowth.DEFAULTS);
  private final AppendFile metaFile = AppendFile.open(disk, TurnLog.META, FileGrowth.DEFAULTS);
  private final TurnLog turns = new TurnLog(disk, turnFile, metaFile, STORE);
  private final Map<Long, HeadRecord> heads = new HashMap<>();
  private long turnIdNext = 1;

  private void logged(HeadRecord head) {
    byte[] bytes = new byte[HeadRecord.SIZE_BYTES];
    head.write(MemorySegment.ofArray(bytes), 0, STORE);
    long at = log.endBytes();
    log.write(at, ByteBuffer.wrap(bytes));
    log.end(at + bytes.length);
    heads.put(head.contextId(), head);
  }

  private void create(long context, long base) {
    int depth = base == 0 ? 0 : turns.record(turns.ordinal(base)).depth();
    logged(new HeadRecord(context, base, depth, 100, base, 100, null, turnIdNext));
  }

  private void describe(long context, long nowMs) {
    logged(heads.get(context).described(ABOUT, nowMs, turnIdNext));
  }

  private void append(long context, boolean movesHead, long nowMs) {
    HeadRecord head = heads.get(context);
    long id = turnIdNext++;
    int depth = head == null || head.headTurnId() == 0 ? 0 : head.headDepth() + 1;
    long parent = head == null ? 0 : head.headTurnId();
    byte[] record = new byte[TurnRecord.SIZE_BYTES];
    byte[] meta = new byte[TurnMeta.SIZE_BYTES];
    new TurnRecord(id, parent, depth, 0, 0, ABOUT, 0, nowMs)
        .write(MemorySegment.ofArray(record), 0);
    new TurnMeta(id, context, id, 0, 0, null, null, movesHead)
        .write(
            MemorySegment.ofArray(meta), 0, STORE, TurnRecord.crc(MemorySegment.ofArray(record)));
    turns.write(turns.count(), ByteBuffer.wrap(record), ByteBuffer.wrap(meta));
    turns.publish(new long[] {id});
    if (movesHead && head != null) {
      heads.put(context, head.moved(id, depth, nowMs));
    }
  }

  private Map<Long, HeadRecord> rebuilt() {
    Map<Long, HeadRecord> rebuilt = new HashMap<>();
    new HeadRebuild(log, turns, STORE).all(head -> rebuilt.put(head.contextId(), head));
    return rebuilt;
  }

  private static void garble(AppendFile file, long offset) {
    byte there = file.at(offset, 1).get(ValueLayout.JAVA_BYTE, 0);
    file.write(offset, ByteBuffer.wrap(new byte[] {(byte) ~there}));
  }

  @Test
  void headsAfterAnyHistoryAreDerivedAgain() {
    for (long seed = 0; seed < 100; seed++) {
      HeadRebuildTest history = new HeadRebuildTest();
      SplittableRandom random = new SplittableRandom(seed);
      long contexts = 0;
      for (int step = 0; step < 60; step++) {
        long one = contexts == 0 ? 0 : random.nextLong(1, contexts + 1);
        switch (contexts == 0 ? 0 : random.nextInt(6)) {
          case 0 -> {
            long newest = history.turnIdNext - 1;
            history.create(++contexts, newest == 0 ? 0 : random.nextLong(newest + 1));
          }
          case 1 -> history.describe(one, 1000 + step);
          case 2 -> history.append(one, false, 1000 + step);
          default -> history.append(one, true, 1000 + step);
        }
      }
      assertThat(history.rebuilt()).as("seed %d", seed).isEqualTo(history.heads);
    }
  }

  @Test
  void aTurnOfAContextThatIsNotThereMakesNone() {
    append(77, true, 1);
    create(1, 0);

    assertThat(rebuilt()).isEqualTo(heads).containsOnlyKeys(1L);
  }

  @Test
  void aDescriptionMadeBehindTheLastTurnKeepsTheHead() {
    create(1, 0);
    append(1, true, 200);
    describe(1, 300);

    assertThat(rebuilt().get(1L).headTurnId()).isEqualTo(1);
    assertThat(rebuilt().get(1L).activeAtUnixMs()).isEqualTo(300);
  }

  @Test
  void aContextWhoseBeginningIsDamagedIsKnownByItsTurns() {
    create(1, 0);
    describe(1, 150);
    create(2, 0);
    create(3, 0);
    append(1, true, 200);
    append(2, true, 300);
    append(2, true, 400);
    long second = 2L * HeadRecord.SIZE_BYTES;
    garble(log, second + 5);

    Map<Long, HeadRecord> rebuilt = rebuilt();
    assertThat(rebuilt.get(1L)).isEqualTo(heads.get(1L));
    assertThat(rebuilt.get(3L)).isEqualTo(heads.get(3L));
    assertThat(rebuilt.get(2L))
        .as("known by its turns; it seems to have been made with the first")
        .isEqualTo(new HeadRecord(2, 3, 1, 300, 0, 400, null, 4));
    garble(log, second + 5);
    garble(log, second + HeadRecord.SIZE_BYTES + 5);
    assertThat(rebuilt()).as("a context without turns is lost").containsOnlyKeys(1L, 2L);
  }

  @Test
  void aDamagedTurnCostsNoOtherContextItsHead() {
    create(1, 0);
    create(2, 0);
    append(1, true, 200);
    append(1, true, 250);
    append(2, true, 300);
    garble(turnFile, TurnRecord.SIZE_BYTES + 30);

    Map<Long, HeadRecord> rebuilt = rebuilt();
    assertThat(rebuilt.get(2L)).isEqualTo(heads.get(2L));
    assertThat(rebuilt.get(1L).headTurnId()).as("the last turn that is whole").isEqualTo(1);
  }

  @Test
  void aDamagedSlotOfTheTableIsDerivedAgain() {
    AppendFile file = AppendFile.open(disk, HeadTable.FILE, FileGrowth.DEFAULTS);
    HeadTable table = new HeadTable(file, STORE);
    table.repairThrough(new HeadRebuild(log, turns, STORE));
    create(1, 0);
    create(2, 0);
    append(1, true, 200);
    append(2, true, 300);
    heads.values().forEach(table::put);
    table.freeze();
    table.save(1, turns.count(), 2);
    table.thaw();
    garble(file, HeadRecord.SIZE_BYTES + 9);

    assertThat(table.recentCount()).isZero();
    assertThat(table.find(1)).contains(heads.get(1L));
    assertThat(table.find(2)).contains(heads.get(2L));
    assertThat(table.find(3)).isEmpty();
  }

  /// A block that a disk wrote to the wrong place has slots whose checksums hold.
  @Test
  void aSlotOfAnotherContextIsDerivedAgain() {
    AppendFile file = AppendFile.open(disk, HeadTable.FILE, FileGrowth.DEFAULTS);
    HeadTable table = new HeadTable(file, STORE);
    table.repairThrough(new HeadRebuild(log, turns, STORE));
    create(1, 0);
    create(2, 0);
    append(1, true, 200);
    append(2, true, 300);
    heads.values().forEach(table::put);
    table.freeze();
    table.save(1, turns.count(), 2);
    table.thaw();
    byte[] slot =
        file.at(HeadRecord.SIZE_BYTES, HeadRecord.SIZE_BYTES).toArray(ValueLayout.JAVA_BYTE);
    file.write(2L * HeadRecord.SIZE_BYTES, ByteBuffer.wrap(slot));

    assertThat(table.find(2)).contains(heads.get(2L));
    assertThat(table.find(1)).contains(heads.get(1L));
  }

  /// A reader finds a head at every moment of a checkpoint, also between the two steps of
  /// [HeadTable#freeze].
  @Test
  void aReaderNeverMissesAHeadThatIsBeingSetAside() throws Exception {
    AppendFile file = AppendFile.open(disk, HeadTable.FILE, FileGrowth.DEFAULTS);
    HeadTable table = new HeadTable(file, STORE);
    HeadRecord head = new HeadRecord(1, 0, 0, 100, 0, 100, null, 1);
    table.put(head);
    AtomicLong missed = new AtomicLong();
    AtomicBoolean done = new AtomicBoolean();
    Thread reader =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!done.get()) {
                    try {
                      missed.addAndGet(table.find(1).isPresent() ? 0 : 1);
                    } catch (StoreException.Corrupt e) {
                      missed.incrementAndGet(); // nothing to derive it from
                    }
                  }
                });
    for (int round = 0; round < 300_000; round++) {
      table.freeze();
      table.put(head);
    }
    done.set(true);
    reader.join();
    assertThat(missed).hasValue(0);
  }

  @Test
  void aTableOfAnotherStoreOrAnotherTimeDoesNotHold() {
    AppendFile file = AppendFile.open(disk, HeadTable.FILE, FileGrowth.DEFAULTS);
    HeadTable table = new HeadTable(file, STORE);
    assertThat(table.holds(0, 0, 0, 0)).as("an empty file").isFalse();
    table.save(5, 10, 3);

    assertThat(table.holds(5, 1, 10, 3)).isTrue();
    assertThat(table.holds(4, 1, 11, 4)).as("newer than the checkpoint").isTrue();
    assertThat(table.holds(6, 1, 10, 3)).as("older than the checkpoint").isFalse();
    assertThat(table.holds(5, 1, 9, 3)).as("newer than the turns").isFalse();
    assertThat(table.holds(5, 1, 10, 2)).as("newer than the log").isFalse();
    assertThat(table.holds(5, 2, 10, 3)).as("cut").isFalse();
    assertThat(new HeadTable(file, STORE + 1).holds(5, 1, 10, 3)).as("of another store").isFalse();
    for (int offset = 0; offset < HeadRecord.SIZE_BYTES; offset++) {
      garble(file, offset);
      assertThat(table.holds(5, 1, 10, 3)).as("byte %d garbled", offset).isFalse();
      garble(file, offset);
    }
    assertThat(table.holds(5, 1, 10, 3)).isTrue();
  }

  @Test
  void aHeadIsFoundWhileItIsBeingSaved() {
    AppendFile file = AppendFile.open(disk, HeadTable.FILE, FileGrowth.DEFAULTS);
    HeadTable table = new HeadTable(file, STORE);
    table.repairThrough(new HeadRebuild(log, turns, STORE));
    create(1, 0);
    HeadRecord old = heads.get(1L);
    table.put(old);
    table.freeze();
    assertThat(table.find(1)).as("frozen, not in the file").contains(old);
    HeadRecord moved = old.moved(9, 0, 900);
    table.put(moved);
    assertThat(table.find(1)).as("newer than what is frozen").contains(moved);
    table.save(1, turns.count(), 2);
    table.thaw();
    assertThat(table.find(1)).as("newer than the file").contains(moved);
    table.freeze();
    table.save(2, 0, 1);
    table.thaw();
    assertThat(table.find(1)).as("from the file").contains(moved);
    assertThat(table.maxId()).isEqualTo(1);
  }
}
