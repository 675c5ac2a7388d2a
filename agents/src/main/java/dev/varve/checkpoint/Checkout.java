// SPDX-License-Identifier: Apache-2.0
package dev.varve.checkpoint;

import dev.varve.StoreException;
import dev.varve.git.RepoPath;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// What a repository inside a worktree had checked out when a snapshot was taken. It is told, and
/// never restored.
///
/// @param branch the full name of what HEAD points to, `refs/heads/main`; empty if to no branch
/// @param commit empty before the first
/// @param sparse whether git left files of it out of the worktree
/// @param excludes patterns that git ignored by in it besides `.gitignore` files, a line each
public record Checkout(String branch, String commit, boolean sparse, String excludes) {

  static final String REPOSITORY = "Repository";
  static final String SPARSE = "Sparse-In";
  static final String EXCLUDE = "Exclude-In";

  private static final String NONE = "-";
  private static final String HEADS = "refs/heads/";
  private static final int SHOWN = 12;
  private static final String COMMIT = NONE + "|[0-9a-f]{40}|[0-9a-f]{64}";

  /// For people: `main at 91b2e43a1f06`.
  public String words() {
    String name = branch.startsWith(HEADS) ? branch.substring(HEADS.length()) : branch;
    String at = commit.isEmpty() ? "no commit" : commit.substring(0, SHOWN);
    return name.isEmpty() ? at : name + " at " + at;
  }

  /// Whether the same is checked out.
  boolean isLike(Checkout other) {
    return branch.equals(other.branch) && commit.equals(other.commit);
  }

  /// Adds the lines of a snapshot's message.
  void lines(RepoPath path, StringBuilder text) {
    String place = path.escaped();
    String head = commit.isEmpty() ? NONE : commit;
    String on = branch.isEmpty() ? NONE : RepoPath.of(branch).escaped();
    Facts.line(text, REPOSITORY, head + " " + on + " " + place);
    if (sparse) {
      Facts.line(text, SPARSE, place);
    }
    excludes
        .lines()
        .forEach(
            pattern -> Facts.line(text, EXCLUDE, place + " " + RepoPath.of(pattern).escaped()));
  }

  /// Takes such lines in their order.
  static final class Lines {
    private final SortedMap<RepoPath, Checkout> found = new TreeMap<>();
    private boolean any;

    /// @throws StoreException.Invalid if a line is damaged
    void add(String name, String value) {
      any = true;
      String[] words = value.split(" ", -1);
      switch (name) {
        case REPOSITORY -> {
          demand(words.length == 3 && words[0].matches(COMMIT) && !words[2].isEmpty(), value);
          String branch = words[1].equals(NONE) ? "" : RepoPath.parse(words[1]).toString();
          String commit = words[0].equals(NONE) ? "" : words[0];
          found.put(RepoPath.parse(words[2]).asFolder(), new Checkout(branch, commit, false, ""));
        }
        case SPARSE ->
            found.computeIfPresent(
                RepoPath.parse(words[0]),
                (_, c) -> new Checkout(c.branch, c.commit, true, c.excludes));
        case EXCLUDE -> {
          demand(words.length == 2, value);
          String pattern = RepoPath.parse(words[1]) + "\n";
          found.computeIfPresent(
              RepoPath.parse(words[0]),
              (_, c) -> new Checkout(c.branch, c.commit, c.sparse, c.excludes + pattern));
        }
        default -> {} // how many there are
      }
    }

    private static void demand(boolean whole, String value) {
      if (!whole) {
        throw new StoreException.Invalid("a snapshot's facts", "of a repository: " + value);
      }
    }

    /// Empty if there were no such lines.
    Optional<SortedMap<RepoPath, Checkout>> read() {
      return any ? Optional.of(found) : Optional.empty();
    }
  }
}
