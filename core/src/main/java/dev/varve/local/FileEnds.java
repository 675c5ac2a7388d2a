// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.disk.AppendFile;
import dev.varve.journal.Checkpoint;
import dev.varve.journal.StorePosition;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// The ends of the files that grow, brought in line with a position.
final class FileEnds {

  private static final System.Logger LOGGER = System.getLogger("dev.varve.local");

  private final StoreFiles files;

  FileEnds(StoreFiles files) {
    this.files = files;
  }

  /// Extends files that are shorter than the position says. Such a file has lost its end; the lost
  /// bytes read as damaged, and keep their place.
  ///
  /// @return whether all files were long enough
  boolean extendTo(StorePosition position) {
    long[] ends = StoreFiles.ends(position);
    boolean whole = true;
    for (int i = 0; i < ends.length; i++) {
      AppendFile file = files.growing(StoreFiles.GROWING.get(i));
      if (file.readableBytes() < ends[i]) {
        if (!StoreFiles.DERIVED.contains(file.name())) {
          LOGGER.log(
              System.Logger.Level.ERROR,
              "{0}: {1} bytes are missing behind byte {2}",
              file.name(),
              ends[i] - file.readableBytes(),
              file.readableBytes());
        }
        file.write(ends[i] - 1, ByteBuffer.wrap(new byte[1]));
        whole = false;
      }
    }
    return whole;
  }

  /// Mends the last blocks. Later writes may have spoiled them, and so may the cut with which a
  /// file is closed.
  ///
  /// @return whether all were whole
  boolean restoreTails(Checkpoint checkpoint) {
    long[] ends = StoreFiles.ends(checkpoint.position());
    boolean whole = true;
    for (int i = 0; i < ends.length; i++) {
      AppendFile file = files.growing(StoreFiles.GROWING.get(i));
      MemorySegment tail = MemorySegment.ofArray(checkpoint.tails().get(i));
      int length = (int) Math.min(tail.byteSize(), ends[i]);
      if (file.at(ends[i] - length, length).mismatch(tail) >= 0) {
        file.write(ends[i] - length, tail.asByteBuffer());
        whole = false;
      }
    }
    return whole;
  }

  void setEnds(StorePosition position) {
    long[] ends = StoreFiles.ends(position);
    for (int i = 0; i < ends.length; i++) {
      files.growing(StoreFiles.GROWING.get(i)).end(ends[i]);
    }
  }

  /// Returns whether a primary file has anything but zeros behind its end at a position.
  boolean isAnythingBehind(StorePosition position) {
    long[] ends = StoreFiles.ends(position);
    for (int i = 0; i < ends.length; i++) {
      AppendFile file = files.growing(StoreFiles.GROWING.get(i));
      if (!StoreFiles.DERIVED.contains(file.name()) && EndScan.isWritten(file, ends[i])) {
        return true;
      }
    }
    return false;
  }

  /// Returns whether no file ends earlier at a later position than at an earlier one.
  static boolean reaches(StorePosition earlier, StorePosition later) {
    long[] ends = StoreFiles.ends(earlier);
    long[] laterEnds = StoreFiles.ends(later);
    for (int i = 0; i < ends.length; i++) {
      if (laterEnds[i] < ends[i]) {
        return false;
      }
    }
    return true;
  }

  /// Returns whether all files end where they end at the other position.
  static boolean areSame(StorePosition a, StorePosition b) {
    return Arrays.equals(StoreFiles.ends(a), StoreFiles.ends(b));
  }
}
