// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import dev.varve.StoreException;
import dev.varve.files.WholeFile;
import dev.varve.git.RepoPath;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The journal of a restore: written before the first file is touched, deleted after the last file.
/// A restore that broke off can be finished or rolled back by its journal.
///
/// @param kind `restore`, `undo` or `redo`
/// @param from the snapshot of the files before the restore
/// @param to the snapshot that is restored
/// @param paths all paths that the restore touches
record RestoreJournal(String kind, String from, String to, Set<RepoPath> paths) {

  static final String FILE = "restore";
  private static final String FIRST = "varve-rewind restore 1";
  private static final String ID = "[0-9a-f]{40}|[0-9a-f]{64}";

  RestoreJournal {
    paths = Set.copyOf(paths);
  }

  static RestoreJournal of(String kind, RestorePlan plan) {
    Collection<RepoPath> paths =
        plan.paths().stream()
            .filter(path -> path.action() != PlannedPath.Action.KEEP)
            .map(PlannedPath::path)
            .toList();
    return new RestoreJournal(
        kind, plan.now().commit(), plan.target().commit(), new HashSet<>(paths));
  }

  void write(Path folder) {
    StringBuilder text = new StringBuilder(FIRST).append('\n');
    text.append(kind).append('\n').append(from).append('\n').append(to).append('\n');
    paths.stream().sorted().forEach(path -> text.append(path.escaped()).append('\n'));
    WholeFile.at(folder.resolve(FILE)).asItsFolder().replace(text.append("end\n").toString());
  }

  static void delete(Path folder) {
    WholeFile.at(folder.resolve(FILE)).delete();
  }

  /// Reads the journal; empty if no restore broke off.
  ///
  /// @throws StoreException.Corrupt if the file is not as it was written
  static Optional<RestoreJournal> read(Path folder) {
    return SmallFile.read(folder.resolve(FILE)).map(text -> parse(folder.resolve(FILE), text));
  }

  /// Refuses a worktree in which a restore began and did not end.
  ///
  /// @throws StoreException.Conflict if there is a journal
  static void refuseBegun(SnapshotArchive archive) {
    refuseBegun(archive.folder(), archive.root());
  }

  static void refuseBegun(Path folder, Path root) {
    if (read(folder).isPresent()) {
      throw new StoreException.Conflict(
          root.toString(), "no restore under way", "one that broke off");
    }
  }

  private static RestoreJournal parse(Path file, String text) {
    List<String> lines = text.lines().toList();
    if (lines.size() < 5
        || !lines.getFirst().equals(FIRST)
        || !lines.getLast().equals("end")
        || !lines.get(2).matches(ID)
        || !lines.get(3).matches(ID)) {
      throw new StoreException.Corrupt(file.toString(), 0, "a restore's journal", "something else");
    }
    Set<RepoPath> paths = new HashSet<>();
    lines.subList(4, lines.size() - 1).forEach(line -> paths.add(RepoPath.parse(line)));
    return new RestoreJournal(lines.get(1), lines.get(2), lines.get(3), paths);
  }
}
