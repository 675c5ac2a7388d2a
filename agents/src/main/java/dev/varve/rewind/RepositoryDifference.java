// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import dev.varve.git.RepoPath;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The difference between the checkout of a repository inside a worktree now and the checkout when
/// a snapshot was taken. A restore brings back files and leaves the checkout as it is.
///
/// @param path with a slash at the end
/// @param then the earlier checkout; null if the repository was absent
/// @param now the checkout now; null if the repository is absent
public record RepositoryDifference(RepoPath path, @Nullable Checkout then, @Nullable Checkout now) {

  /// The difference for people.
  public String words() {
    if (then == null) {
      return "was not there then; it stays, without the files that come and go";
    }
    if (now == null) {
      return "is not there now; files come back, its history does not";
    }
    return "has " + now.words() + " checked out and keeps it; then it had " + then.words();
  }

  /// The differences between two snapshots. A repository that one of the snapshots did not look
  /// into is passed over.
  static List<RepositoryDifference> between(Snapshot target, Snapshot now) {
    List<RepositoryDifference> differences = new ArrayList<>();
    SnapshotMetadata then = target.metadata().orElse(null);
    SnapshotMetadata today = now.metadata().orElse(null);
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
