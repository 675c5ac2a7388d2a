// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.pi;

import dev.varve.pi.branch.BranchLineage.Problem;

/// Describes a problem with a session's parent, in a sentence.
final class PiProblems {

  private PiProblems() {}

  static String sentence(Problem problem) {
    String parent = "its parent " + problem.parent();
    String what =
        switch (problem) {
          case Problem.Missing _ -> parent + " is not here: published without a parent";
          case Problem.Unreadable _ -> parent + " cannot be read: published without a parent";
          case Problem.Moved moved ->
              parent + " is not there; taken from beside it: " + moved.found().getFileName();
          case Problem.NoSession _ -> parent + " is no session: published without a parent";
          case Problem.Circle _ -> parent + " leads back to it: the circle is cut here";
          case Problem.Remembered remembered ->
              parent + " is not here; it was branch " + remembered.branch();
        };
    return problem.session() + ": " + what;
  }
}
