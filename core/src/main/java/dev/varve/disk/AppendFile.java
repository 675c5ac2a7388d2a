// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

import dev.varve.StoreException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A file to which records are appended, and which is read through mapped windows while it grows.
///
/// The file on the disk is longer than what is in it: it grows in steps (see [FileGrowth]), whose
/// bytes are zeros that take no space yet. The *end* is where the records end; the owner finds it
/// when it opens the file, moves it, and tells its readers.
///
/// One thread writes; any number read, without a lock, what lies before an end that was published
/// to them. Windows are mapped when first read, and mapped again once the file has grown past what
/// is mapped. A window that was replaced lives until nobody holds memory of it.
public final class AppendFile implements AutoCloseable {

  private static final MemorySegment[] NONE = {};

  private final DiskFile file;
  private final SharedForce forcing;
  private final FileGrowth growth;
  private final int windowShift;

  /// Guards mapping and what must not happen during it: cutting and closing. Readers take it to
  /// map, the writer to change the file's size.
  private final ReentrantLock mapping = new ReentrantLock();

  /// The windows by number, null or too short where not mapped yet. The array is never changed,
  /// only replaced, under `mapping`.
  private volatile @Nullable MemorySegment[] windows = NONE;

  /// The file's size. Changed under `mapping`.
  private volatile long sizeBytes;

  /// Up to where there is something to read: the end, or beyond it what the writer has written but
  /// not published. Never over `sizeBytes`; -1 once closed. Changed by the writer.
  private volatile long readableBytes;

  /// Changed by the writer.
  private volatile long endBytes;

  private AppendFile(DiskFile file, long endBytes, long sizeBytes, FileGrowth growth) {
    this.file = file;
    this.forcing = new SharedForce(file);
    this.growth = growth;
    this.windowShift = Long.numberOfTrailingZeros(growth.windowBytes());
    this.endBytes = endBytes;
    this.readableBytes = endBytes;
    this.sizeBytes = sizeBytes;
  }

  /// Opens a file, creating it if it is absent, with its end at its size: what follows the last
  /// record is not known yet.
  public static AppendFile open(Disk disk, String name, FileGrowth growth) {
    DiskFile file = disk.open(name);
    long sizeBytes = file.sizeBytes();
    return new AppendFile(file, sizeBytes, sizeBytes, growth);
  }

  /// Opens a file, creating it if it is absent, whose records are known to end at `endBytes`.
  ///
  /// @throws IllegalArgumentException if the file is shorter than that
  public static AppendFile open(Disk disk, String name, long endBytes, FileGrowth growth) {
    DiskFile file = disk.open(name);
    long sizeBytes = file.sizeBytes();
    if (endBytes < 0 || endBytes > sizeBytes) {
      file.close();
      throw new IllegalArgumentException(
          "end at byte " + endBytes + " of " + name + ", which has " + sizeBytes);
    }
    return new AppendFile(file, endBytes, sizeBytes, growth);
  }

  public String name() {
    return file.name();
  }

  /// Where the records end.
  public long endBytes() {
    return endBytes;
  }

  /// Up to where [#at] may read: the end, or beyond it what was written but not published, or stood
  /// there at opening.
  public long readableBytes() {
    return readableBytes;
  }

  /// Moves the end, forwards over what was written, or back. Bytes behind it stay until they are
  /// overwritten or [#truncateToEnd] cuts them.
  ///
  /// @throws IllegalArgumentException if nothing was written that far
  public void end(long position) {
    if (position < 0 || position > readableBytes) {
      throw new IllegalArgumentException(
          "end at byte " + position + " of " + name() + ", written up to " + readableBytes);
    }
    endBytes = position;
  }

  /// Writes all that remains of `source`, growing the file as needed. Does not move the end:
  /// readers see nothing new before the owner does so.
  ///
  /// @throws StoreException.Full if there is no room; what was there before the end is untouched
  public void write(long position, ByteBuffer source) {
    checkOpen();
    if (position < 0) {
      throw new IllegalArgumentException("position " + position);
    }
    long upTo = Math.addExact(position, source.remaining());
    if (upTo > sizeBytes) {
      resize(growth.grown(sizeBytes, upTo));
    }
    file.write(position, source);
    if (upTo > readableBytes) {
      readableBytes = upTo;
    }
  }

