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

    /// There is no such file here, and nothing is remembered of it: the branch has no parent.
    record Missing(Path session, String parent) implements Problem {}

    /// There is one that cannot be read, and nothing is remembered of it: the branch has no parent.
    record Unreadable(Path session, String parent) implements Problem {}

    /// There is no such file, but one of the same name beside the session, which is taken for it:
    /// the folder was moved.
    record Moved(Path session, String parent, Path found) implements Problem {}

    /// There is one, but no session begins it: it is not looked into, and the branch has no parent.
    record NoSession(Path session, String parent) implements Problem {}

    /// Its parents lead back to this session: here the circle is cut.
    record Circle(Path session, String parent) implements Problem {}

    /// There is no such file any more; the parent that was remembered is taken.
    record Remembered(Path session, String parent, BlobHash branch) implements Problem {}
  }
}
