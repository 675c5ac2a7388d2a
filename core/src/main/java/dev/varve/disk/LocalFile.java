// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.varve.StoreException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/// One file of a [LocalDisk].
///
/// It is opened twice. `bytes` reads, writes and forces on the callers' threads, and no interrupt
/// closes it (see [CallerRuns]). `shape` does the two things that `bytes` cannot: it sets the size,
/// and it maps, on a [QuietThread]. A file of [Disk#openUncached] is opened once more, for
/// [UncachedWrites]. All are open from the start, because later the name may stand for another
/// file.
final class LocalFile implements DiskFile {

  /// Java copies what is not direct memory through a direct buffer that it keeps for each thread;
  /// this bounds it.
  private static final int CHUNK_BYTES = 1 << 20;

  private final Path path;
  private final AsynchronousFileChannel bytes;
  private final RandomAccessFile shape;
  private final UncachedWrites uncached;
  private final boolean readOnly;

  private LocalFile(
      Path path,
      AsynchronousFileChannel bytes,
      RandomAccessFile shape,
      UncachedWrites uncached,
      boolean readOnly) {
    this.path = path;
    this.bytes = bytes;
    this.shape = shape;
    this.uncached = uncached;
    this.readOnly = readOnly;
  }

  static LocalFile open(Path path) {
    return open(path, Set.of(READ, WRITE, CREATE), false, false);
  }

  /// A file whose whole blocks are written past the system's cache where that can be done.
  static LocalFile openUncached(Path path) {
    return open(path, Set.of(READ, WRITE, CREATE), false, true);
  }

  /// A file that is there, of which nothing changes. What asks for a mapping to write to gets one
  /// to read from.
  static LocalFile openReadOnly(Path path) {
    return open(path, Set.of(READ), true, false);
  }

  private static LocalFile open(
      Path path, Set<StandardOpenOption> options, boolean readOnly, boolean uncached) {
    try {
      AsynchronousFileChannel bytes =
          AsynchronousFileChannel.open(path, options, CallerRuns.INSTANCE);
      try {
        String mode = readOnly ? "r" : "rw";
        return new LocalFile(
            path,
            bytes,
            new RandomAccessFile(path.toFile(), mode),
            uncached ? UncachedWrites.to(path) : UncachedWrites.none(),
            readOnly);
      } catch (IOException e) {
        bytes.close();
        throw e;
      }
    } catch (IOException e) {
      throw Refusal.ofWrite(path, "open", 0, e);
    }
  }

  @Override
  public String name() {
    return path.getFileName().toString();
  }

  @Override
  public long sizeBytes() {
    try {
      return bytes.size();
    } catch (IOException e) {
      throw Refusal.of(path, "size", e);
    }
  }

  @Override
  public int read(long position, ByteBuffer target) {
    checkPosition(position);
    int start = target.position();
    int limit = target.limit();
    try {
      int count = 0;
      while (target.position() < limit && count >= 0) {
        target.limit(Math.min(limit, target.position() + CHUNK_BYTES));
        count = QuietThread.await(bytes.read(target, position + target.position() - start));
        target.limit(limit);
      }
      return target.position() - start;
    } catch (IOException e) {
      throw Refusal.of(path, "read at byte " + (position + target.position() - start), e);
    } finally {
      target.limit(limit);
    }
  }

  @Override
  public void write(long position, ByteBuffer source) {
    checkPosition(position);
    refuseIfReadOnly();
    if (uncached.write(position, source)) {
      return;
    }
    int start = source.position();
    int limit = source.limit();
    try {
      while (source.position() < limit) {
        source.limit(Math.min(limit, source.position() + CHUNK_BYTES));
        QuietThread.await(bytes.write(source, position + source.position() - start));
        source.limit(limit);
      }
    } catch (IOException e) {
      long at = position + source.position() - start;
      throw Refusal.ofWrite(path, "write at byte " + at, limit - source.position(), e);
    } finally {
      source.limit(limit);
    }
  }

  /// Without metadata, which is cheaper: the size is forced all the same, for without it the bytes
  /// cannot be found.
  @Override
  public void force() {
    refuseIfReadOnly();
    try {
      bytes.force(false);
    } catch (IOException e) {
      // Space that was promised when the bytes were written may be found missing only now.
      throw Refusal.ofWrite(path, "force", 0, e);
    }
  }

  @Override
  public void resize(long sizeBytes) {
    if (sizeBytes < 0) {
      throw new IllegalArgumentException("size " + sizeBytes);
    }
    checkOpen();
    refuseIfReadOnly();
    try {
      shape.setLength(sizeBytes);
    } catch (IOException e) {
      throw Refusal.ofWrite(path, "resize to " + sizeBytes + " bytes", 0, e);
    }
  }

  @Override
  public MemorySegment map(long position, long sizeBytes, boolean writable) {
    long fileBytes = sizeBytes();
    // The channel would silently extend the file.
    if (position < 0 || sizeBytes < 0 || sizeBytes > fileBytes - position) {
      throw new IllegalArgumentException(
          "map "
              + sizeBytes
              + " bytes at byte "
              + position
              + " of "
              + path
              + ", which has "
              + fileBytes);
    }
    try {
      MapMode mode = writable && !readOnly ? MapMode.READ_WRITE : MapMode.READ_ONLY;
      return QuietThread.run(
          () -> shape.getChannel().map(mode, position, sizeBytes, Arena.ofAuto()));
    } catch (IOException e) {
      throw Refusal.of(path, "map of " + sizeBytes + " bytes at byte " + position, e);
    }
  }

  @Override
  public void close() {
    try (shape;
        uncached) {
      bytes.close();
    } catch (IOException e) {
      throw Refusal.ofWrite(path, "close", 0, e);
    }
  }

  private void checkOpen() {
    if (!bytes.isOpen()) {
      throw new StoreException.Closed(path.toString());
    }
  }

  private void refuseIfReadOnly() {
    if (readOnly) {
      throw Refusal.readOnly(path);
    }
  }

  private static void checkPosition(long position) {
    if (position < 0) {
      throw new IllegalArgumentException("position " + position);
    }
  }
}
