// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
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
import java.nio.file.attribute.FileAttribute;
import java.util.Set;

/// One file of a [LocalDisk].
///
/// The file is opened twice. `bytes` reads, writes and forces on the callers' threads, and no
/// interrupt closes it (see [CallerRuns]). `shape` sets the size and maps the file, on a
/// [QuietThread], which `bytes` cannot do. A file of [Disk#openUncached] is opened once more, for
/// [UncachedWrites]. All channels are opened at the start, because later the name may belong to
/// another file.
final class LocalFile implements DiskFile {

  /// The bound of one transfer: Java copies memory that is not direct through a direct buffer that
  /// it keeps for each thread.
  private static final int CHUNK_BYTES = 1 << 20;

  private final String name;

  /// The path that refusals name.
  private final Path path;

  private final AsynchronousFileChannel bytes;
  private final RandomAccessFile shape;
  private final UncachedWrites uncached;
  private final boolean readOnly;
  private Runnable afterClosing = () -> {};

  private LocalFile(
      String name,
      Path path,
      AsynchronousFileChannel bytes,
      RandomAccessFile shape,
      UncachedWrites uncached,
      boolean readOnly) {
    this.name = name;
    this.path = path;
    this.bytes = bytes;
    this.shape = shape;
    this.uncached = uncached;
    this.readOnly = readOnly;
  }

  /// @param access who may read the file if it is created
  static LocalFile open(Path path, FileAccess access) {
    return open(path, path, Set.of(READ, WRITE, CREATE), false, false, access.ofFile(path));
  }

  /// A file whose whole blocks are written past the system's cache where that can be done.
  static LocalFile openUncached(Path path, FileAccess access) {
    return open(path, path, Set.of(READ, WRITE, CREATE), false, true, access.ofFile(path));
  }

  /// An existing file that is never changed. A request for a mapping to write to gets a mapping to
  /// read from.
  static LocalFile openReadOnly(Path path) {
    return open(path, path, Set.of(READ), true, false);
  }

  /// A new file that will be renamed.
  ///
  /// @param target the path of the later name, for refusals
  static LocalFile create(Path path, Path target, FileAccess access) {
    return open(path, target, Set.of(READ, WRITE, CREATE_NEW), false, false, access.ofFile(path));
  }

  private static LocalFile open(
      Path path,
      Path spoken,
      Set<StandardOpenOption> options,
      boolean readOnly,
      boolean uncached,
      FileAttribute<?>... attributes) {
    try {
      AsynchronousFileChannel bytes =
          AsynchronousFileChannel.open(path, options, CallerRuns.INSTANCE, attributes);
      try {
        String mode = readOnly ? "r" : "rw";
        return new LocalFile(
            path.getFileName().toString(),
            spoken,
            bytes,
            new RandomAccessFile(path.toFile(), mode),
            uncached ? UncachedWrites.to(path) : UncachedWrites.none(),
            readOnly);
      } catch (IOException e) {
        bytes.close();
        throw e;
      }
    } catch (IOException e) {
      throw DiskErrors.ofWrite(spoken, "open", 0, e);
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public long sizeBytes() {
    try {
      return bytes.size();
    } catch (IOException e) {
      throw DiskErrors.of(path, "size", e);
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
      throw DiskErrors.of(path, "read at byte " + (position + target.position() - start), e);
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
      throw DiskErrors.ofWrite(path, "write at byte " + at, limit - source.position(), e);
    } finally {
      source.limit(limit);
    }
  }

  /// Forces without metadata, which is cheaper. The size is forced all the same, because the bytes
  /// cannot be found without the size.
  @Override
  public void force() {
    refuseIfReadOnly();
    try {
      bytes.force(false);
    } catch (IOException e) {
      // Space that was promised when the bytes were written may be found missing only now.
      throw DiskErrors.ofWrite(path, "force", 0, e);
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
      throw DiskErrors.ofWrite(path, "resize to " + sizeBytes + " bytes", 0, e);
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
      throw DiskErrors.of(path, "map of " + sizeBytes + " bytes at byte " + position, e);
    }
  }

  @Override
  public void close() {
    try (shape;
        uncached) {
      bytes.close();
    } catch (IOException e) {
      throw DiskErrors.ofWrite(path, "close", 0, e);
    } finally {
      afterClosing.run();
    }
  }

  /// Takes a lock on the file until the file is closed, if the file system has locks.
  ///
  /// @return false if another process has the lock
  boolean lock() {
    try {
      return bytes.tryLock(LocalLock.LOCKED_BYTE, 1, false) != null;
    } catch (IOException e) {
      return true; // then no other process takes one either
    }
  }

  /// Sets an action that runs once the file is closed.
  LocalFile whenClosed(Runnable action) {
    afterClosing = action;
    return this;
  }

  private void checkOpen() {
    if (!bytes.isOpen()) {
      throw new StoreException.Closed(path.toString());
    }
  }

  private void refuseIfReadOnly() {
    if (readOnly) {
      throw DiskErrors.readOnly(path);
    }
  }

  private static void checkPosition(long position) {
    if (position < 0) {
      throw new IllegalArgumentException("position " + position);
    }
  }
}
