// SPDX-License-Identifier: Apache-2.0
package dev.varve.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import dev.varve.disk.DiskFile;
import dev.varve.disk.SimulatedDisk;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// When the disk is full: whether it says so before or only when written to, whether the table
/// grows on the writer's thread or on its own. The simulated disk's memory is a heap array, as is
/// that of the tables here.
class FingerprintTableRoomTest {

  private static final String NAME = "things.idx";
  private static final int MANY = 100_000;

  private final CapturedLog log = new CapturedLog();
  private final ListSource source = new ListSource();
  private final SimulatedDisk disk = new SimulatedDisk(1);

  @AfterEach
  void closeLog() {
    log.close();
  }

  @ParameterizedTest
  @CsvSource({"true,1000000", "false,1000000", "true,0", "false,0"})
  void aTableThatCannotGrowServesUntilItIsFullAndGrowsWhenThereIsRoom(
      boolean saysSo, long growsInlineTo) {
    try (var table = open(growsInlineTo)) {
      int count = 0;
      while (count < 1000) {
        put(table, count++);
      }
      long before = table.diskBytes();
      leaveRoom(before / 2, saysSo);
      int stored = count + putUntilRefused(table, count);
      assertThat((double) stored / slots(before)).isBetween(0.93, 0.96);
      assertThat(table.diskBytes()).isEqualTo(before);
      assertThat(disk.names()).containsExactly(NAME);
      assertFinds(table, stored);
      table.checkpoint(stored);
      assertThat(log.warnings()).isNotEmpty().allMatch(w -> w.contains("not renewed"));

      makeRoom();
      for (int i = stored; i < 3000; i++) {
        put(table, i);
      }
      assertFinds(table, 3000);
    }
  }

  /// The system may have dropped what it could not force, and say no more about it.
  @Test
  void aFileThatCouldNotBeForcedIsNeverTrustedAgain() {
    var table = open(1_000_000);
    for (int i = 0; i < 100; i++) {
      put(table, i);
    }
    disk.failForce(0);
    assertThatThrownBy(() -> table.checkpoint(100)).isInstanceOf(StoreException.Io.class);
    SimulatedDisk next = disk.kill().cutPower();
    try (var reopened = FingerprintTable.open(next, NAME, 1, new UUID(1, 2), source)) {
      assertFinds(reopened, 100);
    }
  }

  @Test
  void afterAFailedForceTheNextCheckpointIsOnANewFile() {
    try (var table = open(1_000_000)) {
      for (int i = 0; i < 100; i++) {
        put(table, i);
      }
      disk.failForce(0);
      assertThatThrownBy(() -> table.checkpoint(100)).isInstanceOf(StoreException.Io.class);
      table.checkpoint(100);
      SimulatedDisk next = disk.cutPower();
      source.cutTo(100);
      var unasked = new ListSource();
      for (int i = 0; i < 100; i++) {
        unasked.add(0, i);
      }
      try (var reopened = FingerprintTable.open(next, NAME, 1, new UUID(1, 2), unasked)) {
        assertFinds(reopened, 100);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void aTableThatHasNoRoomAtAllLivesInMemoryUntilThereIs(boolean saysSo) {
    for (int i = 0; i < 5000; i++) {
      source.add(BitMixer.of(i), i);
    }
    leaveRoom(10_000, saysSo);
    try (var table = open(0)) {
      assertFinds(table, 5000);
      assertThat(table.diskBytes()).isZero();
      table.checkpoint(5000);
      assertThat(table.diskBytes()).isZero();
    }
    assertThat(disk.names()).isEmpty();
    try (var table = open(1_000_000)) {
      makeRoom();
      table.checkpoint(5000);
      assertThat(table.diskBytes()).isPositive();
      assertFinds(table, 5000);
    }
    try (var table = open(0)) {
      assertThat(table.diskBytes()).isPositive();
      assertFinds(table, 5000);
    }
  }

  @ParameterizedTest
  @CsvSource({"true,1000000", "false,1000000", "true,0", "false,0"})
  void aDamagedPageIsMendedInMemoryIfTheDiskIsFull(boolean saysSo, long growsInlineTo) {
    for (int i = 0; i < 5000; i++) {
      source.add(BitMixer.of(i), i);
    }
    open(0).close();
    try (DiskFile file = disk.open(NAME)) {
      for (long page = 1; page < file.sizeBytes() / 4096; page++) {
        file.write(page * 4096, ByteBuffer.allocate(1));
      }
    }
    leaveRoom(0, saysSo);
    try (var table = open(growsInlineTo)) {
      put(table, 5000);
      assertFinds(table, 5001);
      assertThat(table.diskBytes()).isZero();
    }
    makeRoom();
    try (var table = open(growsInlineTo)) {
      assertFinds(table, 5001);
      assertThat(table.diskBytes()).isPositive();
    }
  }

  /// @param saysSo else the disk claims to have room and refuses the second write
  private void leaveRoom(long bytes, boolean saysSo) {
    if (saysSo) {
      disk.capacityBytes(disk.names().contains(NAME) ? fileBytes() + bytes : bytes);
    } else {
      disk.failAfterWrites(1, SimulatedDisk.Fault.FULL);
    }
  }

  private void makeRoom() {
    disk.capacityBytes(Long.MAX_VALUE);
    disk.repair();
  }

  private long fileBytes() {
    try (DiskFile file = disk.open(NAME)) {
      return file.sizeBytes();
    }
  }

  private FingerprintTable open(long growsInlineTo) {
    return FingerprintTable.open(disk, NAME, 1, new UUID(1, 2), source, growsInlineTo);
  }

  private void put(FingerprintTable table, int value) {
    source.add(BitMixer.of(value), value);
    table.put(BitMixer.of(value), value);
  }

  /// @return how many were put
  private int putUntilRefused(FingerprintTable table, int from) {
    int[] next = {from};
    assertThatThrownBy(
            () -> {
              while (next[0] < MANY) {
                table.put(BitMixer.of(next[0]), next[0]);
                source.add(BitMixer.of(next[0]), next[0]);
                next[0]++;
              }
            })
        .isInstanceOf(StoreException.Full.class);
    return next[0] - from;
  }

  private static long slots(long diskBytes) {
    return (diskBytes / TablePages.PAGE_BYTES - 1) * TablePages.SLOTS;
  }

  private static void assertFinds(FingerprintTable table, int count) {
    for (int i = 0; i < count; i++) {
      assertThat(table.find(BitMixer.of(i), _ -> true)).isEqualTo(i);
    }
    for (int i = MANY; i < MANY + 500; i++) {
      assertThat(table.find(BitMixer.of(i), _ -> true)).isEqualTo(-1);
    }
  }
}
