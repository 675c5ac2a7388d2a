// SPDX-License-Identifier: Apache-2.0
package dev.varve.checkpoint;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.varve.StoreException;
import dev.varve.git.Git;
import dev.varve.git.IndexEntry;
import dev.varve.git.RepoPath;
import dev.varve.git.StatusEntry;
import dev.varve.git.TreeChange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Takes a snapshot. Called under the shadow's lock.
///
/// Captured is what the user's git tracks, ignored or not, and what it neither tracks nor ignores.
/// The cost is a look at the sizes and times of all files, and the reading of those that changed.
final class Capture {

  private static final int TRIES = 3;
  private static final RepoPath RULES_FILE = RepoPath.of(".gitignore");

  private final Worktree worktree;
  private final Shadow shadow;
  private final StoreRef store;
  private final Recall recall;
  private final InstantSource clock;
  private final long fileBytesMax;

  Capture(
      Worktree worktree,
      Shadow shadow,
      StoreRef store,
      Recall recall,
      InstantSource clock,
      long fileBytesMax) {
    this.worktree = worktree;
    this.shadow = shadow;
    this.store = store;
    this.recall = recall;
    this.clock = clock;
    this.fileBytesMax = fileBytesMax;
  }

  /// What was found to differ from the index.
  private record Changes(
      List<RepoPath> gone,
      List<RepoPath> dropped,
      List<RepoPath> present,
      SortedMap<RepoPath, LeftOut> leftOut,
      boolean staged,
      boolean rules) {

    boolean none() {
      return gone.isEmpty() && dropped.isEmpty() && present.isEmpty() && !staged && !rules;
    }
  }

  /// What is on the disk now. If nothing changed since the last snapshot of this worktree, that one
  /// is returned and nothing is written.
  Snapshot take(Purpose purpose) {
    shadow.unlockIndex();
    shadow.forgetOldLooks(clock.instant());
    Optional<LastCapture> last =
        LastCapture.read(shadow.folder()).filter(before -> store.keeps(before.commit()));
    Instant startedAt = clock.instant();
    long nowNanos = System.currentTimeMillis() * 1_000_000L;
    String rules = shadow.rules();
    boolean newRules = last.isEmpty() || !last.get().rules().equals(rules);
    if (!newRules) {
      Optional<Known.Seen> seen = recall.look(rules, nowNanos);
      if (seen.isPresent()) {
        return recalled(purpose, last.orElseThrow(), startedAt, rules, seen.get());
      }
    }
    if (newRules) {
      shadow.furnish();
    }
    if (last.isEmpty()) {
      shadow.forget();
    }
    for (int i = 1; ; i++) {
      try {
        Snapshot taken = take(purpose, last.orElse(null), startedAt, rules, newRules);
        taken
            .facts()
            .ifPresent(
                facts ->
                    recall.learn(
                        () ->
                            Known.of(
                                worktree,
                                shadow,
                                new Known.Seen(taken.tree(), facts),
                                rules,
                                nowNanos,
                                fileBytesMax)));
        return taken;
      } catch (StoreException.Io e) {
        // A file went away or came while git looked, or the index is damaged: it can be made anew.
        if (i == TRIES) {
          throw e;
        }
        shadow.unlockOwnIndex();
        if (i > 1) {
          shadow.furnish();
          shadow.forget();
          last = Optional.empty();
        }
        newRules = true;
      }
    }
  }

  private Snapshot take(
      Purpose purpose,
      @Nullable LastCapture last,
      Instant startedAt,
      String rules,
      boolean newRules) {
    Git git = shadow.git();
    Changes changes = changes(StatusEntry.of(git), newRules);
    if (!changes.none() || newRules) {
      write(changes, newRules || changes.rules());
    }
    Facts facts = facts(changes, last, newRules);
    String tree =
        changes.none() && !newRules && last != null ? last.tree() : git.line("write-tree");
    String index = SmallFile.signature(shadow.index());
    return concluded(purpose, last, startedAt, rules, index, new Known.Seen(tree, facts));
  }

