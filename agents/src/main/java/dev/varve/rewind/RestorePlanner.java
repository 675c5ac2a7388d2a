// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import dev.varve.git.RepoPath;
import dev.varve.git.TreeChange;
import dev.varve.rewind.PlannedPath.Action;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Decides for each path that differs between two snapshots what a restore does with the path.
/// Changes nothing.
///
/// A file that is in no snapshot is kept, because it could not be brought back.
final class RestorePlanner {

  private final SnapshotArchive archive;

  RestorePlanner(SnapshotArchive archive) {
    this.archive = archive;
  }

  /// @param now a snapshot that was just captured
  /// @param edited the paths that were changed since the snapshot before
  RestorePlan plan(Snapshot target, Snapshot now, PathSelection selection, Set<RepoPath> edited) {
    List<TreeChange> changes =
        archive.changes(now, target).stream()
            .filter(change -> selection.has(change.path()))
            .toList();
    SortedMap<RepoPath, PlannedPath> planned = new TreeMap<>();
    for (TreeChange change : changes) {
      planned.put(change.path(), first(change, target, now, edited.contains(change.path())));
    }
    keepWhatWasInRepositories(changes, target, now, planned);
    permissions(target, now, selection, edited, planned);
    keepWhatWasExcluded(target, now, planned);
    keepWhatStandsInPlace(planned);
    List<RepositoryDifference> repositories =
        RepositoryDifference.between(target, now).stream()
            .filter(each -> concerns(each.path(), selection, planned))
            .toList();
    return new RestorePlan(target, now, List.copyOf(planned.values()), repositories);
  }

  private static boolean concerns(
      RepoPath repository, PathSelection selection, SortedMap<RepoPath, PlannedPath> planned) {
    return selection.has(repository)
        || planned.keySet().stream().anyMatch(path -> path.isIn(repository));
  }

  private PlannedPath first(TreeChange change, Snapshot target, Snapshot now, boolean edited) {
    RepoPath path = change.path();
    PlannedPath plain =
        new PlannedPath(
            path,
            action(change),
            "",
            change.newMode() == 0 ? change.oldIsFolder() : change.newIsFolder(),
            change.newMode(),
            change.newId(),
            permissions(target, change),
            edited);
    if (!path.isSafe()) {
      return plain.kept("its name leads out of the worktree");
    }
    if (change.newMode() == TreeChange.REPOSITORY || change.oldMode() == TreeChange.REPOSITORY) {
      return plain.kept(LeftOut.REPOSITORY.words());
    }
    Optional<LeftOut> then = target.metadata().flatMap(metadata -> metadata.leftOut(path));
    Optional<LeftOut> today = now.metadata().flatMap(metadata -> metadata.leftOut(path));
    return then.map(why -> plain.kept("was not captured then: " + why.words()))
        .or(() -> today.map(why -> plain.kept("is not captured now: " + why.words())))
        .orElse(plain);
  }

  /// Keeps the files of repositories that were not looked into then: of such a repository a
  /// snapshot says nothing, or has only git's mark for a repository.
  private static void keepWhatWasInRepositories(
      List<TreeChange> changes,
      Snapshot target,
      Snapshot now,
      SortedMap<RepoPath, PlannedPath> planned) {
    boolean lookedInto = target.metadata().flatMap(SnapshotMetadata::repositories).isPresent();
    List<RepoPath> marks =
        changes.stream()
            .filter(change -> change.newMode() == TreeChange.REPOSITORY)
            .map(TreeChange::path)
            .toList();
    if (lookedInto && marks.isEmpty()) {
      return;
    }
    for (RepoPath path : paths(planned, Action.DELETE)) {
      boolean inner = now.metadata().flatMap(metadata -> metadata.repositoryOf(path)).isPresent();
      if (!lookedInto && inner || marks.stream().anyMatch(path::isIn)) {
        planned.computeIfPresent(
            path, (_, plan) -> plan.kept("is in a repository that was not looked into then"));
      }
    }
  }

  private static Action action(TreeChange change) {
    if (change.newMode() == 0) {
      return Action.DELETE;
    }
    if (change.oldMode() == 0) {
      return Action.CREATE;
    }
    return change.oldIsFolder() && change.newIsFolder() ? Action.PERMIT : Action.CHANGE;
  }

  private static String permissions(Snapshot target, TreeChange change) {
    int mode = change.newMode();
    if (mode == 0 || mode == TreeChange.LINK) {
      return "";
    }
    if (change.newIsFolder()) {
      return String.format("%03o", mode & 0777);
    }
    return target
        .metadata()
        .map(f -> f.mode(change.path()).orElse(f.plain().of(mode == TreeChange.PROGRAM)))
        .orElse("");
  }

