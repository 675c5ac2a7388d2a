// SPDX-License-Identifier: Apache-2.0
package dev.varve.checkpoint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/// The folders that lead from a worktree's top to a file.
final class Folders {

  private Folders() {}

  /// Whether every step from `root` to the folder of `file` is a folder itself, not a link to one.
  /// Steps that do not exist are no objection.
  static boolean areReal(Path root, Path file) {
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

  /// Whether it is certain that there is no such file: some step on the way is absent or no folder.
  /// What may not be looked at is not gone.
  static boolean isGone(Path root, Path file) {
    Path step = root;
    for (Path name : root.relativize(file)) {
      step = step.resolve(name);
      try {
        BasicFileAttributes facts =
            Files.readAttributes(step, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!step.equals(file) && !facts.isDirectory()) {
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
