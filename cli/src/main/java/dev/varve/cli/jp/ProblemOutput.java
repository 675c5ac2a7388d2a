// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.jp;

import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.StyledLine;
import dev.varve.cli.terminal.Terminal;
import dev.varve.jp.CopyOverview;
import dev.varve.jp.EventProblem;
import java.util.List;

/// Problems of an `events.json` for people: the first few, each a line, and how many more there
/// are.
final class ProblemOutput {

  private static final int PRINTED_MAX = 5;

  private ProblemOutput() {}

  /// Prints the places that count for nothing in an overview.
  static void complain(CopyOverview overview, Terminal terminal) {
    complain(overview.copy().events().toString(), overview.problems(), terminal);
  }

  static void complain(String file, List<EventProblem> problems, Terminal terminal) {
    for (EventProblem problem : problems.subList(0, Math.min(PRINTED_MAX, problems.size()))) {
      terminal.complain(StyledLine.of(file + ":" + problem));
    }
    if (problems.size() > PRINTED_MAX) {
      terminal.complain(
          StyledLine.of(
              file + ": " + HumanText.count(problems.size() - PRINTED_MAX, "more problem")));
    }
  }
}
