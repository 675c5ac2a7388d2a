// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import dev.varve.journal.Journal;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/// A force that failed for one thread has failed for all: the system tells only one of those who
/// ask.
class SharedForceTest {

  private static ByteBuffer bytes() {
    return ByteBuffer.wrap(new byte[] {1, 2, 3});
  }

  @Test
  void afterAFailureEveryForceFailsUntilTheFileIsOpenedAgain() {
    SimulatedDisk disk = new SimulatedDisk(1);
    try (DiskFile file = disk.open("a")) {
      SharedForce forcing = new SharedForce(file);
      file.write(0, bytes());
      forcing.force();
      disk.failForce(0);
      file.write(0, bytes());
      assertThatThrownBy(forcing::force).isInstanceOf(StoreException.Io.class);
      assertThatThrownBy(forcing::force).isInstanceOf(StoreException.Io.class);
      assertThatCode(file::force).as("the disk itself would say yes").doesNotThrowAnyException();
    }
    try (DiskFile file = disk.open("a")) {
      assertThatCode(new SharedForce(file)::force).doesNotThrowAnyException();
    }
  }

  @Test
  void soItIsWithAFileOfRecords() {
    SimulatedDisk disk = new SimulatedDisk(1);
    try (AppendFile file = AppendFile.open(disk, "a", 0, FileGrowth.DEFAULTS)) {
      disk.failForce(0);
      assertThatThrownBy(file::force).isInstanceOf(StoreException.Io.class);
      assertThatThrownBy(file::force).isInstanceOf(StoreException.Io.class);
    }
  }

  @Test
  void aCheckpointDoesNotForceAJournalThatACommitCouldNot() {
    SimulatedDisk disk = new SimulatedDisk(1);
    try (Journal journal = new Journal(disk, new Journal.Sizes(1 << 14, 1 << 14))) {
      journal.start();
      journal.append(bytes());
      disk.failForce(0);
      assertThatThrownBy(journal::force).isInstanceOf(StoreException.Io.class);
      assertThatThrownBy(journal::forceAll).isInstanceOf(StoreException.Io.class);
    }
  }
}
