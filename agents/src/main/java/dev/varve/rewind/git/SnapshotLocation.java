// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

import dev.varve.StoreException;
import dev.varve.files.WholeFile;
import dev.varve.rewind.SmallFile;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/// The place of a repository's snapshots: the repository itself, unless a line of the file
/// `varve-rewind/outside` in its git folder names an [ExternalRepository].
final class SnapshotLocation {

  /// The folder in a git folder that holds everything of rewinding beside refs and objects.
  static final String FOLDER = "varve-rewind";

  private static final String FILE = "outside";

  private SnapshotLocation() {}

  private static Path file(Path commonFolder) {
    return commonFolder.resolve(FOLDER).resolve(FILE);
  }

  /// The git folder of the external repository; empty if the repository keeps its snapshots itself.
  ///
  /// @throws StoreException.NotFound if the folder that the line names is gone
  static Optional<Path> external(Path commonFolder) {
    Optional<String> line = SmallFile.read(file(commonFolder)).map(String::strip);
    if (line.isEmpty()) {
      return Optional.empty();
    }
    try {
      Path folder = Path.of(line.get());
      if (folder.isAbsolute() && Files.isDirectory(folder.resolve("objects"))) {
        return Optional.of(folder);
      }
    } catch (InvalidPathException e) {
      // The line names no folder at all.
    }
    throw new StoreException.NotFound("repository of the snapshots", line.get());
  }

  /// Declares that the snapshots are in `folder` from now on; durable on return.
  static void write(Path commonFolder, Path folder) {
    WholeFile.at(file(commonFolder)).replace(folder + "\n");
  }
}
