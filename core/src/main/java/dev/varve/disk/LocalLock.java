// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.varve.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A lock on a file whose content names the holder. The file is left there when the lock is freed.
///
/// POSIX frees a process's lock on a file as soon as that process closes *any* of its handles of
/// that file. So what this process holds is noted in `HELD`, and a file in there is never opened
/// again.
final class LocalLock implements DiskLock {

  /// The byte that is locked. Far behind the holder's name, because on Windows nobody can read a
  /// locked byte.
  static final long LOCKED_BYTE = 1L << 30;

  private static final int HOLDER_MAX_BYTES = 400;

  /// The holders of files in this process, by the files' identities. Guarded by itself.
  private static final Map<Object, String> HELD = new HashMap<>();

  /// Handles of files that another copy of this class in this process has locked: closing one would
  /// free that lock. Guarded by `HELD`.
  private static final List<AsynchronousFileChannel> NEVER_CLOSED = new ArrayList<>();

  private final Path path;
  private final Object identity;
  private final AsynchronousFileChannel channel;

  private LocalLock(Path path, Object identity, AsynchronousFileChannel channel) {
    this.path = path;
    this.identity = identity;
    this.channel = channel;
  }

  static LocalLock take(Path path, String holder) {
    synchronized (HELD) {
      try {
        createIfAbsent(path);
        FileKind.demandRegular(path, NOFOLLOW_LINKS);
        Object identity = identity(path);
        String here = HELD.get(identity);
        if (here != null) {
          throw new StoreException.Busy(path.toString(), here);
        }
        AsynchronousFileChannel channel = lockOrRefuse(path);
        try {
          write(channel, holder.lines().findFirst().orElse(""));
        } catch (IOException e) {
          channel.close();
          throw e;
        }
        HELD.put(identity, holder);
        return new LocalLock(path, identity, channel);
      } catch (IOException e) {
        throw DiskErrors.ofWrite(path, "lock", 0, e);
      }
    }
  }

  /// A lock that readers share, on a file that may be written by nobody. Without the file there is
  /// nothing to share: nobody can lock what nobody can create.
  static DiskLock takeShared(Path path) {
    synchronized (HELD) {
      try {
        if (!Files.exists(path, NOFOLLOW_LINKS)) {
          return () -> {};
        }
        FileKind.demandRegular(path, NOFOLLOW_LINKS);
        if (isHeldHere(path)) {
          throw new StoreException.Busy(path.toString(), "this process");
        }
        AsynchronousFileChannel channel =
            AsynchronousFileChannel.open(path, Set.of(READ, NOFOLLOW_LINKS), CallerRuns.INSTANCE);
        if (channel.tryLock(LOCKED_BYTE, 1, true) == null) {
          try (channel) {
            throw new StoreException.Busy(path.toString(), read(channel));
          }
        }
        return () -> release(path, channel);
      } catch (OverlappingFileLockException _) {
        return () -> {}; // this process reads it already
      } catch (IOException e) {
        throw DiskErrors.of(path, "lock for reading", e);
      }
    }
  }

  private static void release(Path path, AsynchronousFileChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      throw DiskErrors.of(path, "unlock", e);
    }
  }

  /// Returns whether this process holds a lock on that file, which then must not be opened.
  static boolean isHeldHere(Path path) {
    synchronized (HELD) {
      try {
        return !HELD.isEmpty() && Files.exists(path) && HELD.containsKey(identity(path));
      } catch (IOException e) {
        throw DiskErrors.of(path, "look up", e);
      }
    }
  }

  @Override
  public void close() {
    synchronized (HELD) {
      if (!channel.isOpen()) {
        return;
      }
      try (channel) {
        channel.truncate(0);
      } catch (IOException e) {
        throw DiskErrors.of(path, "unlock", e);
      } finally {
        HELD.remove(identity);
      }
    }
  }

  private static AsynchronousFileChannel lockOrRefuse(Path path) throws IOException {
    AsynchronousFileChannel channel =
        AsynchronousFileChannel.open(
            path, Set.of(READ, WRITE, NOFOLLOW_LINKS), CallerRuns.INSTANCE);
    @Nullable FileLock lock = null;
    try {
      lock = channel.tryLock(LOCKED_BYTE, 1, false);
      if (lock == null) {
        throw new StoreException.Busy(path.toString(), read(channel));
      }
      return channel;
    } catch (OverlappingFileLockException _) {
      NEVER_CLOSED.add(channel);
      throw new StoreException.Busy(path.toString(), read(channel));
    } finally {
      if (lock == null && !NEVER_CLOSED.contains(channel)) {
        channel.close();
      }
    }
  }

  private static void createIfAbsent(Path path) throws IOException {
    try {
      Files.createFile(path, FileAccess.OWNER_ONLY.ofFile(path));
    } catch (FileAlreadyExistsException _) {
      // The usual case: it was left there by an earlier holder.
    }
  }

  /// Device and number of the file, so that a folder reached by two paths is still one; its path
  /// where there are none.
  static Object identity(Path path) throws IOException {
    Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    return key == null ? path.toRealPath() : key;
  }

  private static void write(AsynchronousFileChannel channel, String holder) throws IOException {
    ByteBuffer line = ByteBuffer.wrap((holder + "\n").getBytes(UTF_8));
    line.limit(Math.min(line.limit(), HOLDER_MAX_BYTES));
    channel.truncate(0);
    while (line.hasRemaining()) {
      QuietThread.await(channel.write(line, line.position()));
    }
  }

  private static String read(AsynchronousFileChannel channel) throws IOException {
    ByteBuffer line = ByteBuffer.allocate(HOLDER_MAX_BYTES);
    QuietThread.await(channel.read(line, 0));
    String text = new String(line.array(), 0, line.position(), UTF_8);
    return text.lines().findFirst().filter(first -> !first.isBlank()).orElse("another process");
  }
}
