// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.erase;

import dev.varve.StoreException;
import dev.varve.rewind.removal.RemovedSnapshots;
import dev.varve.rewind.removal.RepositoryErasure;
import dev.varve.rewind.removal.SnapshotHolding;
import dev.varve.rewind.removal.WantedContent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// The snapshots of one repository that an erasure is about.
///
/// @param holdings the findings in each git folder that the repository has snapshots in
record GitFinding(RepositoryErasure repository, List<SnapshotHolding> holdings) {

  /// The outcome of a removal.
  ///
  /// @param removed empty if the removal failed
  /// @param problem why it failed; empty if it did not
  record Outcome(GitFinding finding, List<RemovedSnapshots> removed, String problem) {

    String root() {
      return finding.root();
    }

    int snapshots() {
      Set<String> all = new HashSet<>();
      removed.forEach(each -> all.addAll(each.snapshots()));
      return all.size();
    }

    long objects() {
      return removed.stream().mapToLong(RemovedSnapshots::objects).sum();
    }

    /// The objects that the repository must not have any more.
    Set<String> gone() {
      Set<String> gone = new TreeSet<>();
      removed.forEach(each -> gone.addAll(each.gone()));
      removed.forEach(each -> gone.removeAll(each.staying().keySet()));
      return gone;
    }

    /// The objects that the repository still has, with the reasons.
    Map<String, String> staying() {
      Map<String, String> staying = new TreeMap<>();
      removed.forEach(each -> staying.putAll(each.staying()));
      return staying;
    }
  }

  static GitFinding in(RepositoryErasure repository, WantedContent wanted, Runnable each) {
    return new GitFinding(repository, repository.find(wanted, each));
  }

  String root() {
    return repository.root().toString();
  }

  boolean isEmpty() {
    return holdings.stream().allMatch(SnapshotHolding::isEmpty);
  }

  /// The number of snapshots, those included that were let go.
  int snapshots() {
    Set<String> all = new HashSet<>();
    for (SnapshotHolding holding : holdings) {
      all.addAll(holding.kept());
      all.addAll(holding.unkept());
    }
    return all.size();
  }

  boolean isIncomplete() {
    return holdings.stream().anyMatch(SnapshotHolding::incomplete);
  }

  boolean isBegun() {
    return holdings.stream().anyMatch(SnapshotHolding::begun);
  }

  /// The paths under which snapshots have the content.
  List<String> paths() {
    Set<String> paths = new TreeSet<>();
    holdings.forEach(holding -> paths.addAll(holding.objects().values()));
    paths.remove("");
    return new ArrayList<>(paths);
  }

  /// The places in the user's own history that have the content too, by object.
  Map<String, String> users() {
    Map<String, String> users = new TreeMap<>();
    holdings.forEach(holding -> users.putAll(holding.users()));
    return users;
  }

  /// The path of an object; the object's name if it is known under none.
  String path(String object) {
    return holdings.stream()
        .map(holding -> holding.objects().getOrDefault(object, ""))
        .filter(path -> !path.isEmpty())
        .findFirst()
        .orElse(object);
  }

  /// Takes the snapshots out.
  Outcome remove() {
    try {
      return new Outcome(this, repository.remove(holdings), "");
    } catch (StoreException e) {
      return new Outcome(this, List.of(), String.valueOf(e.getMessage()));
    }
  }
}
