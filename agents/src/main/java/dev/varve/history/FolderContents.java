// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import dev.varve.StoreException;
import dev.varve.imports.SourceFolder;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/// The files and folders in the folders of agents. A folder that does not exist has none.
public final class FolderContents {

  private FolderContents() {}

  /// The folders right in a folder, sorted.
  ///
  /// @throws StoreException.Io if a folder that exists cannot be read
  public static List<Path> folders(Path folder) {
    return list(folder, Files::isDirectory);
  }

  /// The files right in a folder, sorted.
  ///
  /// @throws StoreException.Io if a folder that exists cannot be read
  public static List<Path> files(Path folder) {
    return list(folder, path -> !Files.isDirectory(path));
  }

  /// The files in a folder and in the folders inside, sorted.
  ///
  /// @throws StoreException.Io if a folder that exists cannot be read
  public static List<Path> below(Path folder) {
    return Files.isDirectory(folder) ? SourceFolder.walk(folder, "").files() : List.of();
  }

  private static List<Path> list(Path folder, Predicate<Path> wanted) {
    List<Path> found = new ArrayList<>();
    if (Files.isDirectory(folder)) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, wanted::test)) {
        entries.forEach(found::add);
      } catch (IOException e) {
        throw new StoreException.Io(folder.toString(), "cannot be read", e);
      }
    }
    found.sort(null);
    return found;
  }

  /// The file that was written to last; an empty path if there is none.
  ///
  /// @throws StoreException.Io if a file cannot be read
  public static Path newest(List<Path> files) {
    return files.stream()
        .max(Comparator.comparingLong(FolderContents::modifiedMs).thenComparing(file -> file))
        .orElse(Path.of(""));
  }

  private static long modifiedMs(Path file) {
    try {
      return Files.getLastModifiedTime(file).toMillis();
    } catch (NoSuchFileException e) {
      return 0; // deleted since the folder was listed
    } catch (IOException e) {
      throw new StoreException.Io(file.toString(), "cannot be read", e);
    }
  }

  /// The folder of a file; the root for the root.
  public static Path parent(Path path) {
    Path parent = path.getParent();
    return parent == null ? path : parent;
  }

  /// The last part of a path; empty for the root.
  public static String name(Path path) {
    return path.getNameCount() == 0 ? "" : path.getFileName().toString();
  }
}
