// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.varve.git.Git;
import dev.varve.git.IndexEntry;
import dev.varve.git.RepoPath;
import dev.varve.git.StatusEntry;
import dev.varve.git.WorktreeStatus;
import dev.varve.rewind.FolderChecks;
import dev.varve.rewind.LeftOut;
import dev.varve.rewind.Permissions;
import dev.varve.rewind.SmallFile;
import dev.varve.rewind.SnapshotMetadata;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Compares a worktree with the shadow's index by git, and brings the index up to date.
///
/// The cost is a look at the sizes and times of all files, and the reading of the changed files.
final class WorktreeScan {

  private static final RepoPath RULES_FILE = RepoPath.of(".gitignore");

  private final Worktree worktree;
  private final ShadowRepository shadow;
  private final long fileBytesMax;
  private final boolean doubting;

  /// The folders that were checked, each with whether all steps on the way to it are folders
  /// themselves.
  private final Map<Path, Boolean> realFolders = new HashMap<>();

  /// @param doubting whether every object that the snapshot needs is read
  WorktreeScan(Worktree worktree, ShadowRepository shadow, long fileBytesMax, boolean doubting) {
    this.worktree = worktree;
    this.shadow = shadow;
    this.fileBytesMax = fileBytesMax;
    this.doubting = doubting;
  }

  /// The state that a scan found.
  ///
  /// @param index the index's [SmallFile#signature] now
  record Found(WorktreeState seen, String index, InnerRepositories repositories) {}

  /// The differences between the worktree and the index.
  ///
  /// @param tracked the ignored files that the user's git tracks; null if they are unchanged
  private record Changes(
      List<RepoPath> gone,
      List<RepoPath> dropped,
      List<RepoPath> present,
      SortedMap<RepoPath, LeftOut> leftOut,
      boolean staged,
      @Nullable Set<RepoPath> tracked,
      InnerRepositories repositories) {

    boolean none() {
      return gone.isEmpty() && dropped.isEmpty() && present.isEmpty() && !staged && tracked == null;
    }
  }

  /// @param last the record of the last capture; null if there is none, or the record cannot be
  ///   used
  Found run(@Nullable LastCapture last, boolean newRules) {
    Git git = shadow.git();
    Changes changes =
        changes(WorktreeStatus.of(git), last == null ? null : last.metadata(), newRules);
    if (!changes.none()) {
      write(changes);
    }
    noteMissed(changes);
    String tree = changes.none() && last != null ? last.tree() : git.line("write-tree");
    if (doubting || last != null && !tree.equals(last.tree())) {
      tree =
          new ObjectRepair(worktree, shadow, writer(changes))
              .sound(tree, last == null ? null : last.tree());
    } else if (last == null) {
      tree = new ObjectRepair(worktree, shadow, writer(changes)).soundInPacks(tree);
    }
    SnapshotMetadata metadata = metadata(changes, last, newRules);
    String index = SmallFile.signature(shadow.index());
    return new Found(new WorktreeState(tree, metadata), index, changes.repositories());
  }

  private void noteMissed(Changes changes) {
    Set<RepoPath> tracked = changes.tracked();
    boolean missed =
        tracked == null
            ? !changes.gone().isEmpty()
            : tracked.stream()
                .anyMatch(path -> Files.notExists(path.under(worktree.root()), NOFOLLOW_LINKS));
    if (missed) {
      shadow.missed();
    } else if (tracked != null && shadow.misses()) {
      shadow.missesNone();
    }
  }

  private Changes changes(
      WorktreeStatus status, @Nullable SnapshotMetadata last, boolean newRules) {
    List<StatusEntry> entries = status.entries();
    List<IndexEntry> index = shadow.entries(worktree.idBytes());
    Set<RepoPath> known = new HashSet<>();
    if (last != null) {
      known.addAll(last.inner().keySet());
      last.leftOut().keySet().stream().filter(RepoPath::isFolder).forEach(known::add);
    }
    boolean rules =
        newRules
            || shadow.misses()
            || entries.stream().anyMatch(entry -> entry.path().name().equals(RULES_FILE));
    Set<RepoPath> tracked = rules ? trackedAndIgnored() : null;
    if (tracked != null) {
      tracked.forEach(path -> known.add(path.asFolder()));
    }
    InnerRepositories repositories = InnerRepositories.among(worktree, entries, index, known);
    if (tracked == null
        && last != null
        && !repositories.open().keySet().containsAll(last.inner().keySet())) {
      tracked = trackedAndIgnored(); // the outer rules are in force where there was a repository
    }
    Changes changes =
        new Changes(
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new TreeMap<>(repositories.closed()),
            entries.stream().anyMatch(StatusEntry::staged),
            tracked,
            repositories);
    if (!status.complete() || !repositories.complete()) {
      UnreadableFolders.of(worktree, shadow, repositories)
          .forEach(folder -> changes.leftOut().put(folder, LeftOut.UNREADABLE));
    }
    sort(entries, changes);
    sortInner(index, changes);
    return changes;
  }

  private void sort(List<StatusEntry> entries, Changes to) {
    for (StatusEntry entry : entries) {
      RepoPath path = entry.path();
      boolean inner = to.repositories().of(path).isPresent();
      boolean fresh = entry.worktree() == '?';
      if (entry.worktree() == '.'
          || path.isFolder()
          || inner && (fresh || !to.repositories().wants(path))) {
        continue; // nothing new, or its own repository says more
      }
      Optional<LeftOut> why = look(path, to.gone(), to.present());
      why.ifPresent(reason -> to.leftOut().put(path, reason));
      if (!fresh && why.equals(Optional.of(LeftOut.LARGE))) {
        to.dropped().add(path);
      }
    }
  }

