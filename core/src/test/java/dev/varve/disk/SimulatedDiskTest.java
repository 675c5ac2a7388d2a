// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import dev.varve.disk.SimulatedDisk.Fault;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The contract in memory, and how a test breaks, fills and counts. What a power cut does is in
/// [PowerCutTest] and [PowerCutLimitsTest].
class SimulatedDiskTest extends DiskContract {

  private SimulatedDisk disk;

  @BeforeEach
  void open() {
    disk = new SimulatedDisk(1);
  }

  @Override
  protected Disk disk() {
    return disk;
  }

  @Test
  void operationsAndBytesAreCounted() {
    try (DiskFile file = disk.open("a")) {
      file.write(0, utf8("hello"));
      file.write(5, utf8(", disk"));
      file.force();
      file.resize(100);
      disk.forceNames();
      disk.replace("a", "b");
      disk.delete("b");
      file.read(0, ByteBuffer.allocate(50));
    }
    assertThat(disk.writes()).isEqualTo(2);
    assertThat(disk.bytesWritten()).isEqualTo(11);
    assertThat(disk.bytesRead()).isEqualTo(50);
    assertThat(disk.forces()).isEqualTo(1);
    assertThat(disk.nameForces()).isEqualTo(1);
    assertThat(disk.operations()).as("one of them creates the file").isEqualTo(8);
  }

  @Test
  void openFilesAreCountedUntilTheyAreClosed() {
    DiskFile first = disk.open("a");
    DiskFile second = disk.open("a");
    assertThat(disk.openFiles()).isEqualTo(2);
    first.close();
    first.close();
    assertThat(disk.openFiles()).isEqualTo(1);
    second.close();
    assertThat(disk.openFiles()).isZero();
  }

  @Test
  void aFileBeyondTheCapacityTellsTheTestToRaiseIt() {
    try (DiskFile file = new SimulatedDisk(1, 1000).open("a")) {
      file.write(0, ByteBuffer.allocate(1000));
      assertThatThrownBy(() -> file.write(1000, utf8("x")))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("raise the capacity of 1000");
      assertThatThrownBy(() -> file.resize(1001)).isInstanceOf(AssertionError.class);
    }
  }

  @Test
  void writesFailFromTheOneThatWasAskedForUntilTheDiskIsRepaired() {
    try (DiskFile file = disk.open("a")) {
      disk.failAfterWrites(1, Fault.FULL);
      file.write(0, utf8("good"));
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> file.write(4, utf8("fails")))
            .isInstanceOf(StoreException.Full.class)
            .hasMessageContaining("a");
      }
      assertThat(text(file, 0, 4)).isEqualTo("good");
      assertThat(file.sizeBytes()).isBetween(4L, 8L);
      disk.failAfterWrites(0, Fault.IO);
      assertThatThrownBy(() -> file.write(4, utf8("fails"))).isInstanceOf(StoreException.Io.class);
      disk.repair();
      file.write(4, utf8("again"));
      assertThat(text(file, 0, 9)).isEqualTo("goodagain");
    }
  }

  @Test
  void aForceFailsOnceAndMayBeThatOfTheNames() {
    try (DiskFile file = disk.open("a")) {
      file.write(0, utf8("bytes"));
      disk.failForce(1);
      file.force();
      assertThatThrownBy(disk::forceNames).isInstanceOf(StoreException.Io.class);
      disk.forceNames();
      disk.failForce(0);
      assertThatThrownBy(file::force).isInstanceOf(StoreException.Io.class);
      file.force();
      assertThat(text(file, 0, 5)).isEqualTo("bytes");
    }
  }

  @Test
  void aFullDiskTakesWhatFitsAndGoesOnWhenThereIsRoom() {
    disk.capacityBytes(2048);
    try (DiskFile a = disk.open("a");
        DiskFile b = disk.open("b")) {
      a.resize(100_000);
      assertThat(disk.freeBytes()).as("a promise takes no room").isEqualTo(2048);
      a.write(0, ByteBuffer.allocate(1000));
      a.write(0, ByteBuffer.allocate(1024));
      assertThat(disk.freeBytes()).isEqualTo(1024);
      assertThatThrownBy(() -> b.write(100, ByteBuffer.allocate(1000)))
          .isInstanceOf(StoreException.Full.class);
      assertThat(b.sizeBytes()).isEqualTo(1024);
      assertThat(disk.freeBytes()).isZero();
      a.write(5, utf8("what has its room can be written again"));

      disk.capacityBytes(4096);
      b.write(100, ByteBuffer.allocate(1000));
      assertThat(b.sizeBytes()).isEqualTo(1100);
      assertThat(disk.freeBytes()).isEqualTo(4096 - 1024 - 1536);
      a.resize(0);
      assertThat(disk.freeBytes()).isEqualTo(4096 - 1536);
      disk.delete("b");
      assertThat(disk.freeBytes()).as("still open").isEqualTo(4096 - 1536);
    }
    assertThat(disk.freeBytes()).isEqualTo(4096);
  }

  @Test
  void aProcessThatIsKilledLosesNothingButItsLocks() {
    DiskFile file = disk.open("a");
    file.write(0, utf8("never forced"));
    MemorySegment memory = file.map(0, 12, true);
    memory.set(ValueLayout.JAVA_BYTE, 0, (byte) 'N');
    disk.lock("lock", "the first");
    SimulatedDisk next = disk.kill();
    memory.set(ValueLayout.JAVA_BYTE, 0, (byte) '-');

    assertThatThrownBy(() -> file.write(0, utf8("-"))).isInstanceOf(PowerCut.class);
    next.lock("lock", "the next").close();
    assertThat(next.openFiles()).isZero();
    try (DiskFile found = next.open("a")) {
      assertThat(text(found, 0, 100)).isEqualTo("Never forced");
    }
  }

  @Test
  void whatAKilledProcessDidNotForceMayStillBeLost() {
    int lost = 0;
    for (long seed = 0; seed < 50; seed++) {
      SimulatedDisk first = new SimulatedDisk(seed);
      first.open("a").write(0, utf8("never forced"));
      lost += first.kill().cutPower().exists("a") ? 0 : 1;
    }
    assertThat(lost).isBetween(1, 49);
  }
}
