// SPDX-License-Identifier: Apache-2.0
package dev.varve.journal;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.disk.DiskFile;
import dev.varve.disk.SimulatedDisk;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JournalTest {

  private static final long STORE = 5;
  private static final Journal.Sizes SIZES = new Journal.Sizes(1 << 15, 1 << 16);

  private SimulatedDisk disk = new SimulatedDisk(0);

  /// A batch of 320 bytes and those of its turns.
  static ByteBuffer batch(long seq, int turnBytes, boolean forced) {
    MemorySegment none = MemorySegment.ofArray(new byte[0]);
    Batch batch =
        new Batch(
            Positions.distinct(100, seq - 1),
            Positions.distinct(200, seq),
            false,
            forced,
            none,
            MemorySegment.ofArray(new byte[turnBytes]),
            none,
            none,
            none,
            none,
            none);
    return ByteBuffer.wrap(BatchTest.written(batch, STORE));
  }

  private static ByteBuffer batch(long seq, int turnBytes) {
    return batch(seq, turnBytes, false);
  }

  private Journal started() {
    Journal journal = new Journal(disk, SIZES);
    journal.start();
    return journal;
  }

  /// Takes what it is handed, up to a batch that it refuses.
  private static final class Taking implements Journal.Replay {
    final List<Long> taken = new ArrayList<>();
    final List<Long> passedOver = new ArrayList<>();
    long refuses = -1;
    boolean startsLater;

    @Override
    public boolean take(Batch batch) {
      boolean takes = batch.after().batchSeq() != refuses;
      if (takes) {
        taken.add(batch.after().batchSeq());
      }
      return takes;
    }

    @Override
    public boolean goOnWith(Batch batch, String file, long offset) {
      return startsLater;
    }

    @Override
    public void passOver(Batch batch) {
      passedOver.add(batch.after().batchSeq());
    }
  }

  private List<Long> replayed(long behind) {
    Taking replay = new Taking();
    assertThat(Journal.replay(disk, STORE, behind, replay).taken()).isEqualTo(replay.taken.size());
    return replay.taken;
  }

  private void damage(String file, long offset) {
    try (DiskFile open = disk.open(file)) {
      ByteBuffer there = ByteBuffer.allocate(1);
      open.read(offset, there);
      open.write(offset, ByteBuffer.wrap(new byte[] {(byte) ~there.get(0)}));
    }
  }

  @Test
  void whatWasForcedIsReplayedInOrder() {
    try (Journal journal = started()) {
      for (long seq = 1; seq <= 5; seq++) {
        journal.append(batch(seq, 100));
      }
      journal.force();
    }
    disk = disk.cutPower();

    assertThat(replayed(0)).containsExactly(1L, 2L, 3L, 4L, 5L);
    assertThat(replayed(3)).as("behind a checkpoint").containsExactly(4L, 5L);
    assertThat(replayed(5)).isEmpty();
    assertThat(replayed(-1)).as("without a checkpoint").containsExactly(1L, 2L, 3L, 4L, 5L);
  }

  @Test
  void withoutFilesThereIsNothing() {
    assertThat(replayed(0)).isEmpty();
    assertThat(replayed(-1)).isEmpty();
    assertThat(disk.names()).as("looking makes no files").isEmpty();
  }

  @Test
  void nothingBehindADamagedBatchIsReplayed() {
    try (Journal journal = started()) {
      for (long seq = 1; seq <= 4; seq++) {
        journal.append(batch(seq, 5000)); // two blocks each
      }
      journal.force();
    }
    int blocks = 2 * Journal.ALIGNMENT_BYTES;
    for (long offset : new long[] {0, 40, 63, 64, 320, 5319}) {
      damage(Journal.FILE_A, 2 * blocks + offset);
      assertThat(replayed(0)).as("byte %d of batch 3", offset).containsExactly(1L, 2L);
      damage(Journal.FILE_A, 2 * blocks + offset);
    }
    assertThat(replayed(0)).hasSize(4);
  }

  @Test
  void damageInTheZerosBehindTheLastBatchIsNotLookedAt() {
    try (Journal journal = started()) {
      journal.append(batch(1, 100));
      journal.force();
    }
    damage(Journal.FILE_A, 3000);
    damage(Journal.FILE_A, Journal.ALIGNMENT_BYTES + 1);

    assertThat(replayed(0)).containsExactly(1L);
  }

  @Test
  void batchesOfAnEarlierRoundAreNotTakenForNewOnes() {
    try (Journal journal = started()) {
      for (long seq = 1; seq <= 6; seq++) {
        journal.append(batch(seq, 100));
      }
      journal.turnOver(1);
      journal.append(batch(7, 100));
      journal.turnOver(1); // over the first file again
      journal.append(batch(8, 100));
      journal.force();
    }

    assertThat(replayed(6)).containsExactly(7L, 8L);
    assertThat(replayed(7)).containsExactly(8L);
    assertThat(replayed(-1)).as("the newest without a gap").containsExactly(7L, 8L);
  }

  @Test
  void aRunThatGoesOnInTheOtherFileIsReplayedAsOne() {
    try (Journal journal = started()) {
      journal.append(batch(1, 100));
      journal.append(batch(2, 100));
      journal.turnOver(1);
      journal.append(batch(3, 100));
      journal.append(batch(4, 100));
      journal.forceAll();
    }

    assertThat(replayed(0)).containsExactly(1L, 2L, 3L, 4L);
    damage(Journal.FILE_A, Journal.ALIGNMENT_BYTES + 70);
    assertThat(replayed(0)).as("a gap ends it").containsExactly(1L);
    assertThat(replayed(2)).as("the gap is behind the checkpoint").containsExactly(3L, 4L);
  }

  @Test
  void aGapInNumbersEndsARun() {
    try (Journal journal = started()) {
      journal.append(batch(1, 100));
      journal.append(batch(3, 100));
      journal.force();
    }

    assertThat(replayed(0)).containsExactly(1L);
    assertThat(replayed(2)).isEmpty();
  }

  @Test
  void behindAnOldCheckpointTheOldestBatchIsFirstIfItMayBe() {
    try (Journal journal = started()) {
      journal.append(batch(5, 100));
      journal.append(batch(6, 100));
      journal.force();
    }
    Taking refusing = new Taking();
    assertThat(Journal.replay(disk, STORE, 2, refusing).taken()).isZero();
    assertThat(refusing.passedOver).containsExactlyInAnyOrder(5L, 6L);
    Taking taking = new Taking();
    taking.startsLater = true;

    assertThat(Journal.replay(disk, STORE, 2, taking).taken()).isEqualTo(2);
    assertThat(taking.taken).containsExactly(5L, 6L);
  }

  @Test
  void aRefusedBatchEndsTheReplayAndThoseBehindItAreTold() {
    try (Journal journal = started()) {
      for (long seq = 1; seq <= 4; seq++) {
        journal.append(batch(seq, 100));
      }
      journal.force();
    }
    Taking replay = new Taking();
    replay.refuses = 2;

    assertThat(Journal.replay(disk, STORE, 0, replay).taken()).isEqualTo(1);
    assertThat(replay.taken).containsExactly(1L);
    assertThat(replay.passedOver).containsExactlyInAnyOrder(2L, 3L, 4L);
  }

  @Test
  void batchesOfAnotherStoreAreNotReplayed() {
    try (Journal journal = started()) {
      journal.append(batch(1, 100));
      journal.force();
    }

    assertThat(Journal.replay(disk, STORE + 1, 0, new Taking()).taken()).isZero();
  }

  @Test
  void aFileTakesWhatFitsAndGrowsForWhatDoesNot() {
    try (Journal journal = started()) {
      assertThat(journal.fits(SIZES.firstBytes())).isTrue();
      assertThat(journal.fits(SIZES.firstBytes() + 1)).isFalse();
      journal.append(batch(1, 100));
      assertThat(journal.fits(SIZES.firstBytes() - Journal.ALIGNMENT_BYTES)).isTrue();
      assertThat(journal.fits(SIZES.firstBytes() - Journal.ALIGNMENT_BYTES + 1)).isFalse();
      ByteBuffer large = batch(2, 100_000);
      journal.turnOver(large.remaining());
      assertThat(journal.fits(large.remaining())).isTrue();
      journal.append(large);
      journal.force();
    }

    assertThat(replayed(0)).containsExactly(1L, 2L);
  }

  @Test
  void theIdleFileGrowsUpToItsBound() {
    try (Journal journal = started()) {
      journal.turnOver(1);
      journal.growIdle();
      journal.growIdle();
      try (DiskFile idle = disk.open(Journal.FILE_A)) {
        assertThat(idle.sizeBytes()).isEqualTo(SIZES.maxBytes());
      }
    }
  }

  @Test
  void anIdleFileThatHasNoRoomToGrowStaysAsItWas() {
    try (Journal journal = started()) {
      journal.turnOver(1);
      disk.capacityBytes(2 * SIZES.firstBytes() + 5000);
      journal.growIdle();
      try (DiskFile idle = disk.open(Journal.FILE_A)) {
        assertThat(idle.sizeBytes()).isEqualTo(SIZES.firstBytes());
      }
    }
  }

  @Test
  void batchesStandAtMultiplesOfABlock() {
    try (Journal journal = started()) {
      journal.append(batch(1, 1));
      journal.append(batch(2, 1));
    }
    try (DiskFile file = disk.open(Journal.FILE_A)) {
      ByteBuffer magic = ByteBuffer.allocate(4);
      file.read(Journal.ALIGNMENT_BYTES, magic);
      assertThat(new String(magic.array(), US_ASCII)).isEqualTo("VJRN");
    }
  }

  @Test
  void aBufferHoldsWhatItIsAskedForAndBeginsAsABlockDoes() {
    for (long sizeBytes : new long[] {1, 4095, 4096, 4097, 1 << 16}) {
      ByteBuffer buffer = Journal.buffer(sizeBytes);
      assertThat(buffer.capacity())
          .as("for %d bytes", sizeBytes)
          .isGreaterThanOrEqualTo((int) sizeBytes);
      assertThat(buffer.alignmentOffset(0, Journal.ALIGNMENT_BYTES)).isZero();
    }
  }

  @Test
  void anEmptyJournalIsDeletedAndAnyOtherKept() {
    assertThat(Journal.isOn(disk)).isFalse();
    Journal journal = started();
    journal.append(batch(1, 1));
    journal.close(false);
    assertThat(disk.names()).containsExactly(Journal.FILE_A);
    assertThat(Journal.isOn(disk)).isTrue();

    journal = started();
    journal.close(true);
    assertThat(disk.cutPower().names()).as("also after a power cut").isEmpty();
  }

  @Test
  void whatAKilledProcessLeftIsForcedBeforeItIsActedOn() {
    for (long seed = 0; seed < 50; seed++) {
      disk = new SimulatedDisk(seed);
      try (Journal journal = started()) {
        journal.append(batch(1, 100)); // not forced
      }
      disk = disk.kill();

      assertThat(replayed(0)).as("seed %d", seed).containsExactly(1L);
      disk = disk.cutPower();
      assertThat(replayed(0))
          .as("after a power cut behind the replay, seed %d", seed)
          .containsExactly(1L);
    }
  }
}