  /// Exactly the `length` bytes from `position` on, read-only; they are what the file has there for
  /// as long as the segment is held. The end may be passed, up to what was written. A range in two
  /// windows is copied.
  ///
  /// A disk that fails while mapped memory is read shows as an `InternalError` where it is read;
  /// [#read] translates it.
  ///
  /// @throws IllegalArgumentException if the range is not within what was written
  public MemorySegment at(long position, int length) {
    if (position < 0 || length < 0 || length > readableBytes - position) {
      throw outside(position, length);
    }
    int window = (int) (position >>> windowShift);
    long offset = position & (growth.windowBytes() - 1);
    if (length > growth.windowBytes() - offset) {
      return copy(position, length);
    }
    MemorySegment[] mapped = windows;
    MemorySegment segment = window < mapped.length ? mapped[window] : null;
    if (segment == null || segment.byteSize() - offset < length) {
      segment = map(window, offset + length);
    }
    return segment.asSlice(offset, length);
  }

  /// Hands the bytes of [#at] to `use`, and returns what it makes of them.
  ///
  /// @throws StoreException.Io if the disk fails while `use` reads them
  public <R> R read(long position, int length, Function<? super MemorySegment, ? extends R> use) {
    try {
      return use.apply(at(position, length));
    } catch (InternalError e) {
      throw fault(position, e);
    }
  }

  /// Returns once all that was written survives a power cut. Any thread may call it.
  ///
  /// @throws StoreException.Io if that fails, or ever failed since the file was opened
  public void force() {
    forcing.force();
  }

  /// Cuts the file at the end. What lies behind is gone; nobody may be reading it.
  public void truncateToEnd() {
    checkOpen();
    readableBytes = endBytes;
    resize(endBytes);
  }

  /// Closes the file as it is. Memory that was given out stays valid. Idempotent.
  @Override
  public void close() {
    close(false);
  }

  /// Closes the file, after cutting it at the end if `trim`.
  public void close(boolean trim) {
    mapping.lock();
    try {
      if (readableBytes < 0) {
        return;
      }
      try (file) {
        if (trim && sizeBytes > endBytes) {
          truncateToEnd();
        }
      } finally {
        readableBytes = -1;
        windows = NONE;
      }
    } finally {
      mapping.unlock();
    }
  }

  private void resize(long target) {
    mapping.lock();
    try {
      file.resize(target);
      sizeBytes = target;
    } finally {
      mapping.unlock();
    }
  }

  /// Returns whether the file holds nothing but zeros from `position` to its end.
  ///
  /// Reads by a call, not through mapped memory: a hole that was never written may need a block as
  /// soon as it is mapped, and a full disk has none.
  public boolean isZeroFrom(long position) {
    ByteBuffer bytes = ByteBuffer.allocate(1 << 16);
    long end = endBytes();
    for (long at = position; at < end; ) {
      bytes.clear().limit((int) Math.min(bytes.capacity(), end - at));
      int count = file.read(at, bytes);
      if (count <= 0) {
        return true; // shorter than it was said to be: nothing stands there
      }
      for (int i = 0; i < count; i++) {
        if (bytes.get(i) != 0) {
          return false;
        }
      }
      at += count;
    }
    return true;
  }

  private MemorySegment copy(long position, int length) {
    byte[] bytes = new byte[length];
    MemorySegment whole = MemorySegment.ofArray(bytes);
    int done = 0;
    try { // around the loop: compiled code may raise the fault behind the copying
      while (done < length) {
        long offset = (position + done) & (growth.windowBytes() - 1);
        int part = (int) Math.min(length - done, growth.windowBytes() - offset);
        MemorySegment.copy(at(position + done, part), 0, whole, done, part);
        done += part;
      }
      return whole.asReadOnly();
    } catch (InternalError e) {
      throw fault(position, e);
    }
  }

  /// The window, mapped as far as the file goes, which is at least `neededBytes`.
  private MemorySegment map(int window, long neededBytes) {
    mapping.lock();
    try {
      checkOpen();
      MemorySegment[] mapped = windows;
      MemorySegment known = window < mapped.length ? mapped[window] : null;
      if (known != null && known.byteSize() >= neededBytes) {
        return known;
      }
      long start = (long) window << windowShift;
      long length = Math.min(growth.windowBytes(), sizeBytes - start);
      if (length < neededBytes) {
        throw outside(start, neededBytes);
      }
      MemorySegment fresh = file.map(start, length, false);
      MemorySegment[] next = Arrays.copyOf(mapped, Math.max(mapped.length, window + 1));
      next[window] = fresh;
      windows = next;
      return fresh;
    } finally {
      mapping.unlock();
    }
  }

  private void checkOpen() {
    if (readableBytes < 0) {
      throw new StoreException.Closed(name());
    }
  }

  private RuntimeException outside(long position, long length) {
    long readable = readableBytes;
    return readable < 0
        ? new StoreException.Closed(name())
        : new IllegalArgumentException(
            length
                + " bytes at byte "
                + position
                + " of "
                + name()
                + ", written up to "
                + readable);
  }

  private StoreException.Io fault(long position, InternalError cause) {
    return new StoreException.Io(name(), "read of mapped memory at byte " + position, cause);
  }
}
