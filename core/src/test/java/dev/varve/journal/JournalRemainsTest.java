// SPDX-License-Identifier: Apache-2.0
package dev.varve.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.disk.DiskFile;
import dev.varve.disk.SimulatedDisk;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Facts that a replay reports of the files, beside the batches that it hands over.
class JournalRemainsTest {

  private static final long STORE = 5;
  private static final int BLOCK = Journal.ALIGNMENT_BYTES;
  private static final Journal.Sizes SIZES = new Journal.Sizes(8 * BLOCK, 16 * BLOCK);

  private final SimulatedDisk disk = new SimulatedDisk(0);

  /// Goes on behind every gap, or behind none.
  private record Asked(boolean goesOn, List<Long> taken, List<Long> passedOver)
      implements Journal.Replay {
    Asked(boolean goesOn) {
      this(goesOn, new ArrayList<>(), new ArrayList<>());
    }

    @Override
    public boolean take(Batch batch) {
      return taken.add(batch.after().batchSeq());
    }

    @Override
    public boolean goOnWith(Batch batch, String file, long offset) {
      return goesOn;
    }

    @Override
    public void passOver(Batch batch) {
      passedOver.add(batch.after().batchSeq());
    }
  }

  private Journal.Remains remains() {
    return Journal.replay(disk, STORE, 0, new Asked(true));
  }

  private Asked replayed(long behind, boolean goesOn) {
    Asked asked = new Asked(goesOn);
    Journal.replay(disk, STORE, behind, asked);
    return asked;
  }

  /// The first file with batches of one block each.
  private void written(boolean forced, long... sequences) {
    try (Journal journal = new Journal(disk, SIZES)) {
      journal.start();
      for (long seq : sequences) {
        journal.append(JournalTest.batch(seq, 100, forced));
      }
    }
  }

  private void damage(String name, long offset) {
    try (DiskFile file = disk.open(name)) {
      ByteBuffer there = ByteBuffer.allocate(1);
      file.read(offset, there);
      file.write(offset, ByteBuffer.wrap(new byte[] {(byte) ~there.get(0)}));
    }
  }

  @Test
  void zerosBehindTheNewestBatchAreNoDamage() {
    written(false);
    assertThat(remains().isVoid()).isTrue();
    assertThat(remains().endsBadly()).as("zeros alone").isFalse();
    written(false, 1, 2);
    assertThat(remains().isVoid()).isFalse();
    assertThat(remains().endsBadly()).isFalse();
    damage(Journal.FILE_A, 3 * BLOCK);
    assertThat(remains().endsBadly()).as("where no batch would begin").isFalse();
  }

  @Test
  void whatIsNeitherBatchNorZerosBehindTheNewestOneIsReported() {
    written(false, 1, 2);
    damage(Journal.FILE_A, 2 * BLOCK);
    assertThat(remains().endsBadly()).as("noise").isTrue();
    damage(Journal.FILE_A, 2 * BLOCK);
    damage(Journal.FILE_A, BLOCK + 100);
    assertThat(remains().endsBadly()).as("a batch with a damaged body").isTrue();
    damage(Journal.FILE_A, BLOCK + 1);
    assertThat(remains().endsBadly()).as("and a damaged header").isTrue();
    damage(Journal.FILE_A, 0);
    assertThat(remains().endsBadly()).as("no whole batch at all").isTrue();
    assertThat(remains().isVoid()).isTrue();
  }

  @Test
  void aBatchThatTheFileEndsInIsReported() {
    written(false, 1, 2);
    for (int bytes : new int[] {Batch.HEADER_BYTES, Batch.HEADER_BYTES + 1, 419}) {
      try (DiskFile file = disk.open(Journal.FILE_A)) {
        ByteBuffer second = ByteBuffer.allocate(bytes);
        file.read(BLOCK, second);
        file.resize(BLOCK);
        file.write(BLOCK, second.flip());
      }
      assertThat(remains().endsBadly()).as("%d bytes of it", bytes).isTrue();
      assertThat(replayed(0, true).taken()).containsExactly(1L);
      disk.delete(Journal.FILE_A);
      written(false, 1, 2);
    }
  }

