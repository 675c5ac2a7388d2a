// SPDX-License-Identifier: Apache-2.0
package dev.varve.folder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;

/// What tells a file that was changed from one that was not, without reading it.
///
/// @param mode the kind and the permissions, as `stat` has them
record Stat(long sizeBytes, long modifiedNanos, long changedNanos, long inode, int mode) {

  private static final int KIND = 0170000;
  private static final int LINK = 0120000;
  private static final int FILE = 0100000;
  private static final int FOLDER = 0040000;
  private static final long SECOND_NANOS = 1_000_000_000L;

  /// Of the file or link itself, never of what a link leads to.
  static Stat of(Path file) throws IOException {
    if (!file.getFileSystem().supportedFileAttributeViews().contains("unix")) {
      return plain(file);
    }
    Map<String, Object> facts =
        Files.readAttributes(
            file, "unix:size,lastModifiedTime,ctime,ino,mode", LinkOption.NOFOLLOW_LINKS);
    return new Stat(
        fact(facts, "size", Long.class),
        nanos(fact(facts, "lastModifiedTime", FileTime.class)),
        nanos(fact(facts, "ctime", FileTime.class)),
        fact(facts, "ino", Long.class),
        fact(facts, "mode", Integer.class));
  }

  private static <T> T fact(Map<String, Object> facts, String name, Class<T> type) {
    return type.cast(Objects.requireNonNull(facts.get(name)));
  }

  private static Stat plain(Path file) throws IOException {
    BasicFileAttributes facts =
        Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    long modified = nanos(facts.lastModifiedTime());
    int mode =
        facts.isSymbolicLink()
            ? LINK | 0777
            : facts.isDirectory() ? FOLDER | 0755 : facts.isRegularFile() ? FILE | 0644 : 0;
    return new Stat(facts.size(), modified, modified, 0, mode);
  }

  static long nanos(FileTime time) {
    Instant instant = time.toInstant();
    return instant.getEpochSecond() * SECOND_NANOS + instant.getNano();
  }

  boolean isFile() {
    return (mode & KIND) == FILE;
  }

  boolean isLink() {
    return (mode & KIND) == LINK;
  }

  boolean isFolder() {
    return (mode & KIND) == FOLDER;
  }

  int permissions() {
    return mode & 0777;
  }

  boolean isProgram() {
    return isFile() && (mode & 0100) != 0;
  }

  /// Whether a change after `nanos` could have left all of this as it is: times are as coarse as
  /// the file system's clock. Git calls such an entry racily clean.
  boolean isTooYoung(long nanos) {
    long coarse = modifiedNanos % SECOND_NANOS == 0 ? 2 * SECOND_NANOS : 0;
    return Math.max(modifiedNanos, changedNanos) + coarse >= nanos;
  }
}
