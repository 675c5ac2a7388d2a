// SPDX-License-Identifier: Apache-2.0
package dev.varve.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import dev.varve.disk.SimulatedDisk;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Batches and files that a power cut must leave, or must never bring back.
class JournalForcesTest {

  private static final long STORE = 5;
  private static final Journal.Sizes SIZES = new Journal.Sizes(1 << 15, 1 << 16);
  private static final int SEEDS = 50;

  /// The batches that are there after a power cut, for each of the disks that the cut may leave.
  private static List<List<Long>> left(Consumer<Journal> work) {
    List<List<Long>> left = new ArrayList<>();
    for (long seed = 0; seed < SEEDS; seed++) {
      SimulatedDisk disk = new SimulatedDisk(seed);
      try (Journal journal = new Journal(disk, SIZES)) {
        journal.start();
        work.accept(journal);
        List<Long> taken = new ArrayList<>();
        Journal.replay(disk.cutPower(), STORE, 0, taking(taken));
        left.add(taken);
      }
    }
    return left;
  }

  private static Journal.Replay taking(List<Long> taken) {
    return new Journal.Replay() {
      @Override
      public boolean take(Batch batch) {
        return taken.add(batch.after().batchSeq());
      }

      @Override
      public boolean goOnWith(Batch batch, String file, long offset) {
        return false;
      }

      @Override
      public void passOver(Batch batch) {}
    };
  }

  private static void append(Journal journal, long seq) {
    journal.append(JournalTest.batch(seq, 100, true));
  }

  @Test
  void bothFilesAreForced() {
    assertThat(
            left(
                journal -> {
                  append(journal, 1);
                  journal.turnOver(1);
                  append(journal, 2);
                  journal.forceAll();
                }))
        .containsOnly(List.of(1L, 2L));
    assertThat(
            left(
                journal -> {
                  journal.turnOver(1);
                  append(journal, 1);
                  journal.turnOver(1);
                  append(journal, 2);
                  journal.forceAll();
                }))
        .containsOnly(List.of(1L, 2L));
  }

  @Test
  void theSecondFileStaysOnceABatchInItWasForced() {
    assertThat(
            left(
                journal -> {
                  journal.turnOver(1);
                  append(journal, 1);
                  journal.force();
                }))
        .containsOnly(List.of(1L));
  }

  @Test
  void aBatchThatWasTakenBackNeverComesAgain() {
    assertThat(
            left(
                journal -> {
                  append(journal, 1);
                  append(journal, 2);
                  journal.force();
                  journal.takeBack();
                }))
        .containsOnly(List.of(1L));
  }

  @Test
  void theNextBatchTakesThePlaceOfTheOneThatWasTakenBack() {
    assertThat(
            left(
                journal -> {
                  append(journal, 1);
                  append(journal, 2);
                  journal.takeBack();
                  append(journal, 2);
                  append(journal, 3);
                  journal.force();
                }))
        .containsOnly(List.of(1L, 2L, 3L));
  }

  @Test
  void filesThatWereDeletedAreNotThereAfterAPowerCut() {
    for (long seed = 0; seed < SEEDS; seed++) {
      SimulatedDisk disk = new SimulatedDisk(seed);
      Journal journal = new Journal(disk, SIZES);
      journal.start();
      journal.turnOver(1);
      journal.close(true);

      assertThat(disk.cutPower().names()).as("seed %d", seed).isEmpty();
    }
  }

  @Test
  void noFileIsLeftOpen() {
    SimulatedDisk disk = new SimulatedDisk(0);
    try (Journal journal = new Journal(disk, SIZES)) {
      assertThat(journal.isStarted()).isFalse();
      assertThat(journal.fits(1)).as("before it is started").isFalse();
      journal.start();
      journal.turnOver(1);
      assertThat(disk.openFiles()).isEqualTo(2);
    }
    assertThat(disk.openFiles()).isZero();
  }

  @Test
  void aFileThatCannotBeFilledIsNotLeftOpen() {
    SimulatedDisk disk = new SimulatedDisk(0);
    disk.capacityBytes(1000);
    try (Journal journal = new Journal(disk, SIZES)) {
      assertThatThrownBy(journal::start).isInstanceOf(StoreException.Full.class);
      assertThat(disk.openFiles()).isZero();
    }
  }
}
