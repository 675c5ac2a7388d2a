// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.erase;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/// The options of an erasure for snapshots that repositories of git keep.
final class GitOptions {

  @Option(
      names = "--prune-git",
      description = "Also takes snapshots with the content out of git repositories.")
  private boolean prune;

  @Option(
      names = "--repository",
      paramLabel = "DIR",
      description =
          "Looks in this repository too, beside this folder's and those of contexts. May be"
              + " repeated.")
  private List<Path> repositories = new ArrayList<>();

  boolean prunes() {
    return prune;
  }

  /// The named repositories.
  List<Path> named() {
    return repositories.stream().map(Path::toAbsolutePath).toList();
  }
}
