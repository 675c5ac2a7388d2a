// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.pi;

import dev.varve.cli.terminal.Terminal;
import dev.varve.pi.branch.BranchLineage;
import dev.varve.pi.branch.BranchLineage.Problem;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Describes problems with the parents of sessions to a person, each once: several sessions that a
/// command is about may have the ancestor in common that has the problem.
final class PiProblems {

  private final Terminal terminal;
  private final Set<Problem> said = new HashSet<>();

  PiProblems(Terminal terminal) {
    this.terminal = terminal;
  }

  /// Prints the problems of a lineage that were not printed yet. Long paths are cut to the names of
  /// their files, and each name has a line, so that the lines fit a terminal.
  void say(BranchLineage lineage) {
    for (Problem problem : lineage.problems()) {
      if (said.add(problem)) {
        List.of(
                problem.session().getFileName() + ":",
                "  its parent " + problem.parent().replaceFirst(".*[/\\\\]", ""),
                "  " + what(problem))
            .forEach(terminal::say);
      }
    }
  }

  /// The problem in one sentence, with whole paths.
  static String sentence(Problem problem) {
    return problem.session() + ": its parent " + problem.parent() + " " + what(problem);
  }

  private static String what(Problem problem) {
    return switch (problem) {
      case Problem.Missing _ -> "is not here: published without a parent";
      case Problem.Unreadable _ -> "cannot be read: published without a parent";
      case Problem.Moved moved ->
          "is not there; taken from beside it: " + moved.found().getFileName();
      case Problem.NoSession _ -> "is no session: published without a parent";
      case Problem.Circle _ -> "leads back to it: the circle is cut here";
      case Problem.Remembered remembered -> "is not here; it was branch " + remembered.branch();
    };
  }
}