  /// What this process knows to be written must be: if that fails, it knows nothing.
  private Snapshot recalled(
      Purpose purpose, LastCapture last, Instant startedAt, String rules, Known.Seen seen) {
    boolean done = false;
    try {
      Snapshot taken = concluded(purpose, last, startedAt, rules, last.index(), seen);
      worktree.objects().settle();
      done = true;
      return taken;
    } finally {
      if (!done) {
        recall.forget();
      }
    }
  }

  /// Names what was found: by the last snapshot if nothing changed, else by a new one.
  private Snapshot concluded(
      Purpose purpose,
      @Nullable LastCapture last,
      Instant startedAt,
      String rules,
      String index,
      Known.Seen seen) {
    String tree = seen.tree();
    Facts facts = seen.facts();
    if (!purpose.always()
        && last != null
        && tree.equals(last.tree())
        && facts.equals(last.facts())) {
      if (!rules.equals(last.rules()) || !index.equals(last.index())) {
        new LastCapture(last.commit(), tree, startedAt, rules, index, last.message())
            .write(shadow.folder());
      }
      return recall.snapshot(last.commit(), () -> Snapshots.get(shadow.git(), last.commit()));
    }
    Snapshot same = purpose.same();
    if (same != null && !(same.tree().equals(tree) && same.facts().equals(Optional.of(facts)))) {
      same = null;
    }
    String message = facts.message(purpose.note());
    if (!purpose.keep()) {
      shadow.looked();
      String commit = commit(tree, message, startedAt);
      worktree.objects().settle();
      return new Snapshot(commit, tree, startedAt, Optional.of(facts), purpose.note());
    }
    String commit = same != null ? same.commit() : commit(tree, message, startedAt);
    if (same == null || !store.keeps(commit)) {
      store.add(commit);
    }
    shadow.head(commit);
    new LastCapture(commit, tree, startedAt, rules, index, message).write(shadow.folder());
    shadow.kept();
    return recall.remember(
        same != null
            ? same
            : new Snapshot(commit, tree, startedAt, Optional.of(facts), purpose.note()));
  }

  private String commit(String tree, String message, Instant at) {
    return worktree.objects().commit(tree, List.of(), message, at);
  }

