// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.branch;

import dev.varve.BlobHash;
import java.nio.file.Path;
import java.util.List;

/// A session's branch and those of its parents.
///
/// @param rootFirst each after its parent, the session itself last; never empty
/// @param problems where the line of parents breaks off, or leads back to itself
public record BranchLineage(List<Branch> rootFirst, List<Problem> problems) {

  public BranchLineage {
    rootFirst = List.copyOf(rootFirst);
    problems = List.copyOf(problems);
  }

  /// The session's own branch.
  public Branch branch() {
    return rootFirst.getLast();
  }

  public BlobHash hash() {
    return branch().hash();
  }

  /// A problem with the parent that a session names.
  public sealed interface Problem {

    /// The session that names it.
    Path session();

    /// The parent as the session names it.
    String parent();

    /// The named file is absent and was never published here: the branch has no parent.
    record Missing(Path session, String parent) implements Problem {}

    /// The named file cannot be read and was never published here: the branch has no parent.
    record Unreadable(Path session, String parent) implements Problem {}

    /// The named file is absent, and a file of the same name beside the session is taken instead:
    /// the folder was moved.
    record Moved(Path session, String parent, Path found) implements Problem {}

    /// The named file exists but does not begin with a session header: the file is not used, and
    /// the branch has no parent.
    record NoSession(Path session, String parent) implements Problem {}

    /// The parents of the named file lead back to this session: the circle is cut here.
    record Circle(Path session, String parent) implements Problem {}

    /// The named file is absent; the branch under which the file was published is the parent.
    record Remembered(Path session, String parent, BlobHash branch) implements Problem {}
  }
}
