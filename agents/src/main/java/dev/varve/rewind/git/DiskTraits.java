// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

import dev.varve.disk.DiskErrors;
import dev.varve.rewind.Permissions;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;

/// Properties of the disk that a worktree is on, found by trying. The settings of git that claim
/// the same (`core.ignorecase`, `core.symlinks`, `core.filemode`) are not read: they were true
/// where the repository was made, and are copied along to other disks.
final class DiskTraits {

  private static final String GIT = ".git";
  private static final String HEAD = "HEAD";
  private static final String PROBE = "disk-probe";

  private DiskTraits() {}

  /// True if names that differ by case alone name the same file. Writes nothing.
  ///
  /// @param root the worktree's top
  /// @param gitFolder its git folder, asked where the worktree has no entry `.git`
  static boolean foldsCase(Path root, Path gitFolder) {
    Path link = root.resolve(GIT);
    return Files.exists(link, LinkOption.NOFOLLOW_LINKS)
        ? isSame(link, root.resolve(GIT.toUpperCase(java.util.Locale.ROOT)))
        : isSame(gitFolder.resolve(HEAD), gitFolder.resolve("head"));
  }

  private static boolean isSame(Path one, Path other) {
    try {
      return Files.exists(other, LinkOption.NOFOLLOW_LINKS) && Files.isSameFile(one, other);
    } catch (IOException e) {
      return false;
    }
  }

  /// True if a file can be marked as a program and as no program.
  ///
  /// @param folder of our own, on the worktree's disk
  static boolean keepsPrograms(Path folder) {
    Path probe = folder.resolve(PROBE);
    if (!Permissions.areKnownIn(folder)) {
      return false;
    }
    try {
      Files.deleteIfExists(probe);
      Files.createFile(probe);
      boolean keeps = isKept(probe, "rwx------") && isKept(probe, "rw-------");
      Files.delete(probe);
      return keeps;
    } catch (IOException e) {
      throw DiskErrors.of(probe, "write", e);
    }
  }

  private static boolean isKept(Path file, String permissions) throws IOException {
    try {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    } catch (FileSystemException e) {
      return false;
    }
    return Files.getPosixFilePermissions(file).contains(PosixFilePermission.OWNER_EXECUTE)
        == permissions.contains("x");
  }

  /// True if symbolic links can be made.
  ///
  /// @param folder of our own, on the worktree's disk
  static boolean hasLinks(Path folder) {
    Path probe = folder.resolve(PROBE);
    try {
      Files.deleteIfExists(probe);
      try {
        Files.createSymbolicLink(probe, Path.of("nothing"));
      } catch (FileSystemException | UnsupportedOperationException e) {
        return false;
      }
      boolean isLink = Files.isSymbolicLink(probe);
      Files.delete(probe);
      return isLink;
    } catch (IOException e) {
      throw DiskErrors.of(probe, "write", e);
    }
  }

  /// True if two folders are on one disk, so that a property found in one holds in the other.
  static boolean areOnOneDisk(Path one, Path other) {
    try {
      return Files.getFileStore(one).equals(Files.getFileStore(other));
    } catch (IOException e) {
      return false;
    }
  }
}
