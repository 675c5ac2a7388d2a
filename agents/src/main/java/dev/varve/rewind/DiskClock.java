// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import dev.varve.disk.DiskErrors;
import dev.varve.disk.FileAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;

/// The clock that stamps the files of a disk. Only its own stamps compare with those of other
/// files; the clock of the process may be ahead of it, or behind.
public final class DiskClock {

  private static final String PROBE = "probe";

  private DiskClock() {}

  /// The time now on the disk of a folder, where a file is left behind.
  ///
  /// @throws dev.varve.StoreException.Io if the folder cannot be written
  public static FileTime now(Path folder) {
    Path probe = folder.resolve(PROBE);
    try {
      if (Files.notExists(probe)) {
        Files.createFile(probe, FileAccess.withinFolder(folder).ofFile(probe));
      }
      Files.writeString(probe, "");
      return Permissions.areKnownIn(probe)
          ? (FileTime) Files.getAttribute(probe, "unix:ctime", LinkOption.NOFOLLOW_LINKS)
          : Files.getLastModifiedTime(probe);
    } catch (IOException e) {
      throw DiskErrors.ofWrite(probe, "write", 0, e);
    }
  }
}
