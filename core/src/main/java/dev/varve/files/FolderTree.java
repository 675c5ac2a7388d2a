// SPDX-License-Identifier: Apache-2.0
package dev.varve.files;

import dev.varve.disk.DiskErrors;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/// A folder and everything in it.
public final class FolderTree {

  private FolderTree() {}

  /// Deletes a folder with everything in it, if the folder exists. Symbolic links are deleted, and
  /// their targets are not touched. A file that disappears meanwhile is not an error. Nothing is
  /// forced.
  ///
  /// @throws dev.varve.StoreException.Io if a file or folder cannot be deleted; the rest may be
  ///   gone
  public static void delete(Path folder) {
    try {
      Files.walkFileTree(
          folder,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes found)
                throws IOException {
              Files.deleteIfExists(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure)
                throws IOException {
              if (failure instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
              }
              throw failure;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path inner, @Nullable IOException failure)
                throws IOException {
              if (failure != null) {
                throw failure;
              }
              Files.deleteIfExists(inner);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw DiskErrors.of(folder, "delete with all that is in it", e);
    }
  }
}
