// SPDX-License-Identifier: Apache-2.0
package dev.varve.erase;

import dev.varve.disk.LocalDisk;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The files below the folder of a store, read one after the other while the store is in use.
///
/// A file that this process has locked is left out, because closing it would free the lock. A file
/// that goes away meanwhile counts as one that was never there.
public final class FolderFiles {

  private final Path folder;
  private final Reader reader;

  private FolderFiles(Path folder, Reader reader) {
    this.folder = folder;
    this.reader = reader;
  }

  /// Reads the content of files.
  @FunctionalInterface
  public interface Reader {

    /// Reads a file.
    ///
    /// @param name the path within the folder
    void read(String name, InputStream in) throws IOException;

    /// Returns whether the content of a file matters, or that of a folder's files.
    default boolean wants(String name) {
      return true;
    }

    /// Takes note of a file or a folder that cannot be read. Ends the reading with `why` unless it
    /// is overridden.
    default void failed(String name, IOException why) throws IOException {
      throw why;
    }
  }

  /// Lets `reader` read all regular files, in the order of their paths. Links are not followed.
  public static void read(Path folder, Reader reader) throws IOException {
    FolderFiles reading = new FolderFiles(folder, reader);
    for (Path file : reading.list()) {
      reading.open(file);
    }
  }

  private List<Path> list() throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path inner, BasicFileAttributes attributes) {
            return reader.wants(name(inner))
                ? FileVisitResult.CONTINUE
                : FileVisitResult.SKIP_SUBTREE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile() && reader.wants(name(file))) {
              files.add(file);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException why) throws IOException {
            failed(file, why);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException why)
              throws IOException {
            if (why != null) {
              failed(visited, why);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    Collections.sort(files);
    return files;
  }

  private void open(Path file) throws IOException {
    if (LocalDisk.isLockedHere(file)) {
      return;
    }
    try (InputStream in = Files.newInputStream(file)) {
      reader.read(name(file), in);
    } catch (IOException e) {
      failed(file, e);
    }
  }

  private void failed(Path file, IOException why) throws IOException {
    if (!(why instanceof NoSuchFileException) || file.equals(folder)) {
      reader.failed(name(file), why);
    }
  }

  private String name(Path file) {
    return folder.relativize(file).toString();
  }
}