  private Changes changes(List<StatusEntry> entries, boolean newRules) {
    List<RepoPath> gone = new ArrayList<>();
    List<RepoPath> dropped = new ArrayList<>();
    List<RepoPath> present = new ArrayList<>();
    SortedMap<RepoPath, LeftOut> leftOut = new TreeMap<>();
    Repositories repositories = new Repositories(worktree.root());
    boolean staged = false;
    boolean rules = newRules;
    for (StatusEntry entry : entries) {
      RepoPath path = entry.path();
      staged |= entry.staged();
      rules |= path.name().equals(RULES_FILE);
      if (path.isFolder()) {
        leftOut.put(path, LeftOut.REPOSITORY);
      } else if (!repositories.add(path) && entry.worktree() != '.') {
        Optional<LeftOut> why = look(path, gone, present);
        why.ifPresent(reason -> leftOut.put(path, reason));
        if (entry.worktree() != '?' && why.equals(Optional.of(LeftOut.LARGE))) {
          dropped.add(path);
        }
      }
    }
    if (!repositories.found().isEmpty()) {
      repositories.found().forEach(folder -> leftOut.put(folder, LeftOut.REPOSITORY));
      RepoPath.list(shadow.git().run("ls-files", "-z", "-c")).stream()
          .filter(path -> repositories.found().stream().anyMatch(path::isIn))
          .forEach(dropped::add);
    }
    return new Changes(gone, dropped, present, leftOut, staged, rules && !newRules);
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

  private void write(Changes changes, boolean rulesChanged) {
    update(changes.gone(), "--force-remove");
    update(changes.dropped(), "--force-remove");
    add(changes.present(), changes.leftOut());
    if (rulesChanged) {
      followRules(changes.leftOut());
    }
  }

  private void add(List<RepoPath> present, SortedMap<RepoPath, LeftOut> leftOut) {
    try {
      update(present, "--add", "--remove", "--replace");
    } catch (StoreException.Io e) {
      // Git gives up on a file that is written to meanwhile.
      shadow.unlockOwnIndex();
      addOneByOne(present, leftOut);
    }
  }

  /// As git would, with patience for each file.
  private void addOneByOne(List<RepoPath> present, SortedMap<RepoPath, LeftOut> leftOut) {
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    List<RepoPath> links = new ArrayList<>();
    List<RepoPath> gone = new ArrayList<>();
    for (RepoPath path : present) {
      Path file = path.under(worktree.root());
      if (Files.isSymbolicLink(file)) {
        links.add(path);
        continue;
      }
      try {
        Optional<String> id = SteadyFile.blob(worktree.objects(), file, fileBytesMax);
        if (id.isPresent()) {
          lines.writeBytes((mode(file) + " " + id.get() + "\t").getBytes(US_ASCII));
          lines.writeBytes(RepoPath.join(List.of(path)));
          continue;
        }
        leftOut.put(path, LeftOut.CHANGING);
      } catch (NoSuchFileException e) {
        // it went away
      } catch (IOException e) {
        leftOut.put(path, LeftOut.UNREADABLE);
      }
      gone.add(path);
    }
    worktree.objects().settle();
    update(links, "--add", "--remove", "--replace");
    update(gone, "--force-remove");
    shadow.git().feed(lines.toByteArray(), "update-index", "-z", "--replace", "--index-info");
  }

  private static String mode(Path file) throws IOException {
    boolean isProgram =
        Permissions.areKnownIn(file)
            && Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS)
                .contains(PosixFilePermission.OWNER_EXECUTE);
    return Integer.toOctalString(isProgram ? TreeChange.PROGRAM : TreeChange.FILE);
  }

  /// Ignored files are captured if the user's git tracks them, and only then.
  private void followRules(SortedMap<RepoPath, LeftOut> leftOut) {
    Set<RepoPath> tracked =
        new HashSet<>(
            RepoPath.list(worktree.git().run("ls-files", "-z", "-c", "-i", "--exclude-standard")));
    Set<RepoPath> captured =
        new HashSet<>(
            RepoPath.list(shadow.git().run("ls-files", "-z", "-c", "-i", "--exclude-standard")));
    update(captured.stream().filter(path -> !tracked.contains(path)).toList(), "--force-remove");
    List<RepoPath> gone = new ArrayList<>();
    List<RepoPath> present = new ArrayList<>();
    for (RepoPath path : tracked) {
      if (!captured.contains(path)) {
        look(path, gone, present);
      }
    }
    add(present, leftOut);
  }

  private void update(List<RepoPath> paths, String... how) {
    if (!paths.isEmpty()) {
      List<String> words = new ArrayList<>(List.of("update-index", "-z"));
      words.addAll(List.of(how));
      words.add("--stdin");
      shadow.git().feed(RepoPath.join(paths), words.toArray(String[]::new));
    }
  }

  private Facts facts(Changes changes, @Nullable LastCapture last, boolean newRules) {
    Path root = worktree.root();
    boolean sameIndex = last != null && last.index().equals(SmallFile.signature(shadow.index()));
    Permissions.Found found;
    if (last != null && sameIndex || !Permissions.areKnownIn(root)) {
      Facts.Plain plain = last == null ? new Facts.Plain("644", "755") : last.facts().plain();
      found = new Permissions.Found(plain, last == null ? new TreeMap<>() : last.facts().modes());
    } else {
      List<IndexEntry> entries =
          Files.exists(shadow.index())
              ? IndexEntry.read(shadow.index(), worktree.idBytes())
              : List.of();
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
        known != null ? known.sparse() : shadow.isSparse(),
        known != null ? known.excludes() : shadow.excludes());
  }
}
