// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// One open file. Reads and writes are at positions; none moves a cursor. Interrupting a thread
/// that reads or writes does not close the file, and the interrupt is kept.
///
/// Reading is safe from any thread while one thread writes elsewhere in the file. Once closed,
/// everything throws `StoreException.Closed`, but for [#name] and for [#close], which does nothing
/// again. A negative position or size is an `IllegalArgumentException`.
public interface DiskFile extends AutoCloseable {

  String name();

  long sizeBytes();

  /// Reads into all that remains of `target`, or up to the end of the file.
  ///
  /// @return how many bytes were read; less than asked only at the end, 0 beyond it
  int read(long position, ByteBuffer target);

  /// Writes all that remains of `source`. Beyond the end the file grows, and a gap reads as zeros.
  ///
  /// @throws dev.varve.StoreException.Full if there is no room; some of the bytes may have been
  ///   written
  void write(long position, ByteBuffer source);

  /// Returns once all bytes written so far, through [#write] and through mappings, and the file's
  /// size survive a power cut. If it fails, none of them is sure to, and a second try that succeeds
  /// proves nothing: the system may have dropped what it could not write.
  void force();

  /// Sets the size: cuts, or extends with zeros that take no space yet.
  void resize(long sizeBytes);

  /// The bytes from `position` on, as memory. The range must lie within the file and must not be
  /// cut away while the segment is in use. What is written by [#write] is seen through it, and the
  /// other way round. The mapping outlives [#close] and lives until it is no longer reachable.
  ///
  /// A disk that fails is an `InternalError` where the memory is read or written. So is a full one
  /// where bytes are written that [#resize] or a gap promised; write what you will map for writing
  /// with [#write] first.
  ///
  /// @throws IllegalArgumentException if the range is not within the file
  MemorySegment map(long position, long sizeBytes, boolean writable);

  @Override
  void close();
}
