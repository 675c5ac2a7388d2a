// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.store;

import dev.varve.CheckReport;
import dev.varve.StoreException;
import dev.varve.cli.terminal.SafeText;
import dev.varve.cli.terminal.Terminal;
import dev.varve.rewind.removal.RepositoryErasure;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The repositories of git that a receipt names, and the objects that were taken out of them.
final class PrunedRepositories {

  private PrunedRepositories() {}

  /// The objects that a repository has again, for instance because the file was still there when
  /// the next snapshot was taken. A repository that cannot be asked is named on standard error.
  static List<CheckReport.Problem> findLeft(Map<String, Set<String>> pruned, Terminal terminal) {
    List<CheckReport.Problem> left = new ArrayList<>();
    pruned.forEach(
        (repository, objects) -> {
          try {
            RepositoryErasure.at(Path.of(repository))
                .present(objects)
                .forEach(
                    id ->
                        left.add(
                            new CheckReport.Problem(
                                repository,
                                0,
                                SafeText.line(repository)
                                    + ": erased git object "
                                    + id
                                    + " is there",
                                false)));
          } catch (StoreException | InvalidPathException e) {
            terminal.say("not checked: " + SafeText.line(String.valueOf(e.getMessage())));
          }
        });
    return left;
  }
}
