// SPDX-License-Identifier: Apache-2.0
package dev.varve.checkpoint;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.varve.StoreException;
import dev.varve.git.IndexEntry;
import dev.varve.git.LooseObjects;
import dev.varve.git.RepoPath;
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

/// The worktree as the last capture of this process met it. The next one only looks at sizes and
/// times, reads what changed, and makes the trees above it; git is asked about new names alone.
///
/// It knows what git found, and no more: at whatever is not plain it gives up, and git looks again.
/// All of it can be lost. Called under the shadow's lock.
final class Known {

  /// With more changes git is quicker.
  private static final int CHANGES_MAX = 500;

  private static final RepoPath RULES_FILE = RepoPath.of(".gitignore");

  /// What a look found.
  record Seen(String tree, Facts facts) {}

  private final Path root;
  private final Shadow shadow;
  private final KnownNames names;
  private final LooseObjects objects;
  private final Statx statx;
  private final KnownFolder top;
  private final long fileBytesMax;
  private Facts facts;

  /// [UserRules#signature] when it was made.
  final String rules;

  private Known(
      Worktree worktree,
      Shadow shadow,
      Statx statx,
      Inspection.Found found,
      String rules,
      long fileBytesMax) {
    this.root = worktree.root();
    this.names =
        new KnownNames(
            root,
            statx,
            new IgnoreRules(shadow.git(), worktree.git()),
            found.repositories(),
            found.seen().facts());
    this.shadow = shadow;
    this.objects = worktree.objects();
    this.statx = statx;
    this.facts = found.seen().facts();
    this.rules = rules;
    this.fileBytesMax = fileBytesMax;
    this.top = KnownFolder.top(KnownFolder.terminated(RepoPath.of(root.toString())));
  }

  /// Remembers what a capture by git found. Empty where that is not plain, or something changed
  /// since.
  ///
  /// @param startedAtNanos when that capture began
  static Optional<Known> of(
      Worktree worktree,
      Shadow shadow,
      Inspection.Found found,
      String rules,
      long startedAtNanos,
      long fileBytesMax) {
    Statx statx = Statx.open();
    boolean plain =
        statx != null
            && found.repositories().closed().equals(found.seen().facts().leftOut())
            && shadow.isPlain()
            && Files.exists(shadow.index());
    if (statx == null || !plain) {
      return Optional.empty();
    }
    Known known = new Known(worktree, shadow, statx, found, rules, fileBytesMax);
    try {
      for (IndexEntry entry : IndexEntry.read(shadow.index(), worktree.idBytes())) {
        known.enter(entry, startedAtNanos);
      }
      LooseObjects hasher = worktree.objects();
      String tree = known.top.tree(bytes -> hasher.id("tree", bytes));
      if (!found.seen().tree().equals(tree)) {
        return Optional.empty();
      }
      known.listAll(startedAtNanos);
      return Optional.of(known);
    } catch (GaveUp | IOException | StoreException e) {
      return Optional.empty();
    }
  }

  private void enter(IndexEntry entry, long atNanos) {
    KnownFolder folder = top;
    List<RepoPath> steps = new ArrayList<>();
    for (Optional<RepoPath> step = entry.path().parent(); step.isPresent(); ) {
      steps.add(step.get().name());
      step = step.get().parent();
    }
    for (RepoPath step : steps.reversed()) {
      folder = folder.folder(step);
    }
    RepoPath name = entry.path().name();
    folder.files.put(
        name,
        new KnownFile(
            KnownFolder.terminated(name), entry.mode(), entry.id(), entry.stat(), atNanos));
  }

  // ---- names

  private interface Visit {
    void folder(KnownFolder folder, int open) throws GaveUp, IOException;

    default void gone(KnownFolder folder) throws GaveUp {
      throw new GaveUp(folder.path + " went away");
    }
  }

  private void walk(KnownFolder folder, int above, Visit visit) throws GaveUp, IOException {
    int open = statx.openFolder(above, folder.name);
    if (open < 0) {
      visit.gone(folder);
      return;
    }
    try {
      visit.folder(folder, open);
      for (KnownFolder inner : List.copyOf(folder.folders.values())) {
        walk(inner, open, visit);
      }
    } finally {
      statx.close(open);
    }
  }

