// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import dev.varve.disk.DiskErrors;
import dev.varve.files.WholeFile;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Short notes that users of snapshots keep beside a worktree's index, and read beside those of all
/// worktrees of a repository. They outlive the process, not always a power cut.
public final class SideNotes {

  private static final String NAME = "[0-9a-z][0-9a-z.-]{0,99}";

  private final SnapshotArchive archive;
  private final Path folder;

  /// @param group which kind of notes: the name of a folder
  SideNotes(SnapshotArchive archive, String group) {
    this.archive = archive;
    this.folder = archive.folder().resolve(demandName(group));
  }

  private static String demandName(String name) {
    if (!name.matches(NAME)) {
      throw new IllegalArgumentException("no name of a note: " + name);
    }
    return name;
  }

  public void put(String name, String text) {
    Path file = folder.resolve(demandName(name));
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw DiskErrors.ofWrite(folder, "create", 0, e);
    }
    WholeFile.at(file).asItsFolder().replaceSoon(text);
  }

  public Optional<String> get(String name) {
    return SmallFile.read(folder.resolve(demandName(name)));
  }

  public void delete(String name) {
    try {
      Files.deleteIfExists(folder.resolve(demandName(name)));
    } catch (IOException e) {
      throw DiskErrors.of(folder.resolve(name), "delete", e);
    }
  }

  /// The notes of this group in all worktrees of the repository.
  public List<String> everywhere() {
    List<String> texts = new ArrayList<>();
    for (Path shadow : archive.folders()) {
      try (DirectoryStream<Path> files =
          Files.newDirectoryStream(shadow.resolve(folder.getFileName()))) {
        for (Path file : files) {
          if (file.getFileName().toString().matches(NAME)) {
            SmallFile.read(file).ifPresent(texts::add);
          }
        }
      } catch (NoSuchFileException e) {
        // none here
      } catch (IOException e) {
        throw DiskErrors.of(shadow, "list", e);
      }
    }
    return texts;
  }
}
