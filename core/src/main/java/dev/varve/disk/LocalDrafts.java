// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The drafts in a folder of the file system. Whoever writes a draft holds a lock on it, and the
/// system frees the lock when that process dies: so a draft whose lock is free has no writer.
final class LocalDrafts {

  /// The drafts that this process writes, by the files' identities. Their locks must not be tried:
  /// closing any handle of a file frees the process's locks on it.
  private static final Set<Object> WRITTEN_HERE = ConcurrentHashMap.newKeySet();

  private LocalDrafts() {}

  /// A new draft beside `target`, locked until it is closed.
  static DiskFile create(Path target, FileAccess access) {
    while (true) {
      Path path = target.resolveSibling(DraftName.next());
      LocalFile file = LocalFile.create(path, target, access);
      try {
        Object identity = LocalLock.identity(path);
        WRITTEN_HERE.add(identity);
        if (file.lock() && Files.exists(path)) {
          return file.whenClosed(() -> WRITTEN_HERE.remove(identity));
        }
        WRITTEN_HERE.remove(identity);
      } catch (NoSuchFileException e) {
        // as below
      } catch (IOException e) {
        file.close();
        throw DiskErrors.of(path, "look up", e);
      }
      file.close(); // another process took it for abandoned before it was locked
    }
  }

  /// Deletes the drafts that nobody writes. One that cannot be looked at is left where it is.
  static int deleteAbandoned(Path folder) {
    int deleted = 0;
    try (DirectoryStream<Path> drafts =
        Files.newDirectoryStream(
            folder, path -> DraftName.matches(path.getFileName().toString()))) {
      for (Path draft : drafts) {
        deleted += deleteIfAbandoned(draft) ? 1 : 0;
      }
      return deleted;
    } catch (DirectoryIteratorException e) {
      throw DiskErrors.of(folder, "list", Objects.requireNonNull(e.getCause()));
    } catch (IOException e) {
      throw DiskErrors.of(folder, "list", e);
    }
  }

  private static boolean deleteIfAbandoned(Path draft) {
    try {
      if (!Files.isRegularFile(draft, LinkOption.NOFOLLOW_LINKS)
          || WRITTEN_HERE.contains(LocalLock.identity(draft))) {
        return false;
      }
      try (AsynchronousFileChannel channel =
          AsynchronousFileChannel.open(draft, Set.of(WRITE), CallerRuns.INSTANCE)) {
        return channel.tryLock(LocalLock.LOCKED_BYTE, 1, false) != null
            && Files.deleteIfExists(draft);
      }
    } catch (IOException | OverlappingFileLockException e) {
      return false; // it belongs to somebody else, or went away
    }
  }
}
