// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.removal;

import dev.varve.disk.DiskErrors;
import dev.varve.files.WholeFile;
import dev.varve.rewind.SmallFile;
import dev.varve.rewind.git.CaptureFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// The names of the objects that a removal may take out of a git folder: written before the first
/// object goes, deleted after the last. A removal that was killed may leave objects that nothing
/// leads to any more; the next removal knows their names from here.
final class RemovalJournal {

  private static final String ID = "[0-9a-f]{40}|[0-9a-f]{64}";

  private final Path file;

  /// @param folder the git folder
  RemovalJournal(Path folder) {
    this.file = folder.resolve(CaptureFolders.NAME).resolve("removal");
  }

  boolean isThere() {
    return Files.exists(file);
  }

  /// The names; none if no removal broke off. Damaged lines are passed over.
  List<String> read() {
    return SmallFile.read(file).orElse("").lines().filter(line -> line.matches(ID)).toList();
  }

  void write(Set<String> ids) {
    try {
      Files.createDirectories(file.resolveSibling(""));
    } catch (IOException e) {
      throw DiskErrors.ofWrite(file, "create", 0, e);
    }
    WholeFile.at(file).replace(String.join("\n", new TreeSet<>(ids)) + "\n");
  }

  void delete() {
    WholeFile.at(file).delete();
  }
}
