// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import static java.util.Objects.requireNonNull;

import dev.varve.git.ChangedWhileRead;
import dev.varve.git.LooseObjects;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/// Reads a file that somebody may be writing to: a program's log, a build that runs beside the
/// agent, another agent.
///
/// The bytes that are taken are those that the file held at one moment: the file was the same
/// before and after the reading, or it only grew and its beginning stayed. If no such moment comes
/// within a few tries, nothing is taken.
public final class SteadyFile {

  private static final int TRIES = 7;
  private static final long PAUSE_NANOS = 500_000;

  private SteadyFile() {}

  /// The attributes that must not change while a file is read.
  public record Look(long sizeBytes, Object file, Object changedAt) {

    public static Look at(Path file) throws IOException {
      boolean unix = file.getFileSystem().supportedFileAttributeViews().contains("unix");
      Map<String, Object> seen =
          Files.readAttributes(
              file,
              unix ? "unix:size,ino,ctime" : "size,creationTime,lastModifiedTime",
              LinkOption.NOFOLLOW_LINKS);
      return new Look(
          (long) requireNonNull(seen.get("size")),
          requireNonNull(seen.get(unix ? "ino" : "creationTime")),
          requireNonNull(seen.get(unix ? "ctime" : "lastModifiedTime")));
    }

    boolean grewTo(Look after) {
      return file.equals(after.file) && sizeBytes <= after.sizeBytes;
    }
  }

  /// One reading of the first bytes of a file.
  @FunctionalInterface
  public interface Reading<T> {
    /// Reads the first bytes.
    ///
    /// @return a value that is equal if the bytes are the same
    /// @throws ChangedWhileRead if there are fewer bytes by now
    T read(long sizeBytes) throws IOException;
  }

  /// Reads a file until it holds still.
  ///
  /// @return empty if the file changes all the time
  /// @throws IOException if it cannot be read, or is not there
  public static <T> Optional<T> read(Path file, Reading<T> reading) throws IOException {
    for (int i = 1; ; i++) {
      Look before = Look.at(file);
      try {
        T found = reading.read(before.sizeBytes);
        Look after = Look.at(file);
        if (after.equals(before)
            || i == TRIES && before.grewTo(after) && reading.read(before.sizeBytes).equals(found)) {
          return Optional.of(found);
        }
      } catch (ChangedWhileRead e) {
        // once more
      }
      if (i == TRIES) {
        return Optional.empty();
      }
      LockSupport.parkNanos(PAUSE_NANOS << i);
    }
  }

  /// Writes a file's content as a blob, to appear with the next [LooseObjects#settle].
  ///
  /// @param bytesMax a larger file is not written
  /// @return the blob's id; empty if the file changes all the time, or became too large
  /// @throws IOException if it cannot be read, or is not there
  public static Optional<String> blob(LooseObjects objects, Path file, long bytesMax)
      throws IOException {
    return read(
        file,
        sizeBytes -> {
          if (sizeBytes > bytesMax) {
            throw new ChangedWhileRead(file);
          }
          return objects.writeFile(file, sizeBytes);
        });
  }
}
