// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.folder;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.varve.StoreException;
import dev.varve.disk.DiskErrors;
import dev.varve.files.WholeFile;
import dev.varve.hash.Blake3;
import dev.varve.rewind.HomeFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// A folder that is captured, and the place of its notes: beside the store's own files.
///
/// @param root the folder, without links on the way
/// @param notes the folder for the notes about this folder alone
/// @param store the store's folder, without links on the way
record CapturedFolder(Path root, Path notes, Path store) {

  private static final String GIT = ".git";
  private static final String ROOT_FILE = "root";

  /// @param folder any folder in the one that is captured
  /// @param named the store's folder
  static CapturedFolder of(Path folder, Path named) {
    if (!Files.isDirectory(folder)) {
      throw new StoreException.NotFound("folder", folder.toString());
    }
    Path here;
    Path store;
    try {
      here = folder.toRealPath();
      store = Files.exists(named) ? named.toRealPath() : named.toAbsolutePath().normalize();
    } catch (IOException e) {
      throw new StoreException.Io(folder.toString(), "look: " + e.getMessage(), e);
    }
    Set<Path> large = tooMuch();
    for (Path step : here) {
      if (step.toString().equals(GIT)) {
        throw new StoreException.Invalid(here.toString(), "is a part of a repository of git");
      }
    }
    if (here.startsWith(store)) {
      throw new StoreException.Invalid(here.toString(), "is a part of the store");
    }
    for (Path step = here; step != null && !large.contains(step); step = step.getParent()) {
      if (Files.exists(notes(step, store).resolve(ROOT_FILE))
          || Files.exists(step.resolve(GIT), LinkOption.NOFOLLOW_LINKS)) {
        return new CapturedFolder(step, notes(step, store), store);
      }
    }
    if (large.contains(here)) {
      throw new StoreException.Invalid(
          here.toString(), "too much to be captured: expected a folder in it");
    }
    return new CapturedFolder(here, notes(here, store), store);
  }

  /// Returns whether the folder exists, and a capture into the store has named this very folder.
  static boolean wasCaptured(Path root, Path store) {
    try {
      return root.isAbsolute()
          && root.toRealPath().equals(root)
          && Files.isDirectory(root)
          && Files.exists(notes(root, store.toRealPath()).resolve(ROOT_FILE));
    } catch (IOException e) {
      return false;
    }
  }

  /// Folders that nobody means as a whole, because a restore would undo other people's work: the
  /// home folders and all folders around them, the disk, the folder of temporary files.
  private static Set<Path> tooMuch() {
    Set<Path> folders = new HashSet<>();
    for (Path home : List.of(HomeFolder.folder(), Path.of(System.getProperty("user.home", "/")))) {
      for (Path step = real(home); step != null; step = step.getParent()) {
        folders.add(step);
      }
    }
    for (String temporary : List.of(System.getProperty("java.io.tmpdir", "/tmp"), "/tmp")) {
      folders.add(real(Path.of(temporary)));
    }
    return folders;
  }

  private static Path real(Path folder) {
    try {
      return folder.toRealPath();
    } catch (IOException e) {
      return folder.toAbsolutePath().normalize();
    }
  }

  /// The folder for the notes about a folder, named by a hash of that folder's path.
  private static Path notes(Path root, Path store) {
    String name =
        Blake3.hash(SnapshotContext.escaped(root).getBytes(UTF_8)).toString().substring(0, 32);
    return store.resolve("rewind").resolve(name);
  }

  /// Records that a folder was captured. From then on, a command in any folder below works on the
  /// captured folder.
  static void remember(Path root, Path notes) {
    Path file = notes.resolve(ROOT_FILE);
    if (Files.notExists(file)) {
      try {
        Files.createDirectories(notes);
      } catch (IOException e) {
        throw DiskErrors.ofWrite(notes, "create", 0, e);
      }
      WholeFile.at(file).asItsFolder().replace(SnapshotContext.escaped(root) + "\n");
    }
  }
}
