// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// The users who may read and write a new file or folder.
public enum FileAccess {

  /// The process's umask decides, as for any file that the user makes.
  AS_USUAL,

  /// The owner only, from the first moment on, where the file system knows owners.
  OWNER_ONLY;

  private static final Set<PosixFilePermission> OWNER =
      PosixFilePermissions.fromString("rwx------");

  /// The access to a new file in a folder: the owner's only, if nobody else may enter the folder.
  public static FileAccess withinFolder(Path folder) {
    try {
      return LocalDisk.isPosix(folder) && OWNER.containsAll(Files.getPosixFilePermissions(folder))
          ? OWNER_ONLY
          : AS_USUAL;
    } catch (IOException e) {
      return AS_USUAL; // the write says what is wrong with the folder
    }
  }

  /// The attributes with which a file is made.
  public FileAttribute<?>[] ofFile(Path file) {
    return attributes(file, "rw-------");
  }

  FileAttribute<?>[] ofFolder(Path folder) {
    return attributes(folder, "rwx------");
  }

  /// Makes a folder, and the folders above it, as far as they are absent.
  ///
  /// @return the folder
  public Path makeFolders(Path folder) throws IOException {
    return Files.createDirectories(folder, ofFolder(folder));
  }

  private FileAttribute<?>[] attributes(Path path, String permissions) {
    return this == OWNER_ONLY && LocalDisk.isPosix(path)
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }
}
