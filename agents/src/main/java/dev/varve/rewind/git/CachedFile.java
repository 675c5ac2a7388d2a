// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

import dev.varve.git.IndexEntry;
import java.lang.foreign.MemorySegment;

/// A file as it was when its content was last read.
final class CachedFile {

  /// Clocks tick, and a file that is written twice in a tick looks the same: what was changed this
  /// shortly before it was read is read again.
  static final long TICK_NANOS = 2_000_000_000L;

  private static final int EXECUTABLE = 0100;

  /// Ends in NUL.
  final MemorySegment name;

  /// The mode in a tree.
  int mode;

  String id;
  private long changedAt;
  private long modifiedAt;
  private int inode;
  private int sizeBytes;
  private long readAtNanos;

  CachedFile(MemorySegment name, int mode, String id, IndexEntry.Stat stat, long readAtNanos) {
    this.name = name;
    this.mode = mode;
    this.id = id;
    this.changedAt = stat.changedAt();
    this.modifiedAt = stat.modifiedAt();
    this.inode = stat.inode();
    this.sizeBytes = stat.sizeBytes();
    this.readAtNanos = readAtNanos;
  }

  /// True if the file that was looked at last is this file, unchanged.
  boolean is(Statx seen) {
    return changedAt == seen.changedAt()
        && modifiedAt == seen.modifiedAt()
        && sizeBytes == (int) seen.sizeBytes()
        && inode == (int) seen.inode()
        && changedAt < readAtNanos - TICK_NANOS;
  }

  /// Notes that the file was read.
  ///
  /// @param seen the file's metadata before it was read
  /// @param atNanos when the reading began
  void wasRead(String content, Statx seen, long atNanos) {
    id = content;
    mode = mode(seen);
    changedAt = seen.changedAt();
    modifiedAt = seen.modifiedAt();
    inode = (int) seen.inode();
    sizeBytes = (int) seen.sizeBytes();
    readAtNanos = atNanos;
  }

  /// As in a tree.
  static int mode(Statx seen) {
    return seen.kind() == Statx.LINK
        ? dev.varve.git.TreeChange.LINK
        : (seen.mode() & EXECUTABLE) != 0
            ? dev.varve.git.TreeChange.PROGRAM
            : dev.varve.git.TreeChange.FILE;
  }
}
