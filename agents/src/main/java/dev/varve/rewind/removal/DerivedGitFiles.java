// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.removal;

import dev.varve.git.Git;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/// The files in a git folder that git makes from objects and packs, and that name some of them.
final class DerivedGitFiles {

  private final Git git;
  private final Path info;

  DerivedGitFiles(Git git, Path folder) {
    this.git = git;
    this.info = folder.resolve("objects").resolve("info");
  }

  /// Makes the files again that are there. Git does without them, so that a failure is none.
  void renew() {
    Path graph = info.resolve("commit-graph");
    Path chain = info.resolve("commit-graphs");
    if (Files.exists(graph) || Files.exists(chain)) {
      delete(graph);
      try (DirectoryStream<Path> files = Files.newDirectoryStream(chain)) {
        files.forEach(DerivedGitFiles::delete);
      } catch (IOException e) {
        // no chain
      }
      git.tryRun(new byte[0], "commit-graph", "write", "--reachable", "--no-progress");
    }
    if (Files.exists(info.resolve("packs"))) {
      git.tryRun(new byte[0], "update-server-info");
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // git reports it
    }
  }
}