  private void listAll(long atNanos) throws GaveUp, IOException {
    Map<RepoPath, KnownFolder> fresh = new LinkedHashMap<>();
    walk(top, -1, (folder, open) -> fresh.putAll(names.list(folder, open, atNanos)));
    while (!fresh.isEmpty()) {
      Map<RepoPath, KnownFolder> left = names.sorted(fresh);
      fresh.clear();
      for (Map.Entry<RepoPath, KnownFolder> each : left.entrySet()) {
        if (!Files.isDirectory(each.getKey().under(root), LinkOption.NOFOLLOW_LINKS)) {
          throw new GaveUp("a file came meanwhile");
        }
        fresh.putAll(names.listed(each.getValue().folder(each.getKey().name()), atNanos));
      }
    }
  }

  // ---- the next look

  /// Looks again. Empty if it gives up: then it is of no further use.
  ///
  /// @param nowNanos since 1970, by the clock of files
  Optional<Seen> look(long nowNanos) {
    try {
      names.demandTheSameRepositories();
      Map<KnownFile, KnownFolder> changed = new LinkedHashMap<>();
      Map<RepoPath, KnownFolder> fresh = new LinkedHashMap<>();
      SortedMap<RepoPath, String> modes = new TreeMap<>(facts.modes());
      walk(
          top,
          -1,
          new Visit() {
            @Override
            public void folder(KnownFolder folder, int open) throws GaveUp, IOException {
              look(folder, open, nowNanos, changed, fresh, modes);
            }

            @Override
            public void gone(KnownFolder folder) throws GaveUp {
              forgetFolder(folder, modes);
            }
          });
      while (!fresh.isEmpty()) {
        Map<RepoPath, KnownFolder> left = names.sorted(fresh);
        fresh.clear();
        for (Map.Entry<RepoPath, KnownFolder> each : left.entrySet()) {
          enter(each.getKey(), each.getValue(), nowNanos, changed, fresh);
        }
        demandFew(changed.size() + fresh.size());
      }
      for (Map.Entry<KnownFile, KnownFolder> each : changed.entrySet()) {
        read(each.getKey(), each.getValue(), nowNanos, modes);
      }
      facts =
          new Facts(
              facts.worktree(),
              facts.plain(),
              modes,
              facts.leftOut(),
              facts.sparse(),
              facts.excludes(),
              facts.repositories(),
              Optional.of(names.emptyFolders(top, emptyBefore())));
      String tree = top.tree(bytes -> objects.write("tree", bytes));
      return tree == null ? Optional.empty() : Optional.of(new Seen(tree, facts));
    } catch (GaveUp | IOException e) {
      return Optional.empty();
    }
  }

  private Set<RepoPath> emptyBefore() {
    return facts.emptyFolders().map(Map::keySet).orElse(Set.of());
  }

  private static void demandFew(int changes) throws GaveUp {
    if (changes > CHANGES_MAX) {
      throw new GaveUp("many changes");
    }
  }

