// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/// The folders that lead from a worktree's top to a file.
public final class FolderChecks {

  private FolderChecks() {}

  /// True if every step from `root` to the folder of `file` is a folder itself, and not a link to a
  /// folder. Steps that do not exist do not count.
  public static boolean areReal(Path root, Path file) {
    Path step = root;
    Path parent = file.getParent();
    for (Path name : root.relativize(parent == null ? root : parent)) {
      if (name.toString().isEmpty()) {
        continue;
      }
      step = step.resolve(name);
      if (Files.exists(step, LinkOption.NOFOLLOW_LINKS)
          && !Files.isDirectory(step, LinkOption.NOFOLLOW_LINKS)) {
        return false;
      }
    }
    return true;
  }

  /// True if a file is certainly absent: a step on the way to the file is absent, or is no folder.
  /// A file that may not be looked at is not gone.
  public static boolean isGone(Path root, Path file) {
    Path step = root;
    for (Path name : root.relativize(file)) {
      step = step.resolve(name);
      try {
        BasicFileAttributes attributes =
            Files.readAttributes(step, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!step.equals(file) && !attributes.isDirectory()) {
          return true;
        }
      } catch (NoSuchFileException e) {
        return true;
      } catch (IOException e) {
        return false;
      }
    }
    return false;
  }
}
