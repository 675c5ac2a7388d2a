// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.blobs;

import dev.varve.StoreException;
import dev.varve.jp.files.FlockFile;
import dev.varve.jp.files.RealFiles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/// Keeps a sweep and those who write references apart: writers share `blobs/.lock`, the sweep has
/// it alone for the moment in which it takes blobs away. The file is never deleted.
public final class BlobLock {

  private static final Duration RETRY = Duration.ofMillis(20);

  private BlobLock() {}

  /// The file that is locked.
  public static Path file(Path blobs) {
    return blobs.resolve(HousekeepingNames.LOCK);
  }

  /// Takes the lock, waiting at most `patience`. Makes `blobs/` if it is absent.
  ///
  /// @throws StoreException.Busy if another process held it all the while
  public static FlockFile take(Path blobs, FlockFile.Kind kind, Duration patience) {
    if (RealFiles.makeFolder(blobs)) {
      ignore(blobs);
    }
    long deadlineNanos = System.nanoTime() + patience.toNanos();
    while (true) {
      Optional<FlockFile> lock = FlockFile.tryLock(file(blobs), kind);
      if (lock.isPresent()) {
        return lock.get();
      }
      if (System.nanoTime() >= deadlineNanos) {
        throw new StoreException.Busy(
            blobs.toString(),
            kind == FlockFile.Kind.EXCLUSIVE
                ? "a process that writes references"
                : "a process that sweeps");
      }
      LockSupport.parkNanos(RETRY.toNanos());
    }
  }

  /// Blobs belong into version control, locks and trash do not.
  private static void ignore(Path blobs) {
    Path file = blobs.resolve(HousekeepingNames.IGNORE);
    if (RealFiles.look(file).isEmpty()) {
      RealFiles.writeNew(file, "/.lock\n/.trash/\n*.part\n".getBytes(StandardCharsets.US_ASCII));
    }
  }
}
