// SPDX-License-Identifier: Apache-2.0
package dev.varve.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import dev.varve.disk.LocalDisk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// When the disk is full: whether it says so before or only when written to, whether the table grows on the writer's
/// thread or on its own.
class FingerprintTableRoomTest {

  private static final String NAME = "things.idx";
  private static final int MANY = 100_000;

  @TempDir Path temp;
  private final CapturedLog log = new CapturedLog();
  private final ListSource source = new ListSource();
  private TightDisk disk;

  @BeforeEach
  void openDisk() {
    disk = new TightDisk(LocalDisk.open(temp), Long.MAX_VALUE);
  }

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
      disk.setRoom(before / 2, saysSo);
      int stored = count + putUntilRefused(table, count);
      assertThat((double) stored / slots(before)).isBetween(0.93, 0.96);
      assertThat(table.diskBytes()).isEqualTo(before);
      assertThat(disk.names()).containsExactly(NAME);
      assertFinds(table, stored);
      table.checkpoint(stored);
      assertThat(log.warnings()).isNotEmpty().allMatch(w -> w.contains("not renewed"));

      disk.setRoom(Long.MAX_VALUE, saysSo);
      for (int i = stored; i < 3000; i++) {
        put(table, i);
      }
      assertFinds(table, 3000);
    }
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void aTableThatHasNoRoomAtAllLivesInMemoryUntilThereIs(boolean saysSo) {
    for (int i = 0; i < 5000; i++) {
      source.add(Mix.of(i), i);
    }
    disk.setRoom(10_000, saysSo);
    try (var table = open(0)) {
      assertFinds(table, 5000);
      assertThat(table.diskBytes()).isZero();
      table.checkpoint(5000);
      assertThat(disk.names()).isEmpty();
      assertThat(table.diskBytes()).isZero();
    }
    try (var table = open(1_000_000)) {
      disk.setRoom(Long.MAX_VALUE, saysSo);
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
  void aDamagedPageIsMendedInMemoryIfTheDiskIsFull(boolean saysSo, long growsInlineTo)
      throws Exception {
    for (int i = 0; i < 5000; i++) {
      source.add(Mix.of(i), i);
    }
    open(0).close();
    byte[] bytes = Files.readAllBytes(temp.resolve(NAME));
    for (int at = 4096; at < bytes.length; at += 4096) {
      bytes[at]++;
    }
    Files.write(temp.resolve(NAME), bytes);
    disk.setRoom(0, saysSo);
    try (var table = open(growsInlineTo)) {
      put(table, 5000);
      assertFinds(table, 5001);
      assertThat(table.diskBytes()).isZero();
    }
    disk.setRoom(Long.MAX_VALUE, saysSo);
    try (var table = open(growsInlineTo)) {
      assertFinds(table, 5001);
      assertThat(table.diskBytes()).isPositive();
    }
  }

  private FingerprintTable open(long growsInlineTo) {
    return FingerprintTable.open(disk, NAME, 1, new UUID(1, 2), source, growsInlineTo);
  }

  private void put(FingerprintTable table, int value) {
    source.add(Mix.of(value), value);
    table.put(Mix.of(value), value);
  }

  /// @return how many were put
  private int putUntilRefused(FingerprintTable table, int from) {
    int[] next = {from};
    assertThatThrownBy(
            () -> {
              while (next[0] < MANY) {
                table.put(Mix.of(next[0]), next[0]);
                source.add(Mix.of(next[0]), next[0]);
                next[0]++;
              }
            })
        .isInstanceOf(StoreException.Full.class);
    return next[0] - from;
  }

  private static long slots(long diskBytes) {
    return (diskBytes / Pages.PAGE_BYTES - 1) * Pages.SLOTS;
  }

  private static void assertFinds(FingerprintTable table, int count) {
    for (int i = 0; i < count; i++) {
      assertThat(table.find(Mix.of(i), _ -> true)).isEqualTo(i);
    }
    for (int i = MANY; i < MANY + 500; i++) {
      assertThat(table.find(Mix.of(i), _ -> true)).isEqualTo(-1);
    }
  }
}
