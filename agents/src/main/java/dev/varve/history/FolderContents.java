// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import dev.varve.StoreException;
import dev.varve.imports.SourceFolder;
import dev.varve.imports.UnreadablePath;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

/// The files and folders in the folders of agents. A folder that does not exist has none.
///
/// While a [SessionListing] is made, a folder that cannot be read is noted there and has none
/// either, so that it hides only what is in it.
public final class FolderContents {

  /// The paths that are left out of a list, while it is made.
  static final ScopedValue<Map<Path, UnreadablePath>> LEFT_OUT = ScopedValue.newInstance();

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

  /// The files in a folder and in the folders inside, sorted. Without what cannot be read.
  ///
  /// @throws StoreException.Io if a folder that exists cannot be read
  public static List<Path> below(Path folder) {
    try {
      if (!isFolder(folder)) {
        return List.of();
      }
      SourceFolder found = SourceFolder.walk(folder, "");
      found.unreadable().stream()
          .filter(path -> !isOtherThanFolder(path.file()))
          .forEach(FolderContents::leaveOut);
      return found.files();
    } catch (IOException e) {
      refuse(folder, e);
    } catch (StoreException.Io e) {
      if (!(e.getCause() instanceof IOException cause)) {
        throw e;
      }
      refuse(folder, cause);
    }
    return List.of();
  }

  /// A socket or a dangling link, which is no place for sessions.
  private static boolean isOtherThanFolder(Path path) {
    return Files.exists(path, LinkOption.NOFOLLOW_LINKS) && !Files.isDirectory(path);
  }

  private static List<Path> list(Path folder, Predicate<Path> wanted) {
    List<Path> found = new ArrayList<>();
    try {
      if (isFolder(folder)) {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, wanted::test)) {
          entries.forEach(found::add);
        }
      }
    } catch (DirectoryIteratorException e) {
      refuse(folder, Objects.requireNonNull(e.getCause()));
    } catch (IOException e) {
      refuse(folder, e);
    }
    found.sort(null);
    return found;
  }

  /// @throws AccessDeniedException if a folder above may not be entered
  private static boolean isFolder(Path path) throws AccessDeniedException {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class).isDirectory();
    } catch (AccessDeniedException e) {
      throw e;
    } catch (IOException e) {
      return false; // absent, or something else
    }
  }

  private static void refuse(Path folder, IOException e) {
    if (!LEFT_OUT.isBound()) {
      throw new StoreException.Io(folder.toString(), "cannot be read", e);
    }
    leaveOut(new UnreadablePath(folder, UnreadablePath.reason(e)));
  }

  private static void leaveOut(UnreadablePath path) {
    if (LEFT_OUT.isBound()) {
      LEFT_OUT.get().put(path.file(), path);
    }
  }

  /// The file that was written to last; an empty path if there is none. A file that was deleted
  /// this moment, or cannot be read, counts as the oldest.
  public static Path newest(List<Path> files) {
    return files.stream()
        .max(Comparator.comparingLong(FolderContents::modifiedMs).thenComparing(file -> file))
        .orElse(Path.of(""));
  }

  private static long modifiedMs(Path file) {
    try {
      return Files.getLastModifiedTime(file).toMillis();
    } catch (IOException e) {
      return 0; // the import of the file says why
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
