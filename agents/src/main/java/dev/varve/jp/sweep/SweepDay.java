// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.sweep;

import dev.varve.disk.DiskErrors;
import dev.varve.jp.blobs.BlobLock;
import dev.varve.jp.files.FileState;
import dev.varve.jp.files.FlockFile;
import dev.varve.jp.files.RealFiles;
import dev.varve.jp.place.WorkspaceRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.InstantSource;

/// The time at which a root was last swept to the end: the time of its lock file.
public final class SweepDay {

  private SweepDay() {}

  /// Returns whether that was less than `every` ago. A root without blobs has nothing to sweep.
  public static boolean isRecent(WorkspaceRoot root, Duration every, InstantSource clock) {
    if (!RealFiles.isFolder(root.blobs())) {
      return true;
    }
    return FileState.of(BlobLock.file(root.blobs()))
        .filter(s -> s.modified().toInstant().isAfter(clock.instant().minus(every)))
        .isPresent();
  }

  /// Notes that it was swept just now.
  public static void note(WorkspaceRoot root, InstantSource clock) {
    Path file = BlobLock.file(root.blobs());
    try {
      if (RealFiles.isFolder(root.blobs())) {
        if (!RealFiles.isFile(file)) {
          BlobLock.take(root.blobs(), FlockFile.Kind.SHARED, Duration.ZERO).close(); // makes it
        }
        Files.setLastModifiedTime(file, FileTime.from(clock.instant()));
      }
    } catch (IOException e) {
      throw DiskErrors.of(file, "note the sweep", e);
    }
  }
}
