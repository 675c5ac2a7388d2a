// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.varve.StoreException;
import dev.varve.git.IndexEntry;
import dev.varve.git.LooseObjects;
import dev.varve.git.RepoPath;
import dev.varve.rewind.FolderChecks;
import dev.varve.rewind.SnapshotMetadata;
import dev.varve.rewind.SteadyFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// The worktree as the last capture of this process met it. The next capture only looks at sizes
/// and times, reads the changed files, and makes the trees above them; git is asked about new names
/// alone.
///
/// The cache knows what git found, and no more. In every case that it does not cover it gives up,
/// and git looks again. The cache may be lost at any time. Called under the shadow's lock.
final class WorktreeCache {

  /// With more changes git is quicker.
  private static final int CHANGES_MAX = 500;

  private static final RepoPath RULES_FILE = RepoPath.of(".gitignore");

  private final Path root;
  private final ShadowRepository shadow;
  private final CachedNames names;
  private final LooseObjects objects;
  private final Statx statx;
  private final CachedFolder top;
  private final long fileBytesMax;
  private SnapshotMetadata metadata;

  /// The [UserGitRules#signature] when the cache was made.
  final String rules;

  private WorktreeCache(
      Worktree worktree,
      ShadowRepository shadow,
      Statx statx,
      WorktreeScan.Found found,
      String rules,
      long fileBytesMax) {
    this.root = worktree.root();
    this.names =
        new CachedNames(
            root,
            statx,
            new GitIgnoreRules(shadow.git(), worktree.git()),
            found.repositories(),
            found.seen().metadata());
    this.shadow = shadow;
    this.objects = worktree.objects();
    this.statx = statx;
    this.metadata = found.seen().metadata();
    this.rules = rules;
    this.fileBytesMax = fileBytesMax;
    this.top = CachedFolder.top(CachedFolder.terminated(RepoPath.of(root.toString())));
  }

  /// Remembers the state that a capture by git found. Empty if the cache does not cover it, or
  /// something changed since.
  ///
  /// @param startedAtNanos when that capture began
  static Optional<WorktreeCache> of(
      Worktree worktree,
      ShadowRepository shadow,
      WorktreeScan.Found found,
      String rules,
      long startedAtNanos,
      long fileBytesMax) {
    Statx statx = Statx.open();
    boolean plain =
        statx != null
            && found.repositories().closed().equals(found.seen().metadata().leftOut())
            && shadow.isPlain()
            && Files.exists(shadow.index());
    if (statx == null || !plain) {
      return Optional.empty();
    }
    WorktreeCache known = new WorktreeCache(worktree, shadow, statx, found, rules, fileBytesMax);
    try {
      for (IndexEntry entry : IndexEntry.read(shadow.index(), worktree.idBytes())) {
        known.top.enter(entry, startedAtNanos);
      }
      LooseObjects hasher = worktree.objects();
      String tree = known.top.tree(bytes -> hasher.id("tree", bytes));
      if (!found.seen().tree().equals(tree)) {
        return Optional.empty();
      }
      known.listAll(startedAtNanos);
      return Optional.of(known);
    } catch (NeedsGit | IOException | StoreException e) {
      return Optional.empty();
    }
  }

  // ---- names

  private interface Visit {
    void folder(CachedFolder folder, int open) throws NeedsGit, IOException;

    default void gone(CachedFolder folder) throws NeedsGit {
      throw new NeedsGit(folder.path + " went away");
    }
  }

  private void walk(CachedFolder folder, int above, Visit visit) throws NeedsGit, IOException {
    int open = statx.openFolder(above, folder.name);
    if (open < 0) {
      visit.gone(folder);
      return;
    }
    try {
      visit.folder(folder, open);
      for (CachedFolder inner : List.copyOf(folder.folders.values())) {
        walk(inner, open, visit);
      }
    } finally {
      statx.close(open);
    }
  }