  private void look(
      KnownFolder folder,
      int open,
      long nowNanos,
      Map<KnownFile, KnownFolder> changed,
      Map<RepoPath, KnownFolder> fresh,
      SortedMap<RepoPath, String> modes)
      throws GaveUp, IOException {
    if (!statx.lookAtFolder(open)) {
      throw new GaveUp("a folder cannot be looked at");
    }
    if (!folder.isListed(statx)) {
      folder.wasListed(statx, nowNanos);
      fresh.putAll(names.names(folder));
      demandFew(fresh.size());
    }
    List<RepoPath> gone = new ArrayList<>();
    for (Map.Entry<RepoPath, KnownFile> each : folder.files.entrySet()) {
      KnownFile file = each.getValue();
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

  /// A folder that is not there any more, with all that was in it.
  private void forgetFolder(KnownFolder folder, SortedMap<RepoPath, String> modes) throws GaveUp {
    KnownFolder parent = folder.parent;
    Path place = folder.path.under(root);
    if (parent == null
        || Files.exists(place, LinkOption.NOFOLLOW_LINKS)
        || !Folders.isGone(root, place)
        || hasRules(folder)) {
      throw new GaveUp("rules went, or a folder cannot be looked at");
    }
    parent.folders.remove(folder.path.name());
    shadow.missed();
    modes.keySet().removeIf(path -> path.isIn(folder.path));
    parent.changed();
  }

  private static boolean hasRules(KnownFolder folder) {
    return folder.files.containsKey(RULES_FILE)
        || folder.folders.values().stream().anyMatch(Known::hasRules);
  }

  private void forget(KnownFolder folder, RepoPath name, SortedMap<RepoPath, String> modes)
      throws GaveUp {
    RepoPath path = folder.child(name);
    if (name.equals(RULES_FILE)
        || Files.exists(path.under(root), LinkOption.NOFOLLOW_LINKS)
        || !Folders.isGone(root, path.under(root))) {
      throw new GaveUp("rules went, or what is there cannot be looked at");
    }
    folder.files.remove(name);
    shadow.missed();
    modes.remove(path);
    folder.changed();
  }

  /// A new name: a file to be read, or a folder to be looked into.
  private void enter(
      RepoPath path,
      KnownFolder in,
      long nowNanos,
      Map<KnownFile, KnownFolder> changed,
      Map<RepoPath, KnownFolder> fresh)
      throws GaveUp, IOException {
    RepoPath name = path.name();
    if (Files.isDirectory(path.under(root), LinkOption.NOFOLLOW_LINKS)) {
      fresh.putAll(names.listed(in.folder(name), nowNanos));
      return;
    }
    MemorySegment terminated = KnownFolder.terminated(name);
    KnownFile file = new KnownFile(terminated, 0, "", new IndexEntry.Stat(0, 0, 0, 0), 0);
    in.files.put(name, file);
    changed.put(file, in);
  }

  private void read(
      KnownFile file, KnownFolder folder, long nowNanos, SortedMap<RepoPath, String> modes)
      throws GaveUp, IOException {
    MemorySegment name = KnownFolder.terminated(names.absolute(folder.child(nameOf(file))));
    RepoPath path = folder.child(nameOf(file));
    if (!statx.look(-1, name)) {
      throw new GaveUp("a file went away");
    }
    // Looked at before it is read, and not again: if it changes meanwhile, the next look tells.
    String id = written(path);
    if (path.name().equals(RULES_FILE) && !id.equals(file.id)) {
      throw new GaveUp("rules changed");
    }
    if (!id.equals(file.id) || KnownFile.mode(statx) != file.mode) {
      folder.changed();
    }
    file.wasRead(id, statx, nowNanos);
    String octal = String.format("%03o", statx.mode() & 0777);
    if (file.mode == dev.varve.git.TreeChange.LINK
        || octal.equals(facts.plain().of(file.mode == dev.varve.git.TreeChange.PROGRAM))) {
      modes.remove(path);
    } else {
      modes.put(path, octal);
    }
  }

  private String written(RepoPath path) throws GaveUp, IOException {
    Path file = path.under(root);
    if (statx.kind() == Statx.LINK) {
      byte[] target = Files.readSymbolicLink(file).toString().getBytes(ISO_8859_1);
      // Java's paths drop a slash at the end, and cannot say every name.
      if (target.length != statx.sizeBytes() || new String(target, ISO_8859_1).indexOf('?') >= 0) {
        throw new GaveUp("a link with an odd target");
      }
      return objects.write("blob", target);
    }
    if (statx.kind() != Statx.FILE || statx.sizeBytes() > fileBytesMax) {
      throw new GaveUp("no file, or a large one");
    }
    return SteadyFile.blob(objects, file, fileBytesMax)
        .orElseThrow(() -> new GaveUp("a file that changes all the time"));
  }

  private static RepoPath nameOf(KnownFile file) {
    byte[] bytes = file.name.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
    return RepoPath.of(java.util.Arrays.copyOf(bytes, bytes.length - 1));
  }
}
