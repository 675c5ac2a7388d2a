// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/// The properties of a file by which a change is noticed without reading the file.
///
/// @param modifiedNs the time of the last write, in nanoseconds since 1970
/// @param changedNs the time of the last change of content, name or permissions; 0 where the file
///   system does not say
/// @param inode the file's number; 0 where the file system has none
/// @param mode the permissions, as POSIX numbers them; 0 where the file system has none
public record FileStamp(long sizeBytes, long modifiedNs, long changedNs, long inode, int mode) {

  /// A file that was written to within so short a time may be written to again without a new time.
  private static final long RACY_NS = TimeUnit.SECONDS.toNanos(1);

  static FileStamp of(Path file) throws IOException {
    BasicFileAttributes basic = Files.readAttributes(file, BasicFileAttributes.class);
    if (!basic.isRegularFile()) {
      throw new IOException(file + ": expected a regular file"); // a pipe would be waited for
    }
    long modified = nanoseconds(basic.lastModifiedTime());
    if (!file.getFileSystem().supportedFileAttributeViews().contains("unix")) {
      return new FileStamp(basic.size(), modified, 0, 0, 0);
    }
    var unix = Files.readAttributes(file, "unix:ctime,ino,mode");
    return new FileStamp(
        basic.size(),
        modified,
        unix.get("ctime") instanceof FileTime changed ? nanoseconds(changed) : 0,
        unix.get("ino") instanceof Number inode ? inode.longValue() : 0,
        unix.get("mode") instanceof Number mode ? mode.intValue() & 0xFFF : 0);
  }

  /// Decides whether a later change would surely have another stamp.
  boolean isSettled(Instant now) {
    long nowNs = nanoseconds(FileTime.from(now));
    return nowNs - Math.max(modifiedNs, changedNs) > RACY_NS;
  }

  private static long nanoseconds(FileTime time) {
    return time.to(TimeUnit.NANOSECONDS);
  }

  /// The stamp as text, for a comparison.
  String text() {
    return sizeBytes + " " + modifiedNs + " " + changedNs + " " + inode + " " + mode;
  }
}
