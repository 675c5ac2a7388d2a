// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.folder;

import dev.varve.BlobHash;
import dev.varve.BulkStore;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.access.StoreAccess;
import dev.varve.disk.DiskLock;
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
import dev.varve.tree.StoredTrees;
import dev.varve.tree.TreeEntry;
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
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The snapshots of a folder as file trees in a store, one turn for each. Needs no git, and looks
/// into no repository.
public final class FolderArchive implements SnapshotArchive {

  private final Path root;
  private final Path folder;
  private final StoreAccess access;
  private final SnapshotContext context;
  private final FolderCapture capture;

  private FolderArchive(
      CapturedFolder place,
      StoreAccess access,
      ContentReader.Opener opener,
      InstantSource clock,
      long fileBytesMax) {
    this.root = place.root();
    this.folder = place.notes();
    this.access = access;
    this.context = new SnapshotContext(root, folder);
    this.capture = new FolderCapture(place, access, opener, clock, fileBytesMax);
  }

  /// The archive of the worktree that a folder is in: the nearest folder above that was captured
  /// before or that git would call one; else the folder itself.
  ///
  /// @param fileBytesMax larger files are not captured
  /// @throws StoreException.NotFound if there is no such folder
  /// @throws StoreException.Invalid if it is too much to be captured (the user's home, the whole
  ///   disk), or a part of a repository or store
  public static FolderArchive at(
      Path folder, StoreAccess access, InstantSource clock, long fileBytesMax) {
    return at(folder, access, ContentReader.Opener.PLAIN, clock, fileBytesMax);
  }

  static FolderArchive at(
      Path folder,
      StoreAccess access,
      ContentReader.Opener opener,
      InstantSource clock,
      long fileBytesMax) {
    CapturedFolder place = CapturedFolder.of(folder, access.folder());
    return new FolderArchive(place, access, opener, clock, fileBytesMax);
  }

  @Override
  public Path root() {
    return root;
  }

  /// True if the folder's context has a turn with the snapshot, let go or not.
  @Override
  public boolean isOwn(Snapshot snapshot) {
    BlobHash name = BlobHash.parse(snapshot.commit());
    return reading(
        false,
        store -> context.kept(store).containsKey(name) || context.letGo(store).contains(name));
  }

  @Override
  public Path folder() {
    return folder;
  }

  @Override
  public List<Path> folders() {
    return List.of(folder);
  }

  /// Locks the folder. Makes the store first if there is none, because a new store wants its folder
  /// empty.
  @Override
  public DiskLock lock() {
    if (Files.notExists(access.root())) {
      access.open().close();
    }
    return SnapshotArchive.super.lock();
  }

  @Override
  public Snapshot take(CapturePurpose purpose) {
    CapturedFolder.remember(root, folder);
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
    Optional<BulkStore> there = access.openIfThere();
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
        List.of(), store -> context.kept(store).keySet().stream().map(BlobHash::toString).toList());
  }

  /// Reads the snapshots. The store is open for a page at a time only, because other processes want
  /// it too.
  @Override
  public List<Snapshot> snapshots() {
    Map<BlobHash, Snapshot> found = new LinkedHashMap<>();
    @Nullable TurnId older = null;
    do {
      TurnId from = older;
      SnapshotContext.Page page =
          reading(
              new SnapshotContext.Page(List.of(), null),
              store -> context.page(store, from, View.LATEST));
      for (Turn turn : page.turns()) {
        Optional.ofNullable(turn.payload())
            .flatMap(SnapshotPayload::read)
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
        .flatMap(SnapshotPayload::read)
        .orElseThrow(() -> new StoreException.NotFound("snapshot", name));
  }

  private static Optional<Payload> get(Store store, BlobHash hash) {
    return store.has(hash) ? Optional.of(store.get(hash)) : Optional.empty();
  }

  /// The snapshots that this folder's context keeps. The store also has snapshots of other folders,
  /// and the bytes of those that were let go.
  @Override
  public Set<String> present(Set<String> names) {
    return names.isEmpty()
        ? Set.of()
        : reading(
            Set.of(),
            store -> {
              Set<String> present = new HashSet<>();
              context.kept(store).keySet().forEach(name -> present.add(name.toString()));
              present.retainAll(names);
              return present;
            });
  }

  @Override
  public Map<String, String> elsewhere(Set<String> names) {
    return names.isEmpty()
        ? Map.of()
        : reading(
            Map.of(),
            store -> {
              Map<String, String> others = new HashMap<>();
              Set<BlobHash> own = new HashSet<>(context.kept(store).keySet());
              own.addAll(context.letGo(store));
              for (String name : names) {
                Optional.of(name)
                    .filter(each -> each.length() == 2 * BlobHash.SIZE_BYTES)
                    .map(BlobHash::parse)
                    .filter(hash -> !own.contains(hash))
                    .flatMap(hash -> get(store, hash))
                    .flatMap(SnapshotPayload::read)
                    .flatMap(Snapshot::metadata)
                    .ifPresent(metadata -> others.put(name, metadata.worktree()));
              }
              return others;
            });
  }

  /// Marks the turns of these snapshots as deleted.
  @Override
  public Set<String> drop(Set<String> unwanted) {
    return SnapshotRemoval.drop(access, context, unwanted);
  }

  @Override
  public long retainedBytes(Set<String> names) {
    return reading(
        0L, store -> new SnapshotRemoval(store).retainedBytes(context.kept(store).keySet(), names));
  }

  @Override
  public ArchiveHealth check(@Nullable UnfinishedRestore begun) {
    List<String> remarks =
        new ArrayList<>(List.of("They are kept in the store " + access.folder() + "."));
    return reading(
        new ArchiveHealth(0, begun, List.of(), remarks), store -> health(store, remarks, begun));
  }

  private ArchiveHealth health(
      Store store, List<String> remarks, @Nullable UnfinishedRestore begun) {
    int gone = context.letGo(store).size();
    if (gone > 0) {
      remarks.add(
          "Snapshots that were let go: "
              + gone
              + ". What they held stays in the store, which deletes nothing; all 64 digits of a"
              + " name still lead to it.");
    }
    return new FolderHealth(store).of(context.kept(store).keySet(), remarks, begun);
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
            List.of(),
            store -> TreeChanges.between(new StoredTrees(store::get), tree(from), tree(to)));
  }

  @Override
  public byte[] diff(Snapshot from, Snapshot to, boolean stat) {
    List<TreeChange> changes = changes(from, to);
    return reading(new byte[0], store -> new TextDiff(store, changes).text(stat));
  }

  @Override
  public LineCounts lines(Snapshot from, Snapshot to, Predicate<RepoPath> among) {
    List<TreeChange> changes =
        changes(from, to).stream().filter(change -> among.test(change.path())).toList();
    return reading(LineCounts.NONE, store -> new TextDiff(store, changes).lines());
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
          new StoredTrees(store::get)
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
      return Optional.of(new StoredTrees(store::get).entry(tree(snapshot), TreeNames.text(path)));
    } catch (StoreException.NotFound | StoreException.Invalid e) {
      return Optional.empty();
    }
  }

  @Override
  public SnapshotContents contents() {
    return new StoreContents(access.open());
  }

  // ---- what absence means

  @Override
  public Map<RepoPath, String> notAbsent(Snapshot then, Collection<RepoPath> paths) {
    IgnoreFileRules rules =
        IgnoreFileRules.parse(then.metadata().map(SnapshotMetadata::excludes).orElse(""));
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