  /// Finds the new files of repositories inside, and files of these repositories that are no longer
  /// to be captured.
  private void sortInner(List<IndexEntry> index, Changes to) {
    InnerRepositories repositories = to.repositories();
    if (repositories.none()) {
      return;
    }
    Set<RepoPath> fresh = new TreeSet<>(repositories.wanted());
    for (IndexEntry entry : index) {
      RepoPath path = entry.path();
      if (!fresh.remove(path) && !repositories.wants(path) && repositories.of(path).isPresent()) {
        to.dropped().add(path);
      }
    }
    List<RepoPath> absent = new ArrayList<>(); // of these the index knows nothing
    for (RepoPath path : fresh) {
      look(path, absent, to.present()).ifPresent(reason -> to.leftOut().put(path, reason));
    }
  }

  /// Adds a file to the deleted files or to the files to be read, or notes why the file is left
  /// out.
  private Optional<LeftOut> look(RepoPath path, List<RepoPath> gone, List<RepoPath> present) {
    Path file = path.under(worktree.root());
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (attributes.isDirectory() || attributes.isOther() || behindLink(file)) {
        gone.add(path);
        return Optional.empty();
      }
      if (attributes.isRegularFile() && attributes.size() > fileBytesMax) {
        return Optional.of(LeftOut.LARGE);
      }
      if (attributes.isRegularFile() && !Files.isReadable(file)) {
        return Optional.of(LeftOut.UNREADABLE);
      }
      if (!path.isSafe()) {
        return Optional.of(LeftOut.NAME); // git passes over it without a word
      }
      present.add(path);
      return Optional.empty();
    } catch (NoSuchFileException e) {
      gone.add(path);
      return Optional.empty();
    } catch (IOException e) {
      if (FolderChecks.isGone(worktree.root(), file)) {
        gone.add(path);
        return Optional.empty();
      }
      return Optional.of(LeftOut.UNREADABLE); // cannot be looked at: that is not absence
    }
  }

  /// Returns whether a step on the way to a file is a link: then the file is not in the worktree by
  /// this path. Each folder is checked once in a scan, however many files it holds.
  private boolean behindLink(Path file) {
    Path folder = file.getParent();
    return folder != null
        && !realFolders.computeIfAbsent(folder, _ -> FolderChecks.areReal(worktree.root(), file));
  }

  private ShadowIndexWriter writer(Changes changes) {
    return new ShadowIndexWriter(worktree, shadow, fileBytesMax, changes.leftOut());
  }

  private void write(Changes changes) {
    ShadowIndexWriter index = writer(changes);
    index.remove(changes.gone());
    index.remove(changes.dropped());
    index.add(changes.present());
    if (changes.tracked() != null) {
      followRules(changes.tracked(), changes, index);
    }
  }

  private Set<RepoPath> trackedAndIgnored() {
    return ignored(worktree.git());
  }

  private static Set<RepoPath> ignored(Git git) {
    return new HashSet<>(
        RepoPath.list(git.run("ls-files", "-z", "-c", "-i", "--exclude-standard")));
  }

  /// Ignored files are captured if the user's git tracks them, and only then. Repositories inside
  /// have rules of their own.
  private void followRules(Set<RepoPath> tracked, Changes changes, ShadowIndexWriter index) {
    InnerRepositories repositories = changes.repositories();
    Set<RepoPath> captured = ignored(shadow.git());
    index.remove(
        captured.stream()
            .filter(path -> !tracked.contains(path) && repositories.of(path).isEmpty())
            .toList());
    List<RepoPath> gone = new ArrayList<>();
    List<RepoPath> present = new ArrayList<>();
    for (RepoPath path : tracked) {
      if (!captured.contains(path) && repositories.of(path).isEmpty()) {
        look(path, gone, present);
      }
    }
    index.add(present);
  }

  private SnapshotMetadata metadata(Changes changes, @Nullable LastCapture last, boolean newRules) {
    Path root = worktree.root();
    Permissions.Found found;
    // Also if the index is the one of before: git compares whole seconds, and so misses permissions
    // that change in the second in which it looked.
    if (!Permissions.areKnownIn(root)) {
      SnapshotMetadata.Plain plain =
          last == null ? new SnapshotMetadata.Plain("644", "755") : last.metadata().plain();
      found =
          new Permissions.Found(plain, last == null ? new TreeMap<>() : last.metadata().modes());
    } else {
      List<IndexEntry> entries = shadow.entries(worktree.idBytes());
      found =
          last == null
              ? Permissions.all(root, entries)
              : Permissions.changed(root, entries, last.metadata(), last.startedAt());
    }
    SnapshotMetadata known = last != null && !newRules ? last.metadata() : null;
    return new SnapshotMetadata(
        worktree.name(),
        found.plain(),
        found.others(),
        changes.leftOut(),
        known != null ? known.sparse() : shadow.rules().isSparse(),
        known != null ? known.excludes() : shadow.rules().excludes(),
        Optional.of(changes.repositories().checkouts()),
        Optional.of(EmptyFolders.of(worktree, shadow, changes.repositories())));
  }
}
