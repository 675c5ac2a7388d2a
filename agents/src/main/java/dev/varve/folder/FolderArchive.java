// SPDX-License-Identifier: Apache-2.0
package dev.varve.folder;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.checkpoint.Archive;
import dev.varve.checkpoint.Contents;
import dev.varve.checkpoint.Facts;
import dev.varve.checkpoint.Health;
import dev.varve.checkpoint.Purpose;
import dev.varve.checkpoint.Rewind;
import dev.varve.checkpoint.Snapshot;
import dev.varve.disk.DiskLock;
import dev.varve.git.RepoPath;
import dev.varve.git.TreeChange;
import dev.varve.tree.TreeEntry;
import dev.varve.tree.Trees;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Snapshots of a folder as file trees in a store, a turn each. Needs no git, and looks into none.
public final class FolderArchive implements Archive {

  private final Path root;
  private final Path folder;
  private final StoreDoor door;
  private final Chain chain;
  private final FolderCapture capture;

  private FolderArchive(
      Place place, StoreDoor door, Reading.Opener opener, InstantSource clock, long fileBytesMax) {
    this.root = place.root();
    this.folder = place.notes();
    this.door = door;
    this.chain = new Chain(root, folder);
    this.capture = new FolderCapture(place, door, opener, clock, fileBytesMax);
  }

  /// The archive of the worktree that a folder is in: the nearest folder above that was captured
  /// before or that git would call one; else the folder itself.
  ///
  /// @param fileBytesMax larger files are not captured
  /// @throws StoreException.NotFound if there is no such folder
  /// @throws StoreException.Invalid if it is too much to be captured (the user's home, the whole
  ///   disk), or a part of a repository or store
  public static FolderArchive at(
      Path folder, StoreDoor door, InstantSource clock, long fileBytesMax) {
    return at(folder, door, Reading.Opener.PLAIN, clock, fileBytesMax);
  }

  static FolderArchive at(
      Path folder, StoreDoor door, Reading.Opener opener, InstantSource clock, long fileBytesMax) {
    Place place = Place.of(folder, door.folder());
    return new FolderArchive(place, door, opener, clock, fileBytesMax);
  }

  @Override
  public Path root() {
    return root;
  }

  @Override
  public Path folder() {
    return folder;
  }

  @Override
  public List<Path> folders() {
    return List.of(folder);
  }

  /// Makes the store first if there is none: it wants its folder empty.
  @Override
  public DiskLock lock() {
    if (Files.notExists(door.mark())) {
      door.open().close();
    }
    return Archive.super.lock();
  }

  @Override
  public Snapshot take(Purpose purpose) {
    Place.remember(root, folder);
    return capture.take(purpose);
  }

  @Override
  public Set<String> lastOnes() {
    String last = last();
    return last == null ? Set.of() : Set.of(last);
  }

  @Override
  public @Nullable String last() {
    return capture.last().map(Snapshot::commit).orElse(null);
  }

  // ---- keeping

  private <T> T reading(T otherwise, Function<Store, T> work) {
    Optional<Store> there = door.openIfThere();
    if (there.isEmpty()) {
      return otherwise;
    }
    try (Store store = there.get()) {
      return work.apply(store);
    }
  }

  @Override
  public List<String> names() {
    return reading(
        List.of(), store -> chain.kept(store).keySet().stream().map(BlobHash::toString).toList());
  }

  /// The store is open for a page at a time only: others want it, too.
  @Override
  public List<Snapshot> snapshots() {
    Map<BlobHash, Snapshot> found = new LinkedHashMap<>();
    @Nullable TurnId older = null;
    do {
      TurnId from = older;
      Chain.Page page =
          reading(new Chain.Page(List.of(), null), store -> chain.page(store, from, View.LATEST));
      for (Turn turn : page.turns()) {
        Optional.ofNullable(turn.payload())
            .flatMap(CheckpointText::read)
            .ifPresent(snapshot -> found.putIfAbsent(turn.payloadHash(), snapshot));
      }
      older = page.older();
    } while (older != null);
    return List.copyOf(found.values());
  }

  @Override
  public Snapshot snapshot(String name) {
    String wanted = name.toLowerCase(Locale.ROOT);
    List<String> found =
        wanted.length() == 2 * BlobHash.SIZE_BYTES
            ? List.of(wanted)
            : names().stream().filter(each -> each.startsWith(wanted)).toList();
    if (found.size() != 1) {
      throw new StoreException.NotFound("snapshot", name);
    }
    BlobHash hash = BlobHash.parse(found.getFirst());
    return reading(Optional.<Payload>empty(), store -> get(store, hash))
        .flatMap(CheckpointText::read)
        .orElseThrow(() -> new StoreException.NotFound("snapshot", name));
  }

