// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.branch;

import dev.varve.BlobHash;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// An entry of the branch index, with the present state of the named file.
///
/// @param path as the index has it
/// @param file the state of the file at the path
public record IndexedBranch(BlobHash hash, String path, Found file) {

  /// The content of the place that the index names.
  public sealed interface Found {

    /// A file. Whether it grew since is not looked into.
    record Here() implements Found {}

    /// The named file is absent; a session file of the same name exists elsewhere.
    record Moved(Path to) implements Found {}

    /// The named file is absent.
    record Gone() implements Found {}
  }

  /// All entries, the last published last.
  ///
  /// @param sessions where moved files are looked for, by their names, which have the session's id
  public static List<IndexedBranch> all(BranchIndex index, AgentFolder sessions) {
    List<IndexedBranch> all = new ArrayList<>();
    Map<String, Path> byName = new HashMap<>();
    index
        .read()
        .forEach(
            (hash, path) -> {
              if (exists(path)) {
                all.add(new IndexedBranch(hash, path, new Found.Here()));
                return;
              }
              if (byName.isEmpty()) {
                sessions.all().files().forEach(file -> byName.put(name(file), file));
              }
              Optional<Path> moved = file(path).map(file -> byName.get(name(file)));
              all.add(
                  new IndexedBranch(
                      hash, path, moved.<Found>map(Found.Moved::new).orElseGet(Found.Gone::new)));
            });
    return all;
  }

  private static boolean exists(String path) {
    return file(path).filter(Files::exists).isPresent();
  }

  private static Optional<Path> file(String path) {
    try {
      return Optional.of(Path.of(path)).filter(Path::isAbsolute);
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName());
  }
}
