// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

import dev.varve.git.IndexEntry;
import dev.varve.git.RepoPath;
import dev.varve.git.StatusEntry;
import dev.varve.rewind.Checkout;
import dev.varve.rewind.FolderChecks;
import dev.varve.rewind.LeftOut;
import dev.varve.rewind.git.InnerRepository.Unfit;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// The repositories inside a worktree, at any depth, as a capture meets them: those whose files are
/// captured, each by its own rules, and those whose files cannot be captured.
///
/// Git does not look into a repository inside, unless its index has files of that repository: then
/// git lists new files there by the outer rules. So the new files of a repository inside are asked
/// of its own git.
public final class InnerRepositories {

  private static final int DEPTH_MAX = 16;
  private static final int COUNT_MAX = 1_000;
  private static final RepoPath GIT_FOLDER = RepoPath.of(".git");

  private final Worktree outer;
  private final Map<RepoPath, Boolean> looked = new HashMap<>();
  private final NavigableSet<RepoPath> candidates = new TreeSet<>();
  private final SortedMap<RepoPath, InnerRepository> open = new TreeMap<>();
  private final SortedMap<RepoPath, String> marks = new TreeMap<>();
  private final SortedMap<RepoPath, LeftOut> closed = new TreeMap<>();
  private final Set<RepoPath> wanted = new HashSet<>();
  private boolean complete = true;

  private InnerRepositories(Worktree outer) {
    this.outer = outer;
  }

  /// @param entries the entries of git's status
  /// @param index the files that are captured so far
  /// @param known the places of repositories at the last capture
  static InnerRepositories among(
      Worktree outer,
      List<StatusEntry> entries,
      List<IndexEntry> index,
      Collection<RepoPath> known) {
    InnerRepositories found = new InnerRepositories(outer);
    known.forEach(found::suspect);
    entries.forEach(entry -> found.suspectAbove(entry.path()));
    RepoPath last = RepoPath.of("");
    for (IndexEntry entry : index) {
      RepoPath folder = entry.path().parent().orElse(last);
      if (!folder.equals(last)) {
        found.suspectAbove(entry.path());
        last = folder;
      }
    }
    Set<RepoPath> ignored = new GitIgnoreRules(outer.git()).untracked(found.candidates);
    for (StatusEntry entry : entries) {
      if (entry.path().isFolder()) {
        found.suspect(entry.path());
      }
    }
    if (!found.candidates.isEmpty()) {
      found.openAll(index, ignored);
    }
    return found;
  }

  private void suspectAbove(RepoPath path) {
    for (Optional<RepoPath> step = path.parent();
        step.isPresent() && !looked.containsKey(step.get());
        step = step.get().parent()) {
      suspect(step.get().asFolder());
    }
  }

  private void suspect(RepoPath folder) {
    RepoPath plain = folder.withoutSlash();
    if (looked.computeIfAbsent(plain, this::isRepository)) {
      candidates.add(folder);
    }
  }

  private boolean isRepository(RepoPath folder) {
    Path place = folder.under(outer.root());
    return Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)
        && Files.exists(GIT_FOLDER.under(place), LinkOption.NOFOLLOW_LINKS)
        && FolderChecks.areReal(outer.root(), place);
  }

  /// @param ignored the repositories that the outer repository ignores
  private void openAll(List<IndexEntry> index, Set<RepoPath> ignored) {
    Set<RepoPath> captured = new HashSet<>();
    index.forEach(entry -> captured.add(entry.path()));
    Map<RepoPath, List<RepoPath>> files = new TreeMap<>();
    for (RepoPath next = candidates.pollFirst(); next != null; next = candidates.pollFirst()) {
      Optional<RepoPath> around = of(next.withoutSlash());
      boolean passed = around.map(path -> closed.containsKey(path)).orElse(ignored.contains(next));
      if (!passed) {
        open(next, captured).ifPresent(found -> files.put(found.path(), found.files()));
      }
    }
    files.forEach(
        (path, inside) ->
            inside.stream()
                .filter(file -> of(file).equals(Optional.of(path)))
                .forEach(wanted::add));
    wantTrackedByOuter();
  }

  private record Opened(RepoPath path, List<RepoPath> files) {}

  private Optional<Opened> open(RepoPath path, Set<RepoPath> captured) {
    try {
      if (open.size() == COUNT_MAX) {
        throw new Unfit(LeftOut.MANY);
      }
      if (open.keySet().stream().filter(path::isIn).count() == DEPTH_MAX) {
        throw new Unfit(LeftOut.DEEP);
      }
      InnerRepository repository = InnerRepository.open(outer, path);
      String mark = repository.mark();
      List<RepoPath> files = repository.files();
      complete &= repository.isComplete();
      for (RepoPath file : files) {
        if (file.isFolder()) {
          suspect(file);
        } else if (!captured.contains(file) && isRepository(file)) {
          suspect(file.asFolder()); // a submodule
        }
      }
      open.put(path, repository);
      marks.put(path, mark);
      return Optional.of(new Opened(path, files));
    } catch (Unfit e) {
      closed.put(path, e.why());
      return Optional.empty();
    }
  }

  /// Wants the files that the outer repository tracks, also if somebody made a repository around
  /// them.
  private void wantTrackedByOuter() {
    if (!open.isEmpty()) {
      RepoPath.list(outer.git().run("ls-files", "-z", "-c")).stream()
          .filter(file -> of(file).filter(path -> open.containsKey(path)).isPresent())
          .forEach(wanted::add);
    }
  }

  /// The innermost repository that a path is in, with a slash at the end.
  Optional<RepoPath> of(RepoPath path) {
    if (open.isEmpty() && closed.isEmpty()) {
      return Optional.empty();
    }
    for (Optional<RepoPath> step = path.parent(); step.isPresent(); step = step.get().parent()) {
      RepoPath folder = step.get().asFolder();
      if (isAt(folder)) {
        return Optional.of(folder);
      }
    }
    return Optional.empty();
  }

  /// True if a repository is exactly in this folder.
  ///
  /// @param folder with a slash at the end
  boolean isAt(RepoPath folder) {
    return open.containsKey(folder) || closed.containsKey(folder);
  }

  /// False if git could not look into each folder of the repositories that are captured.
  boolean complete() {
    return complete;
  }

  boolean none() {
    return open.isEmpty() && closed.isEmpty();
  }

  /// True if a file in a repository inside is to be captured, whether it exists or not.
  boolean wants(RepoPath path) {
    return wanted.contains(path);
  }

  /// The files in repositories inside that are to be captured.
  Set<RepoPath> wanted() {
    return wanted;
  }

  /// The repositories whose files are captured.
  SortedMap<RepoPath, InnerRepository> open() {
    return open;
  }

  /// The [InnerRepository#mark] of each repository, taken before its files were listed.
  SortedMap<RepoPath, String> marks() {
    return marks;
  }

  /// The repositories whose files are not captured, with the reasons.
  SortedMap<RepoPath, LeftOut> closed() {
    return closed;
  }

  SortedMap<RepoPath, Checkout> checkouts() {
    SortedMap<RepoPath, Checkout> checkouts = new TreeMap<>();
    open.forEach((path, repository) -> checkouts.put(path, repository.checkout()));
    return checkouts;
  }
}