  /// Plans the files whose content is right and whose permissions are not: the files that either
  /// snapshot lists, or any file if the plain permissions of the two snapshots differ.
  private void permissions(
      Snapshot target,
      Snapshot now,
      PathSelection selection,
      Set<RepoPath> edited,
      SortedMap<RepoPath, PlannedPath> planned) {
    if (target.metadata().isEmpty() || now.metadata().isEmpty()) {
      return;
    }
    SnapshotMetadata then = target.metadata().get();
    SnapshotMetadata today = now.metadata().get();
    Set<RepoPath> candidates = new TreeSet<>(then.modes().keySet());
    candidates.addAll(today.modes().keySet());
    if (!then.plain().equals(today.plain())) {
      candidates.addAll(archive.files(now));
    }
    candidates.removeIf(
        path ->
            !path.isSafe()
                || planned.containsKey(path)
                || !selection.has(path)
                || then.leftOut(path).isPresent()
                || today.leftOut(path).isPresent());
    for (RepoPath path : candidates) {
      Path file = path.under(archive.root());
      if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
        boolean isProgram = Files.isExecutable(file);
        String wanted = then.mode(path).orElse(then.plain().of(isProgram));
        if (!wanted.equals(today.mode(path).orElse(today.plain().of(isProgram)))) {
          planned.put(
              path,
              new PlannedPath(
                  path,
                  Action.PERMIT,
                  "",
                  false,
                  TreeChange.FILE,
                  "",
                  wanted,
                  edited.contains(path)));
        }
      }
    }
  }

  private void keepWhatWasExcluded(
      Snapshot target, Snapshot now, SortedMap<RepoPath, PlannedPath> planned) {
    archive
        .notAbsent(target, paths(planned, Action.DELETE))
        .forEach((path, why) -> planned.computeIfPresent(path, (_, plan) -> plan.kept(why)));
    archive
        .notWanted(now, paths(planned, Action.CREATE))
        .forEach((path, why) -> planned.computeIfPresent(path, (_, plan) -> plan.kept(why)));
  }

  private static List<RepoPath> paths(SortedMap<RepoPath, PlannedPath> planned, Action action) {
    return planned.values().stream()
        .filter(plan -> plan.action() == action)
        .map(PlannedPath::path)
        .toList();
  }

  /// Keeps each path in whose place something is that no snapshot has.
  private void keepWhatStandsInPlace(SortedMap<RepoPath, PlannedPath> planned) {
    // Files that make room: they go, or become a folder. A folder comes before what is in it.
    Set<RepoPath> deleted = new HashSet<>(paths(planned, Action.DELETE));
    planned.values().removeIf(this::isThereAlready);
    for (Map.Entry<RepoPath, PlannedPath> entry : planned.entrySet()) {
      PlannedPath plan = entry.getValue();
      if (plan.action() == Action.CREATE || plan.action() == Action.CHANGE) {
        Optional<String> obstacle = obstacle(plan, deleted);
        obstacle.ifPresent(why -> entry.setValue(plan.kept(why)));
        if (obstacle.isEmpty() && plan.folder()) {
          deleted.add(plan.path());
        }
      } else if (plan.action() == Action.DELETE && plan.folder()) {
        firstUncaptured(plan.path().under(archive.root()), deleted)
            .ifPresent(
                path ->
                    entry.setValue(plan.kept("has '" + path + "' in it, which is not captured")));
      }
    }
  }

  /// True for a folder that was empty, and holds only uncaptured files now.
  private boolean isThereAlready(PlannedPath plan) {
    Path place = plan.path().under(archive.root());
    return plan.folder()
        && plan.action() == Action.CREATE
        && Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)
        && FolderChecks.areReal(archive.root(), place);
  }

  private Optional<String> obstacle(PlannedPath plan, Set<RepoPath> deleted) {
    for (Optional<RepoPath> step = plan.path().parent();
        step.isPresent();
        step = step.get().parent()) {
      Path folder = step.get().under(archive.root());
      if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS)
          && !Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
          && !deleted.contains(step.get())) {
        return Optional.of("'" + step.get() + "' is in its place and not captured");
      }
    }
    Path file = plan.path().under(archive.root());
    if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS) && !plan.folder()) {
      return firstUncaptured(file, deleted)
          .map(path -> "a folder is in its place, with '" + path + "', which is not captured");
    }
    boolean isThere = Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    if (plan.action() != Action.CREATE || !isThere || !FolderChecks.areReal(archive.root(), file)) {
      return Optional.empty();
    }
    boolean isCaptured =
        Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || Files.isSymbolicLink(file);
    return Optional.of(isCaptured ? "is ignored now" : "a pipe, socket or device is in its place");
  }

  private Optional<RepoPath> firstUncaptured(Path folder, Set<RepoPath> deleted) {
    List<RepoPath> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      files
          .filter(file -> !Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS))
          .map(file -> RepoPath.from(archive.root(), file))
          .filter(path -> !deleted.contains(path))
          .findFirst()
          .ifPresent(found::add);
    } catch (IOException | java.io.UncheckedIOException e) {
      found.add(RepoPath.from(archive.root(), folder));
    }
    return found.stream().findFirst();
  }
}
