// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.files;

import dev.varve.StoreException;
import dev.varve.disk.DiskErrors;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A lock on a file that JP, and any program that calls `flock`, sees. The system frees it when the
/// process ends.
///
/// JP deletes lock files that nobody holds, so after locking the name is looked up again: a lock on
/// a file that has no name any more excludes nobody.
public final class FlockFile implements AutoCloseable {

  /// The kind of a lock: shared with others, or held alone.
  public enum Kind {
    SHARED,
    EXCLUSIVE
  }

  private static final int TRIES_MAX = 20;

  /// The place of the byte that Windows programs of JP's kind lock (`LockFileEx`).
  private static final long WINDOWS_BYTE = 0xffff_ffffL;

  private final Path file;
  private final int descriptor;
  private final @Nullable FileChannel channel;
  private final boolean created;

  private FlockFile(Path file, int descriptor, @Nullable FileChannel channel, boolean created) {
    this.file = file;
    this.descriptor = descriptor;
    this.channel = channel;
    this.created = created;
  }

  /// Takes the lock if nobody stands in its way; does not wait. The file is created if it is
  /// absent.
  ///
  /// @return empty if another process holds the lock
  public static Optional<FlockFile> tryLock(Path file, Kind kind) {
    for (int i = 0; i < TRIES_MAX; i++) {
      boolean created = create(file);
      Attempt attempt =
          Flock.system().isPresent()
              ? withFlock(Flock.system().get(), file, kind, created)
              : withJava(file, kind, created);
      if (attempt.decided) {
        return Optional.ofNullable(attempt.lock);
      }
    }
    throw new StoreException.Busy(file.toString(), "programs that keep deleting it");
  }

  /// @param decided whether to stop trying
  private record Attempt(boolean decided, @Nullable FlockFile lock) {}

  private static final Attempt AGAIN = new Attempt(false, null);

  private static boolean create(Path file) {
    if (RealFiles.isFile(file)) {
      return false;
    }
    try {
      Files.createFile(file);
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    } catch (IOException e) {
      throw DiskErrors.ofWrite(file, "create lock", 0, e);
    }
  }

  private static Attempt withFlock(Flock flock, Path file, Kind kind, boolean created) {
    int descriptor = flock.open(file.toString());
    if (descriptor == -2) { // ENOENT: deleted in between
      return AGAIN;
    }
    if (descriptor < 0) {
      throw refused(file, "open lock", -descriptor);
    }
    boolean held = false;
    try {
      int result = flock.lock(descriptor, kind == Kind.SHARED ? Flock.SHARED : Flock.EXCLUSIVE);
      if (result < 0) {
        throw refused(file, "lock", -result);
      }
      if (result == 1) {
        return new Attempt(true, null);
      }
      if (!isStillNamed(file, descriptor)) {
        return AGAIN;
      }
      held = true;
      return new Attempt(true, new FlockFile(file, descriptor, null, created));
    } finally {
      if (!held) {
        flock.close(descriptor);
      }
    }
  }

  /// Returns whether the name still leads to the file that was opened. Both systems show an open
  /// file below `/dev/fd`.
  private static boolean isStillNamed(Path file, int descriptor) {
    try {
      Object opened =
          Files.readAttributes(Path.of("/dev/fd/" + descriptor), BasicFileAttributes.class)
              .fileKey();
      return RealFiles.look(file).filter(now -> Objects.equals(now.fileKey(), opened)).isPresent();
    } catch (IOException e) {
      throw DiskErrors.of(file, "look up lock", e);
    }
  }

  private static Attempt withJava(Path file, Kind kind, boolean created) {
    try {
      FileChannel channel =
          FileChannel.open(
              file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
      FileLock lock = null;
      try {
        lock = channel.tryLock(WINDOWS_BYTE, 1, kind == Kind.SHARED);
        return new Attempt(true, lock == null ? null : new FlockFile(file, -1, channel, created));
      } catch (OverlappingFileLockException e) {
        return new Attempt(true, null);
      } finally {
        if (lock == null) {
          channel.close();
        }
      }
    } catch (IOException e) {
      throw DiskErrors.of(file, "lock", e);
    }
  }

  private static StoreException.Io refused(Path file, String what, int error) {
    IOException cause = new IOException("error " + error);
    return new StoreException.Io(
        file.toString(), what + ": error " + error + " of the system", cause);
  }

  /// Returns whether the file was absent before.
  public boolean created() {
    return created;
  }

  @Override
  public void close() {
    if (channel == null) {
      Flock.system().orElseThrow().close(descriptor);
      return;
    }
    try {
      channel.close();
    } catch (IOException e) {
      throw DiskErrors.of(file, "unlock", e);
    }
  }
}
