// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// One open file. Reads and writes are at positions; none moves a cursor. Interrupting a thread that reads or writes
/// does not close the file.
///
/// Reading is safe from any thread while one thread writes elsewhere in the file.
public interface DiskFile extends AutoCloseable {

  String name();

  long sizeBytes();

  /// Reads into all that remains of `target`, or up to the end of the file.
  ///
  /// @return how many bytes were read; less than asked only at the end
  int read(long position, ByteBuffer target);

  /// Writes all that remains of `source`. Beyond the end the file grows, and a gap reads as zeros.
  void write(long position, ByteBuffer source);

  /// Returns once all bytes written so far, through [#write] and through mappings, and the file's size survive a power
  /// cut.
  void force();

  /// Sets the size: cuts, or extends with zeros that take no space yet.
  void resize(long sizeBytes);

  /// The bytes from `position` on, as memory. The range must lie within the file and must not be cut away while the
  /// segment is in use. What is written by [#write] is seen through it, and the other way round. The mapping lives until
  /// it is no longer reachable.
  MemorySegment map(long position, long sizeBytes, boolean writable);

  @Override
  void close();
}
