// SPDX-License-Identifier: Apache-2.0
package dev.varve.checkpoint;

import dev.varve.git.RepoPath;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// That a repository inside a worktree is not as it was when a snapshot was taken. A restore brings
/// back files, and leaves this as it is.
///
/// @param path with a slash at the end
/// @param then what was checked out; null if it was not there
/// @param now what is checked out; null if it is not there
public record RepositoryDifference(RepoPath path, @Nullable Checkout then, @Nullable Checkout now) {

  /// For people.
  public String words() {
    if (then == null) {
      return "was not there then; it stays, without the files that come and go";
    }
    if (now == null) {
      return "is not there now; files come back, its history does not";
    }
    return "has " + now.words() + " checked out and keeps it; then it had " + then.words();
  }

  /// Of a repository that one of the two did not look into nothing is known.
  static List<RepositoryDifference> between(Snapshot target, Snapshot now) {
    List<RepositoryDifference> differences = new ArrayList<>();
    Facts then = target.facts().orElse(null);
    Facts today = now.facts().orElse(null);
    if (then == null
        || today == null
        || then.repositories().isEmpty()
        || today.repositories().isEmpty()) {
      return differences;
    }
    TreeSet<RepoPath> paths = new TreeSet<>(then.inner().keySet());
    paths.addAll(today.inner().keySet());
    for (RepoPath path : paths) {
      Checkout was = then.inner().get(path);
      Checkout is = today.inner().get(path);
      boolean like = was != null && is != null && was.isLike(is);
      boolean unknown =
          was == null && then.leftOut(path).isPresent()
              || is == null && today.leftOut(path).isPresent();
      if (!like && !unknown) {
        differences.add(new RepositoryDifference(path, was, is));
      }
    }
    return differences;
  }
}
