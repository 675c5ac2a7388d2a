// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

import dev.varve.StoreException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;

/// Fills a real file system that is given as argument (a small one that exists for this: it is
/// filled to the last byte), and says `ok` if the store's disk behaves as promised. A program, not
/// a test, because a build cannot mount one.
final class FullDiskCheck {

  private FullDiskCheck() {}

  public static void main(String[] args) {
    Disk disk = LocalDisk.open(Path.of(args[0]));
    if (disk.freeBytes() > 64 << 20) {
      throw new IllegalArgumentException(args[0] + " has room for more than 64 MiB");
    }
    long end = fill(disk);
    disk.delete("ballast");
    try (AppendFile file =
        AppendFile.open(disk, "a", end, new FileGrowth(1 << 20, 1 << 16, 1 << 20))) {
      file.write(end, records(1000));
      file.force();
      check(
          file.at(end + 999, 1).get(ValueLayout.JAVA_BYTE, 0) == 7,
          "writes go on after room was made");
    }
    disk.delete("a");
    System.out.println("ok: full after " + end + " bytes, and went on");
  }

  /// Writes until there is no room, and returns how many bytes were written before.
  private static long fill(Disk disk) {
    try (DiskFile ballast = disk.open("ballast")) {
      ballast.write(0, ByteBuffer.allocate(256 << 10));
    }
    try (AppendFile file =
        AppendFile.open(disk, "a", 0, new FileGrowth(1 << 20, 1 << 16, 1 << 20))) {
      try {
        while (true) {
          file.write(file.endBytes(), records(10_000));
          file.force();
          file.end(file.endBytes() + 10_000);
        }
      } catch (StoreException.Full expected) {
        check(expected.getCause() != null, "a cause");
      }
      long end = file.endBytes();
      check(end > 0, "something was written");
      for (long at = 0; at < end; at += 997) {
        check(file.at(at, 1).get(ValueLayout.JAVA_BYTE, 0) == 7, "reads go on at byte " + at);
      }
      return end;
    }
  }

  private static ByteBuffer records(int sizeBytes) {
    byte[] bytes = new byte[sizeBytes];
    Arrays.fill(bytes, (byte) 7);
    return ByteBuffer.wrap(bytes);
  }

  private static void check(boolean is, String what) {
    if (!is) {
      throw new AssertionError("expected: " + what);
    }
  }
}
