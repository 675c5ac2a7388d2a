// SPDX-License-Identifier: Apache-2.0
package dev.varve.checkpoint;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.varve.StoreException;
import dev.varve.git.Git;
import dev.varve.git.ObjectReader;
import dev.varve.git.RepoPath;
import dev.varve.git.TreeChange;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/// Snapshots as commits of the repository.
final class GitArchive implements Archive {

  private final Worktree worktree;
  private final Shadow shadow;
  private final StoreRef store;
  private final Recall recall = new Recall();
  private final Absences absences;
  private final InstantSource clock;
  private final long fileBytesMax;

  GitArchive(Worktree worktree, InstantSource clock, long fileBytesMax) {
    this.worktree = worktree;
    this.shadow = new Shadow(worktree);
    this.store = new StoreRef(worktree, clock);
    this.absences = new Absences(worktree, shadow);
    this.clock = clock;
    this.fileBytesMax = fileBytesMax;
  }

  @Override
  public Path root() {
    return worktree.root();
  }

  @Override
  public Path folder() {
    return shadow.folder();
  }

  @Override
  public List<Path> folders() {
    return Shadow.all(worktree);
  }

  @Override
  public Snapshot take(Purpose purpose) {
    return new Capture(worktree, shadow, store, recall, clock, fileBytesMax).take(purpose);
  }

  @Override
  public void stay() {
    recall.stay();
  }

  Recall recall() {
    return recall;
  }

  @Override
  public Set<String> lastOnes() {
    Set<String> used = new HashSet<>();
    for (Path folder : folders()) {
      LastCapture.read(folder).ifPresent(last -> used.add(last.commit()));
    }
    return used;
  }

  @Override
  public @Nullable String last() {
    return LastCapture.read(folder())
        .map(LastCapture::commit)
        .filter(commit -> git().tryRun(new byte[0], "cat-file", "-e", commit).status() == 0)
        .orElse(null);
  }

  @Override
  public List<String> names() {
    return store.snapshots();
  }

  @Override
  public List<Snapshot> snapshots() {
    return Snapshots.all(git(), store.snapshots());
  }

  @Override
  public Snapshot snapshot(String name) {
    Git.Output found = git().tryRun(new byte[0], "rev-parse", "-q", "--verify", name + "^{commit}");
    if (found.status() != 0) {
      throw new StoreException.NotFound("snapshot", name);
    }
    return Snapshots.get(git(), found.line());
  }

  @Override
  public Set<String> present(Set<String> names) {
    return Snapshots.present(git(), names);
  }

  @Override
  public Set<String> drop(Set<String> unwanted) {
    return store.drop(unwanted);
  }

  /// Git collects it.
  @Override
  public long staying(Set<String> names) {
    return 0;
  }

  @Override
  public Health check(Rewind.@Nullable Begun begun) {
    return new Examination(worktree, git(), store).result(begun);
  }

  /// Git without the user's settings, to look at snapshots with.
  private Git git() {
    // Where nothing was captured yet there is no shadow; the repository's own git will do.
    return Files.exists(shadow.folder().resolve("config")) ? shadow.git() : worktree.keeper();
  }

  @Override
  public boolean has(Snapshot snapshot, RepoPath path) {
    return hasEmpty(snapshot, path) || files(snapshot).stream().anyMatch(file -> file.isIn(path));
  }

  @Override
  public List<RepoPath> files(Snapshot snapshot) {
    return RepoPath.list(
        git().run("ls-tree", "-r", "-z", "--name-only", "--full-tree", snapshot.tree()));
  }

  @Override
  public List<TreeChange> changes(Snapshot from, Snapshot to) {
    return FolderChanges.with(TreeChange.between(git(), from.commit(), to.commit()), from, to);
  }

  @Override
  public byte[] diff(Snapshot from, Snapshot to, boolean stat) {
    byte[] folders = FolderChanges.lines(changes(from, to)).getBytes(UTF_8);
    byte[] files =
        git()
            .run(
                "diff",
                "--no-ext-diff",
                "--no-textconv",
                "--no-renames",
                "--no-color",
                stat ? "--stat" : "--patch",
                from.commit(),
                to.commit());
    byte[] both = Arrays.copyOf(folders, folders.length + files.length);
    System.arraycopy(files, 0, both, folders.length, files.length);
    return both;
  }

  @Override
  public Map<RepoPath, String> notAbsent(Snapshot then, Collection<RepoPath> paths) {
    Map<RepoPath, String> why = new HashMap<>();
    absences
        .sparseThen(then, paths)
        .forEach(path -> why.put(path, "was left out by sparse checkout"));
    absences.ignoredThen(then, paths).forEach(path -> why.put(path, "was ignored then"));
    return why;
  }

  @Override
  public Map<RepoPath, String> notWanted(Snapshot now, Collection<RepoPath> paths) {
    Map<RepoPath, String> why = new HashMap<>();
    absences.sparseNow(now, paths).forEach(path -> why.put(path, "is left out by sparse checkout"));
    return why;
  }

  /// Those that are empty, and those that these are in: others have files.
  @Override
  public Set<RepoPath> lasting(Snapshot snapshot, Collection<RepoPath> folders) {
    Set<RepoPath> lasting = new HashSet<>(folders);
    lasting.removeIf(folder -> !hasEmpty(snapshot, folder));
    return lasting;
  }

  /// Whether a folder is one that was empty, or has such in it.
  private static boolean hasEmpty(Snapshot snapshot, RepoPath folder) {
    return snapshot.facts().flatMap(Facts::emptyFolders).stream()
        .flatMap(empty -> empty.keySet().stream())
        .anyMatch(path -> path.isIn(folder));
  }

  @Override
  public Contents contents() {
    Git git = git();
    ObjectReader objects = ObjectReader.open(git);
    return new Contents() {
      @Override
      public long copy(String id, OutputStream to) {
        return objects.copy(id, to);
      }

      @Override
      public void writeLinks(Path folder, SortedMap<String, String> links) {
        // Git writes them: Java would tidy what they say.
        StringBuilder entries = new StringBuilder();
        links.forEach(
            (name, id) ->
                entries.append("120000 ").append(id).append('\t').append(name).append('\0'));
        Git own = git.with(Map.of("GIT_INDEX_FILE", folder.resolve("links").toString()));
        own.feed(entries.toString().getBytes(US_ASCII), "update-index", "-z", "--index-info");
        own.run("checkout-index", "-a", "--prefix=" + folder + "/");
      }

      @Override
      public void close() {
        objects.close();
      }
    };
  }
}