  private void listAll(long atNanos) throws NeedsGit, IOException {
    Map<RepoPath, CachedFolder> fresh = new LinkedHashMap<>();
    walk(top, -1, (folder, open) -> fresh.putAll(names.list(folder, open, atNanos)));
    while (!fresh.isEmpty()) {
      Map<RepoPath, CachedFolder> left = names.sorted(fresh);
      fresh.clear();
      for (Map.Entry<RepoPath, CachedFolder> each : left.entrySet()) {
        if (!Files.isDirectory(each.getKey().under(root), LinkOption.NOFOLLOW_LINKS)) {
          throw new NeedsGit("a file came meanwhile");
        }
        fresh.putAll(names.listed(each.getValue().folder(each.getKey().name()), atNanos));
      }
    }
  }

  // ---- the next look

  /// Looks again. Empty if the cache gives up, and is of no further use.
  ///
  /// @param nowNanos since 1970, by the clock of files
  Optional<WorktreeState> look(long nowNanos) {
    try {
      names.demandTheSameRepositories();
      Map<CachedFile, CachedFolder> changed = new LinkedHashMap<>();
      Map<RepoPath, CachedFolder> fresh = new LinkedHashMap<>();
      SortedMap<RepoPath, String> modes = new TreeMap<>(metadata.modes());
      walk(
          top,
          -1,
          new Visit() {
            @Override
            public void folder(CachedFolder folder, int open) throws NeedsGit, IOException {
              look(folder, open, nowNanos, changed, fresh, modes);
            }

            @Override
            public void gone(CachedFolder folder) throws NeedsGit {
              forgetFolder(folder, modes);
            }
          });
      while (!fresh.isEmpty()) {
        Map<RepoPath, CachedFolder> left = names.sorted(fresh);
        fresh.clear();
        for (Map.Entry<RepoPath, CachedFolder> each : left.entrySet()) {
          enter(each.getKey(), each.getValue(), nowNanos, changed, fresh);
        }
        demandFew(changed.size() + fresh.size());
      }
      for (Map.Entry<CachedFile, CachedFolder> each : changed.entrySet()) {
        read(each.getKey(), each.getValue(), nowNanos, modes);
      }
      metadata =
          new SnapshotMetadata(
              metadata.worktree(),
              metadata.plain(),
              modes,
              metadata.leftOut(),
              metadata.sparse(),
              metadata.excludes(),
              metadata.repositories(),
              Optional.of(names.emptyFolders(top, emptyBefore())));
      String tree = top.tree(bytes -> objects.write("tree", bytes));
      return tree == null ? Optional.empty() : Optional.of(new WorktreeState(tree, metadata));
    } catch (NeedsGit | IOException e) {
      return Optional.empty();
    }
  }

  private Set<RepoPath> emptyBefore() {
    return metadata.emptyFolders().map(Map::keySet).orElse(Set.of());
  }

  private static void demandFew(int changes) throws NeedsGit {
    if (changes > CHANGES_MAX) {
      throw new NeedsGit("many changes");
    }
  }

  private void look(
      CachedFolder folder,
      int open,
      long nowNanos,
      Map<CachedFile, CachedFolder> changed,
      Map<RepoPath, CachedFolder> fresh,
      SortedMap<RepoPath, String> modes)
      throws NeedsGit, IOException {
    if (!statx.lookAtFolder(open)) {
      throw new NeedsGit("a folder cannot be looked at");
    }
    if (!folder.isListed(statx)) {
      folder.wasListed(statx, nowNanos);
      fresh.putAll(names.names(folder));
      demandFew(fresh.size());
    }
    List<RepoPath> gone = new ArrayList<>();
    for (Map.Entry<RepoPath, CachedFile> each : folder.files.entrySet()) {
      CachedFile file = each.getValue();
      if (!statx.look(open, file.name)) {
        gone.add(each.getKey());
      } else if (!file.is(statx)) {
        changed.put(file, folder);
        demandFew(changed.size());
      }
    }
    for (RepoPath name : gone) {
      forget(folder, name, modes);
    }
  }

