// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.varve.StoreException;
import dev.varve.disk.DiskLock;
import dev.varve.git.Git;
import dev.varve.git.ObjectReader;
import dev.varve.git.RepoPath;
import dev.varve.git.TreeChange;
import dev.varve.rewind.ArchiveHealth;
import dev.varve.rewind.CapturePurpose;
import dev.varve.rewind.LineCounts;
import dev.varve.rewind.Snapshot;
import dev.varve.rewind.SnapshotArchive;
import dev.varve.rewind.SnapshotContents;
import dev.varve.rewind.SnapshotMetadata;
import dev.varve.rewind.UnfinishedRestore;
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
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Snapshots as commits of the repository.
public final class GitArchive implements SnapshotArchive {

  /// A line of `git diff --numstat`. A file that is no text has dashes for numbers.
  private static final Pattern LINES_OF_A_PATH =
      Pattern.compile("([0-9]{1,15})\\t([0-9]{1,15})\\t(.+)", Pattern.DOTALL);

  private final Worktree worktree;
  private final StartFolder start;
  private final ShadowRepository shadow;
  private final SnapshotRef store;
  private final CaptureMemory memory = new CaptureMemory();
  private final MissingPathRules missingPaths;
  private final InstantSource clock;
  private final long fileBytesMax;

  /// @param start the folder by which the worktree was found
  /// @param fileBytesMax larger files are not captured
  public GitArchive(Worktree worktree, Path start, InstantSource clock, long fileBytesMax) {
    this.worktree = worktree;
    this.start = new StartFolder(worktree, start);
    this.shadow = new ShadowRepository(worktree);
    this.store = new SnapshotRef(worktree, clock);
    this.missingPaths = new MissingPathRules(worktree, shadow);
    this.clock = clock;
    this.fileBytesMax = fileBytesMax;
  }

  @Override
  public Path root() {
    return worktree.root();
  }

  @Override
  public boolean isOwn(Snapshot snapshot) {
    return snapshot
        .metadata()
        .map(SnapshotMetadata::worktree)
        .filter(name -> !name.isEmpty()) // else its line is damaged
        .map(name -> name.equals(worktree.name()))
        .orElse(true);
  }

  @Override
  public void demandHere(Snapshot snapshot) {
    start.demandPart(snapshot);
  }

  @Override
  public Path folder() {
    return shadow.folder();
  }

  /// Refuses a worktree that lost its git folder after it was opened: every git that is started in
  /// the worktree from then on finds the repository around it.
  @Override
  public DiskLock lock() {
    if (!Files.exists(worktree.gitFolder().resolve("HEAD"))) {
      throw new StoreException.NotFound("git folder", worktree.gitFolder().toString());
    }
    return SnapshotArchive.super.lock();
  }

  @Override
  public List<Path> folders() {
    return ShadowRepository.all(worktree);
  }

  @Override
  public Snapshot take(CapturePurpose purpose) {
    return new GitCapture(worktree, shadow, store, memory, clock, fileBytesMax).take(purpose);
  }

  @Override
  public void stay() {
    memory.stay();
  }

  CaptureMemory memory() {
    return memory;
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
    return SnapshotCommits.all(git(), store.snapshots());
  }

  @Override
  public Snapshot snapshot(String name) {
    String[] question = {"rev-parse", "-q", "--verify", name + "^{commit}"};
    Git.Output found = git().tryRun(new byte[0], question);
    if (found.status() == 1) {
      throw new StoreException.NotFound("snapshot", name);
    }
    if (found.status() != 0) {
      throw git().failed(found, question); // git itself cannot read its folder
    }
    return SnapshotCommits.get(git(), found.line());
  }

  @Override
  public Set<String> present(Set<String> names) {
    Set<String> own = new HashSet<>();
    existing(names).filter(this::isOwn).forEach(snapshot -> own.add(snapshot.commit()));
    return own;
  }

  @Override
  public Map<String, String> elsewhere(Set<String> names) {
    Map<String, String> others = new HashMap<>();
    existing(names)
        .filter(snapshot -> !isOwn(snapshot))
        .forEach(
            snapshot ->
                others.put(snapshot.commit(), snapshot.metadata().orElseThrow().worktree()));
    return others;
  }

  private Stream<Snapshot> existing(Set<String> names) {
    Set<String> present = SnapshotCommits.present(git(), names);
    return SnapshotCommits.all(git(), List.copyOf(present)).stream();
  }

  @Override
  public Set<String> drop(Set<String> unwanted) {
    return store.drop(unwanted);
  }

  /// Git collects in time what nobody keeps.
  @Override
  public long retainedBytes(Set<String> names) {
    return 0;
  }

  @Override
  public ArchiveHealth check(@Nullable UnfinishedRestore begun) {
    return new GitHealth(worktree, git(), store).result(begun);
  }

  /// Git without the user's settings, for reading snapshots.
  private Git git() {
    // Without a shadow, or with a damaged one, the repository's own git will do.
    return shadow.hasHead() && shadow.isFurnished() ? shadow.git() : worktree.keeper();
  }

  @Override
  public LineCounts lines(Snapshot from, Snapshot to, Predicate<RepoPath> among) {
    byte[] counts =
        git()
            .run(
                "diff",
                "--no-ext-diff",
                "--no-textconv",
                "--no-renames",
                "--numstat",
                "-z",
                from.commit(),
                to.commit());
    LineCounts lines = LineCounts.NONE;
    for (RepoPath piece : RepoPath.list(counts)) {
      Matcher line = LINES_OF_A_PATH.matcher(new String(piece.bytes(), ISO_8859_1));
      if (line.matches() && among.test(RepoPath.of(line.group(3).getBytes(ISO_8859_1)))) {
        lines =
            lines.plus(
                new LineCounts(Long.parseLong(line.group(1)), Long.parseLong(line.group(2))));
      }
    }
    return lines;
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
    return EmptyFolderChanges.with(TreeChange.between(git(), from.commit(), to.commit()), from, to);
  }

  @Override
  public byte[] diff(Snapshot from, Snapshot to, boolean stat) {
    byte[] folders = EmptyFolderChanges.lines(changes(from, to)).getBytes(UTF_8);
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
    missingPaths
        .sparseThen(then, paths)
        .forEach(path -> why.put(path, "was left out by sparse checkout"));
    missingPaths.ignoredThen(then, paths).forEach(path -> why.put(path, "was ignored then"));
    return why;
  }

  @Override
  public Map<RepoPath, String> notWanted(Snapshot now, Collection<RepoPath> paths) {
    Map<RepoPath, String> why = new HashMap<>();
    missingPaths
        .sparseNow(now, paths)
        .forEach(path -> why.put(path, "is left out by sparse checkout"));
    return why;
  }

  /// The folders that are empty in the snapshot, and the folders around them. Other folders have
  /// files.
  @Override
  public Set<RepoPath> lasting(Snapshot snapshot, Collection<RepoPath> folders) {
    Set<RepoPath> lasting = new HashSet<>(folders);
    lasting.removeIf(folder -> !hasEmpty(snapshot, folder));
    return lasting;
  }

  /// True if a folder was empty, or has an empty folder in it.
  private static boolean hasEmpty(Snapshot snapshot, RepoPath folder) {
    return snapshot.metadata().flatMap(SnapshotMetadata::emptyFolders).stream()
        .flatMap(empty -> empty.keySet().stream())
        .anyMatch(path -> path.isIn(folder));
  }

  @Override
  public SnapshotContents contents() {
    Git git = git();
    ObjectReader objects = ObjectReader.open(git);
    return new SnapshotContents() {
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
