// SPDX-License-Identifier: Apache-2.0
package dev.varve.blob;

import dev.varve.disk.AppendFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads the end of a pack record by record, without its index: the way to find out what a crash
/// left there.
public final class PackTail {

  private PackTail() {}

  /// Where a pack whose end nobody knows ends: behind its last whole record from `from` on.
  public static long endByScan(AppendFile pack, long from) {
    long[] end = {from};
    new PackScan(pack, true)
        .scan(
            from,
            pack.endBytes(),
            new PackScan.Visitor() {
              @Override
              public void record(long offset, BlobRecord record) {
                end[0] = offset + record.sizeBytes();
              }

              @Override
              public void damage(long offset, long damageEnd) {}
            });
    return end[0];
  }

  /// Where the first record stands that is not whole; `end` if there is none.
  public static long wholeUpTo(AppendFile pack, long from, long end) {
    return new PackScan(pack, true).wholeUpTo(from, end);
  }

  /// The whole records between two offsets, or empty if something else is between them.
  public static Optional<List<PlacedBlob>> placedBetween(AppendFile pack, long from, long end) {
    List<PlacedBlob> placed = new ArrayList<>();
    boolean[] damaged = {false};
    new PackScan(pack, true)
        .scan(
            from,
            end,
            new PackScan.Visitor() {
              @Override
              public void record(long offset, BlobRecord record) {
                placed.add(new PlacedBlob(offset, record));
              }

              @Override
              public void damage(long offset, long damageEnd) {
                damaged[0] = true;
              }
            });
    return damaged[0] ? Optional.empty() : Optional.of(List.copyOf(placed));
  }
}
