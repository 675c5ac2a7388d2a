// SPDX-License-Identifier: Apache-2.0
package dev.varve.checkpoint;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.varve.git.Git;
import dev.varve.git.IndexEntry;
import dev.varve.git.RepoPath;
import dev.varve.git.StatusEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Looks at a worktree with git and the shadow's index, and brings the index up to what is there.
///
/// The cost is a look at the sizes and times of all files, and the reading of those that changed.
final class Inspection {

  private static final RepoPath RULES_FILE = RepoPath.of(".gitignore");

  private final Worktree worktree;
  private final Shadow shadow;
  private final long fileBytesMax;

  Inspection(Worktree worktree, Shadow shadow, long fileBytesMax) {
    this.worktree = worktree;
    this.shadow = shadow;
    this.fileBytesMax = fileBytesMax;
  }

  /// What is there.
  ///
  /// @param index the index's [SmallFile#signature] now
  record Found(Known.Seen seen, String index, Repositories repositories) {}

  /// What was found to differ from the index.
  ///
  /// @param tracked the ignored files that the user's git tracks; null if they are as they were
  private record Changes(
      List<RepoPath> gone,
      List<RepoPath> dropped,
      List<RepoPath> present,
      SortedMap<RepoPath, LeftOut> leftOut,
      boolean staged,
      @Nullable Set<RepoPath> tracked,
      Repositories repositories) {

    boolean none() {
      return gone.isEmpty() && dropped.isEmpty() && present.isEmpty() && !staged && tracked == null;
    }
  }

  /// @param last what the capture before left; null if there was none, or it is of no use
  Found run(@Nullable LastCapture last, boolean newRules) {
    Git git = shadow.git();
    Changes changes = changes(StatusEntry.of(git), last == null ? null : last.facts(), newRules);
    if (!changes.none()) {
      write(changes);
    }
    noteMissed(changes);
    Facts facts = facts(changes, last, newRules);
    String tree = changes.none() && last != null ? last.tree() : git.line("write-tree");
    String index = SmallFile.signature(shadow.index());
    return new Found(new Known.Seen(tree, facts), index, changes.repositories());
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

  private Changes changes(List<StatusEntry> entries, @Nullable Facts last, boolean newRules) {
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
    Repositories repositories = Repositories.among(worktree, entries, index, known);
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

  /// What is new in repositories inside, and what of them is not to be captured any more.
  private void sortInner(List<IndexEntry> index, Changes to) {
    Repositories repositories = to.repositories();
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

  /// Sorts a file under those that are gone or those to be read, or says why it is left out.
  private Optional<LeftOut> look(RepoPath path, List<RepoPath> gone, List<RepoPath> present) {
    Path file = path.under(worktree.root());
    try {
      BasicFileAttributes facts =
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (facts.isDirectory() || facts.isOther() || behindLink(file)) {
        gone.add(path);
        return Optional.empty();
      }
      if (facts.isRegularFile() && facts.size() > fileBytesMax) {
        return Optional.of(LeftOut.LARGE);
      }
      if (facts.isRegularFile() && !Files.isReadable(file)) {
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
      if (Folders.isGone(worktree.root(), file)) {
        gone.add(path);
        return Optional.empty();
      }
      return Optional.of(LeftOut.UNREADABLE); // cannot be looked at: that is not absence
    }
  }

  /// What a link leads to is not in the worktree by this name.
  private boolean behindLink(Path file) {
    return !Folders.areReal(worktree.root(), file);
  }

  private void write(Changes changes) {
    IndexWriter index = new IndexWriter(worktree, shadow, fileBytesMax, changes.leftOut());
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
  private void followRules(Set<RepoPath> tracked, Changes changes, IndexWriter index) {
    Repositories repositories = changes.repositories();
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

  private Facts facts(Changes changes, @Nullable LastCapture last, boolean newRules) {
    Path root = worktree.root();
    Permissions.Found found;
    // Also if the index is the one of before: git compares whole seconds, and so misses permissions
    // that change in the second in which it looked.
    if (!Permissions.areKnownIn(root)) {
      Facts.Plain plain = last == null ? new Facts.Plain("644", "755") : last.facts().plain();
      found = new Permissions.Found(plain, last == null ? new TreeMap<>() : last.facts().modes());
    } else {
      List<IndexEntry> entries = shadow.entries(worktree.idBytes());
      found =
          last == null
              ? Permissions.all(root, entries)
              : Permissions.changed(root, entries, last.facts(), last.startedAt());
    }
    Facts known = last != null && !newRules ? last.facts() : null;
    return new Facts(
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