  private static Optional<Payload> get(Store store, BlobHash hash) {
    return store.has(hash) ? Optional.of(store.get(hash)) : Optional.empty();
  }

  /// One that was let go is not present, although all of it is still there.
  @Override
  public Set<String> present(Set<String> names) {
    Set<String> present = new HashSet<>(names);
    present.removeIf(name -> !name.matches("[0-9a-f]{64}"));
    return present.isEmpty()
        ? present
        : reading(
            Set.of(),
            store -> {
              present.removeIf(name -> !store.has(BlobHash.parse(name)));
              chain.letGo(store).forEach(name -> present.remove(name.toString()));
              return present;
            });
  }

  /// Marks the turns of these snapshots as deleted.
  @Override
  public Set<String> drop(Set<String> unwanted) {
    return LettingGo.drop(door, chain, unwanted);
  }

  @Override
  public long staying(Set<String> names) {
    return reading(0L, store -> new LettingGo(store).staying(chain.kept(store).keySet(), names));
  }

  @Override
  public Health check(Rewind.@Nullable Begun begun) {
    List<String> remarks =
        new ArrayList<>(List.of("They are kept in the store " + door.folder() + "."));
    return reading(
        new Health(0, begun, List.of(), remarks), store -> health(store, remarks, begun));
  }

  private Health health(Store store, List<String> remarks, Rewind.@Nullable Begun begun) {
    int gone = chain.letGo(store).size();
    if (gone > 0) {
      remarks.add(
          "Snapshots that were let go: "
              + gone
              + ". What they held stays in the store, which deletes nothing; all 64 digits of a"
              + " name still lead to it.");
    }
    return new FolderHealth(store).of(chain.kept(store).keySet(), remarks, begun);
  }

  // ---- what is in them

  private static BlobHash tree(Snapshot snapshot) {
    return BlobHash.parse(snapshot.tree());
  }

  @Override
  public List<TreeChange> changes(Snapshot from, Snapshot to) {
    return from.tree().equals(to.tree())
        ? List.of()
        : reading(
            List.of(), store -> TreeChanges.between(new Trees(store::get), tree(from), tree(to)));
  }

  @Override
  public byte[] diff(Snapshot from, Snapshot to, boolean stat) {
    List<TreeChange> changes = changes(from, to);
    return reading(new byte[0], store -> new TextDiff(store, changes).text(stat));
  }

  @Override
  public boolean has(Snapshot snapshot, RepoPath path) {
    return reading(false, store -> find(store, snapshot, path).isPresent());
  }

  @Override
  public List<RepoPath> files(Snapshot snapshot) {
    List<RepoPath> files = new ArrayList<>();
    reading(
        files,
        store -> {
          new Trees(store::get)
              .walk(
                  tree(snapshot),
                  place -> {
                    if (!place.entry().isDirectory()) {
                      files.add(TreeNames.path(place.path()));
                    }
                  });
          return files;
        });
    return files;
  }

  private static Optional<TreeEntry> find(Store store, Snapshot snapshot, RepoPath path) {
    try {
      return Optional.of(new Trees(store::get).entry(tree(snapshot), TreeNames.text(path)));
    } catch (StoreException.NotFound | StoreException.Invalid e) {
      return Optional.empty();
    }
  }

  @Override
  public Contents contents() {
    return new StoreContents(door.open());
  }

  // ---- what absence means

  @Override
  public Map<RepoPath, String> notAbsent(Snapshot then, Collection<RepoPath> paths) {
    IgnoreRules rules = IgnoreRules.parse(then.facts().map(Facts::excludes).orElse(""));
    Map<RepoPath, String> why = new HashMap<>();
    paths.stream()
        .filter(path -> rules.ignoresSomewhere(path, false) || rules.ignoresSomewhere(path, true))
        .forEach(path -> why.put(path, "was ignored then"));
    return why;
  }

  @Override
  public Map<RepoPath, String> notWanted(Snapshot now, Collection<RepoPath> paths) {
    return Map.of();
  }

  @Override
  public Set<RepoPath> lasting(Snapshot snapshot, Collection<RepoPath> folders) {
    return reading(
        Set.of(),
        store -> {
          Set<RepoPath> lasting = new HashSet<>(folders);
          lasting.removeIf(
              path -> find(store, snapshot, path).filter(TreeEntry::isDirectory).isEmpty());
          return lasting;
        });
  }
}