  /// Forgets a folder that went away, with everything in it.
  private void forgetFolder(CachedFolder folder, SortedMap<RepoPath, String> modes)
      throws NeedsGit {
    CachedFolder parent = folder.parent;
    Path place = folder.path.under(root);
    if (parent == null
        || Files.exists(place, LinkOption.NOFOLLOW_LINKS)
        || !FolderChecks.isGone(root, place)
        || hasRules(folder)) {
      throw new NeedsGit("rules went, or a folder cannot be looked at");
    }
    parent.folders.remove(folder.path.name());
    shadow.missed();
    modes.keySet().removeIf(path -> path.isIn(folder.path));
    parent.changed();
  }

  private static boolean hasRules(CachedFolder folder) {
    return folder.files.containsKey(RULES_FILE)
        || folder.folders.values().stream().anyMatch(WorktreeCache::hasRules);
  }

  private void forget(CachedFolder folder, RepoPath name, SortedMap<RepoPath, String> modes)
      throws NeedsGit {
    RepoPath path = folder.child(name);
    if (name.equals(RULES_FILE)
        || Files.exists(path.under(root), LinkOption.NOFOLLOW_LINKS)
        || !FolderChecks.isGone(root, path.under(root))) {
      throw new NeedsGit("rules went, or what is there cannot be looked at");
    }
    folder.files.remove(name);
    shadow.missed();
    modes.remove(path);
    folder.changed();
  }

  /// Takes a new name: a file to be read, or a folder to be looked into.
  private void enter(
      RepoPath path,
      CachedFolder in,
      long nowNanos,
      Map<CachedFile, CachedFolder> changed,
      Map<RepoPath, CachedFolder> fresh)
      throws NeedsGit, IOException {
    RepoPath name = path.name();
    if (Files.isDirectory(path.under(root), LinkOption.NOFOLLOW_LINKS)) {
      fresh.putAll(names.listed(in.folder(name), nowNanos));
      return;
    }
    MemorySegment terminated = CachedFolder.terminated(name);
    CachedFile file = new CachedFile(terminated, 0, "", new IndexEntry.Stat(0, 0, 0, 0), 0);
    in.files.put(name, file);
    changed.put(file, in);
  }

  private void read(
      CachedFile file, CachedFolder folder, long nowNanos, SortedMap<RepoPath, String> modes)
      throws NeedsGit, IOException {
    MemorySegment name = CachedFolder.terminated(names.absolute(folder.child(nameOf(file))));
    RepoPath path = folder.child(nameOf(file));
    if (!statx.look(-1, name)) {
      throw new NeedsGit("a file went away");
    }
    // The state is taken before the reading only: the next look finds a change made meanwhile.
    String id = written(path);
    if (path.name().equals(RULES_FILE) && !id.equals(file.id)) {
      throw new NeedsGit("rules changed");
    }
    if (!id.equals(file.id) || CachedFile.mode(statx) != file.mode) {
      folder.changed();
    }
    file.wasRead(id, statx, nowNanos);
    String octal = String.format("%03o", statx.mode() & 0777);
    if (file.mode == dev.varve.git.TreeChange.LINK
        || octal.equals(metadata.plain().of(file.mode == dev.varve.git.TreeChange.PROGRAM))) {
      modes.remove(path);
    } else {
      modes.put(path, octal);
    }
  }

  private String written(RepoPath path) throws NeedsGit, IOException {
    Path file = path.under(root);
    if (statx.kind() == Statx.LINK) {
      byte[] target = Files.readSymbolicLink(file).toString().getBytes(ISO_8859_1);
      // Java's paths drop a slash at the end, and cannot say every name.
      if (target.length != statx.sizeBytes() || new String(target, ISO_8859_1).indexOf('?') >= 0) {
        throw new NeedsGit("a link with an odd target");
      }
      return objects.write("blob", target);
    }
    if (statx.kind() != Statx.FILE || statx.sizeBytes() > fileBytesMax) {
      throw new NeedsGit("no file, or a large one");
    }
    return SteadyFile.blob(objects, file, fileBytesMax)
        .orElseThrow(() -> new NeedsGit("a file that changes all the time"));
  }

  private static RepoPath nameOf(CachedFile file) {
    byte[] bytes = file.name.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
    return RepoPath.of(java.util.Arrays.copyOf(bytes, bytes.length - 1));
  }
}
