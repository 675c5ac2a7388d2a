// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.folder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;

/// The attributes by which a changed file is known without reading it.
///
/// @param mode the kind and the permissions, as `stat` has them
record FileStat(long sizeBytes, long modifiedNanos, long changedNanos, long inode, int mode) {

  private static final int KIND = 0170000;
  private static final int LINK = 0120000;
  private static final int FILE = 0100000;
  private static final int FOLDER = 0040000;
  private static final long SECOND_NANOS = 1_000_000_000L;

  /// Reads the attributes of the file or link itself, never of a link's target.
  static FileStat of(Path file) throws IOException {
    if (!file.getFileSystem().supportedFileAttributeViews().contains("unix")) {
      return plain(file);
    }
    Map<String, Object> attributes =
        Files.readAttributes(
            file, "unix:size,lastModifiedTime,ctime,ino,mode", LinkOption.NOFOLLOW_LINKS);
    return new FileStat(
        attribute(attributes, "size", Long.class),
        nanos(attribute(attributes, "lastModifiedTime", FileTime.class)),
        nanos(attribute(attributes, "ctime", FileTime.class)),
        attribute(attributes, "ino", Long.class),
        attribute(attributes, "mode", Integer.class));
  }

  private static <T> T attribute(Map<String, Object> attributes, String name, Class<T> type) {
    return type.cast(Objects.requireNonNull(attributes.get(name)));
  }

  private static FileStat plain(Path file) throws IOException {
    BasicFileAttributes attributes =
        Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    long modified = nanos(attributes.lastModifiedTime());
    int mode =
        attributes.isSymbolicLink()
            ? LINK | 0777
            : attributes.isDirectory()
                ? FOLDER | 0755
                : attributes.isRegularFile() ? FILE | 0644 : 0;
    return new FileStat(attributes.size(), modified, modified, 0, mode);
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

  /// True if a change after `nanos` could have left all attributes as they are: times are as coarse
  /// as the file system's clock. Git calls such an entry racily clean.
  boolean isTooYoung(long nanos) {
    long coarse = modifiedNanos % SECOND_NANOS == 0 ? 2 * SECOND_NANOS : 0;
    return Math.max(modifiedNanos, changedNanos) + coarse >= nanos;
  }
}
