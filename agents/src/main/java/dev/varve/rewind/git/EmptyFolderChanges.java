// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

import dev.varve.git.RepoPath;
import dev.varve.git.TreeChange;
import dev.varve.rewind.Snapshot;
import dev.varve.rewind.SnapshotMetadata;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// The differences between two snapshots of git, including empty folders. Folders that come or go
/// with the files in them are not listed.
final class EmptyFolderChanges {

  private final SortedMap<RepoPath, String> before;
  private final SortedMap<RepoPath, String> after;
  private final NavigableMap<RepoPath, TreeChange> changes = new TreeMap<>();

  private EmptyFolderChanges(
      SortedMap<RepoPath, String> before, SortedMap<RepoPath, String> after) {
    this.before = before;
    this.after = after;
  }

  /// @param files the differences between the trees
  /// @return in the order of the paths' bytes
  static List<TreeChange> with(List<TreeChange> files, Snapshot from, Snapshot to) {
    Optional<SortedMap<RepoPath, String>> before =
        from.metadata().flatMap(SnapshotMetadata::emptyFolders);
    Optional<SortedMap<RepoPath, String>> after =
        to.metadata().flatMap(SnapshotMetadata::emptyFolders);
    return before.isEmpty() || after.isEmpty() || before.equals(after)
        ? files
        : new EmptyFolderChanges(before.get(), after.get()).among(files);
  }

  private List<TreeChange> among(List<TreeChange> files) {
    NavigableSet<RepoPath> hadSomething = new TreeSet<>(before.keySet());
    NavigableSet<RepoPath> getsSomething = new TreeSet<>(after.keySet());
    for (TreeChange change : files) {
      changes.put(change.path(), change);
      if (change.oldMode() != 0) {
        hadSomething.add(change.path());
      }
      if (change.newMode() != 0) {
        getsSomething.add(change.path());
      }
    }
    before.forEach(
        (path, mode) -> {
          if (!after.containsKey(path) && !isBelow(getsSomething, path)) {
            put(path, mode(mode), 0);
          } else if (!mode.equals(after.getOrDefault(path, mode))) {
            put(path, mode(mode), mode(after.getOrDefault(path, mode)));
          }
        });
    after.forEach(
        (path, mode) -> {
          if (!before.containsKey(path) && !isBelow(hadSomething, path)) {
            put(path, 0, mode(mode));
          }
        });
    return List.copyOf(changes.values());
  }

  private static boolean isBelow(NavigableSet<RepoPath> paths, RepoPath folder) {
    RepoPath next = paths.ceiling(folder.asFolder());
    return next != null && next.isIn(folder);
  }

  private static int mode(String octal) {
    return TreeChange.FOLDER | Integer.parseInt(octal, 8) & 0777;
  }

  /// A folder in place of a file, or the other way round, is one change.
  private void put(RepoPath path, int oldMode, int newMode) {
    TreeChange file = changes.get(path);
    String none = file == null ? "0".repeat(40) : "0".repeat(file.oldId().length());
    changes.put(
        path,
        file == null
            ? new TreeChange(path, oldMode, newMode, none, none)
            : new TreeChange(
                path,
                oldMode | file.oldMode(),
                newMode | file.newMode(),
                oldMode == 0 ? file.oldId() : none,
                newMode == 0 ? file.newId() : none));
  }

  /// The folders among changes, a line each, as [#with] found them.
  static String lines(List<TreeChange> changes) {
    StringBuilder lines = new StringBuilder();
    for (TreeChange change : changes) {
      if (change.oldIsFolder() || change.newIsFolder()) {
        String what = !change.newIsFolder() ? "deleted" : change.oldIsFolder() ? "changed" : "made";
        lines.append("Folder ").append(what).append(": ").append(change.path()).append('\n');
      }
    }
    return lines.toString();
  }
}