  @Test
  void damageInFrontOfAWholeBatchIsNotAtTheEnd() {
    written(false, 1, 2, 3);
    damage(Journal.FILE_A, BLOCK + 100);
    assertThat(remains().endsBadly()).isFalse();
    damage(Journal.FILE_A, BLOCK + 1);
    assertThat(remains().endsBadly()).isFalse();
  }

  @Test
  void onlyTheFileWithTheNewestBatchHasTheEnd() {
    try (Journal journal = new Journal(disk, SIZES)) {
      journal.start();
      journal.append(JournalTest.batch(1, 100, false));
      journal.turnOver(1);
      journal.append(JournalTest.batch(2, 100, false));
      damage(Journal.FILE_A, BLOCK);
      assertThat(remains().endsBadly()).as("behind the first file's batch").isFalse();
      damage(Journal.FILE_B, BLOCK);
      assertThat(remains().endsBadly()).as("behind the newest").isTrue();
      journal.turnOver(1);
      journal.append(JournalTest.batch(3, 5000, false));
    }

    assertThat(remains().endsBadly()).as("the newest is in the first file again").isFalse();
  }

  @Test
  void bothSizesAreReported() {
    assertThat(remains().sizeBytes()).as("no file").isZero();
    written(false, 1);
    assertThat(remains().shortestBytes()).isEqualTo(8 * BLOCK);
    assertThat(remains().sizeBytes()).isEqualTo(8 * BLOCK);
    try (DiskFile file = disk.open(Journal.FILE_B)) {
      file.write(0, ByteBuffer.allocate(3 * BLOCK));
    }
    assertThat(remains().shortestBytes()).isEqualTo(3 * BLOCK);
    assertThat(remains().sizeBytes()).isEqualTo(11 * BLOCK);
  }

  @Test
  void aBatchThatFillsTheFileIsFound() {
    try (Journal journal = new Journal(disk, SIZES)) {
      journal.start();
      journal.append(JournalTest.batch(1, 8 * BLOCK - 320, false));
    }

    assertThat(replayed(0, false).taken()).containsExactly(1L);
  }

  @Test
  void aBatchOfOneBlockTakesOneBlock() {
    written(false);
    try (Journal journal = new Journal(disk, SIZES)) {
      journal.start();
      for (int i = 0; i < 8; i++) {
        assertThat(journal.fits(BLOCK)).as("block %d", i).isTrue();
        journal.append(JournalTest.batch(i + 1, BLOCK - 320, false));
      }
    }

    assertThat(replayed(0, false).taken()).hasSize(8);
  }

  /// A batch takes a block at least, so that as many may be missing as there are blocks between.
  @Test
  void betweenTwoBatchesAreAsManyAsThereAreBlocks() {
    written(false, 1, 2, 3);
    damage(Journal.FILE_A, BLOCK + 1);
    assertThat(replayed(0, true).taken()).as("one is missing").containsExactly(1L, 3L);
    assertThat(replayed(0, false).passedOver()).containsExactly(3L);

    written(false, 1, 2, 4);
    damage(Journal.FILE_A, BLOCK + 1);
    assertThat(replayed(0, true).taken()).as("of an earlier round").containsExactly(1L);
    assertThat(replayed(0, false).passedOver()).isEmpty();
  }

  @Test
  void withoutACheckpointTheReplayBeginsWithTheOldestIfAllWereForced() {
    written(true, 5, 6, 7);
    assertThat(Journal.replay(disk, STORE, -1, new Asked(false)).allForced()).isTrue();
    assertThat(replayed(-1, false).taken()).containsExactly(5L, 6L, 7L);
    damage(Journal.FILE_A, BLOCK + 1);
    assertThat(replayed(-1, true).taken()).as("over a gap").containsExactly(5L, 7L);

    written(false, 5, 6, 7);
    damage(Journal.FILE_A, BLOCK + 1);
    assertThat(Journal.replay(disk, STORE, -1, new Asked(false)).allForced()).isFalse();
    assertThat(replayed(-1, true).taken()).as("the newest without a gap").containsExactly(7L);
  }
}
