// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.BlobHash;
import dev.varve.BulkStore;
import dev.varve.CheckReport;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.NewTurn;
import dev.varve.Overlay;
import dev.varve.Payload;
import dev.varve.StoreCounts;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.TurnPage;
import dev.varve.View;
import dev.varve.blob.BlobPack;
import dev.varve.disk.Disk;
import dev.varve.disk.DiskLock;
import dev.varve.disk.LocalDisk;
import dev.varve.journal.Checkpoint;
import dev.varve.journal.Journal;
import dev.varve.journal.Position;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.nio.file.ReadOnlyFileSystemException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A store in a folder on the local disk.
///
/// One process has it open at a time; threads share one object. What is written when, and what
/// survives which accident, is told in `docs/durability.md`.
public final class LocalStore implements BulkStore {

  /// The file that is locked while the store is open.
  public static final String LOCK = "lock";

  private final Disk disk;
  private final DiskLock lock;
  private final StoreRoot root;
  private final StoreFiles files;
  private final StoreOptions options;
  private final Journal journal;
  private final Checkpointer checkpointer;
  private final Committer committer;
  private final BlobWriter writer;
  private final TurnReader reader;
  private volatile boolean closed;

  private LocalStore(
      Disk disk,
      DiskLock lock,
      StoreRoot root,
      StoreOptions options,
      InstantSource clock,
      Geometry geometry) {
    this.disk = disk;
    this.lock = lock;
    this.root = root;
    this.options = options;
    Recovery.Opened opened = Recovery.open(disk, root, options, geometry);
    this.files = opened.files();
    this.journal = new Journal(disk, geometry.journal());
    this.checkpointer =
        new Checkpointer(disk, files, journal, root.shortId(), opened.checkpointSeq());
    StoreException.Full full = null;
    try {
      if (opened.changed()) {
        checkpointer.now(opened.position(), true);
        journal.close(true);
      }
    } catch (StoreException.Full e) {
      full = e; // what was recovered can be read, and is recovered again when there is room
    } catch (RuntimeException | Error e) {
      files.close(false);
      throw e;
    }
    this.committer =
        new Committer(
            files,
            journal,
            checkpointer,
            options.durability(),
            options.limits(),
            clock,
            geometry,
            root.shortId(),
            opened.position(),
            full);
    this.writer =
        new BlobWriter(
            files.blobs, committer, options.limits(), geometry.chunks(), this::checkOpen);
    this.reader = new TurnReader(files, options.limits());
  }

  // ---- opening

  /// Opens the store in a folder, making one if the folder is absent or empty.
  ///
  /// @throws StoreException.NoStore if the folder has other things in it
  /// @throws StoreException.Busy if another process has the store open; names it
  /// @throws StoreException.FormatTooNew if a later version made the store
  public static LocalStore open(Path folder, StoreOptions options) {
    return open(LocalDisk.open(folder), options, InstantSource.system(), Geometry.DEFAULTS);
  }

  /// Opens the store in a folder.
  ///
  /// @throws StoreException.NoStore if there is none
  public static LocalStore openExisting(Path folder, StoreOptions options) {
    StorePlace.require(folder);
    return open(folder, options);
  }

  /// Opens the store in a folder to read from it, changing nothing there: a backup, or a medium
  /// that cannot be written. It may be open in several processes in this way, and then in none to
  /// write. Everything that writes is refused.
  ///
  /// @throws StoreException.NoStore if there is none
  /// @throws StoreException.Busy if another process has it open to write
  /// @throws StoreException.Io if it was not closed in order, or what is derived is missing: then
  ///   it has to be opened in a folder that can be written first
  public static LocalStore openReadOnly(Path folder, StoreOptions options) {
    StorePlace.require(folder);
    Disk disk = LocalDisk.openReadOnly(folder);
    DiskLock lock = disk.lock(LOCK, "");
    try {
      StoreRoot root = StoreRoot.read(disk);
      boolean clean = Checkpoint.read(disk, root.shortId()).map(Checkpoint::clean).orElse(false);
      if (!clean || Journal.isOn(disk)) {
        throw new StoreException.Io(
            disk.describe(),
            "not closed in order, and recovering it would change it",
            new ReadOnlyFileSystemException());
      }
      LocalStore store =
          new LocalStore(disk, lock, root, options, InstantSource.system(), Geometry.DEFAULTS);
      store.committer.refuse(
          new StoreException.Io(
              disk.describe(), "opened for reading only", new ReadOnlyFileSystemException()));
      store.committer.start();
      return store;
    } catch (RuntimeException | Error e) {
      lock.close();
      throw e;
    }
  }

  /// Opens the store on a disk, making one if the disk is empty.
  public static LocalStore open(
      Disk disk, StoreOptions options, InstantSource clock, Geometry geometry) {
    StorePlace.requireStoreOrVacant(disk);
    DiskLock lock =
        disk.lock(LOCK, "process " + ProcessHandle.current().pid() + " since " + clock.instant());
    try {
      StoreRoot root =
          StoreRoot.isIn(disk) ? StoreRoot.read(disk) : StorePlace.make(disk, clock.instant());
      LocalStore store = new LocalStore(disk, lock, root, options, clock, geometry);
      store.committer.start();
      return store;
    } catch (RuntimeException | Error e) {
      lock.close();
      throw e;
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new StoreException.Closed("store");
    }
  }

  // ---- contexts

  @Override
  public ContextHead createContext(TurnId base, @Nullable BlobHash about) {
    return reader.head(new ContextId(commit(draft -> draft.createContext(base, about))));
  }

  @Override
  public ContextHead describe(ContextId context, BlobHash about) {
    return reader.head(new ContextId(commit(draft -> draft.describe(context, about))));
  }

  @Override
  public ContextHead head(ContextId context) {
    checkOpen();
    return reader.head(context);
  }

  @Override
  public List<ContextHead> contexts(@Nullable ContextId after, int limit) {
    checkOpen();
    return reader.contexts(after, limit);
  }

  @Override
  public List<ContextHead> contextsBelow(@Nullable ContextId before, int limit) {
    checkOpen();
    return reader.contextsBelow(before, limit);
  }

  @Override
  public ContextHead restoreContext(
      ContextId id,
      TurnId head,
      TurnId base,
      Instant createdAt,
      Instant activeAt,
      @Nullable BlobHash about) {
    commit(draft -> draft.restoreContext(id, head, base, createdAt, activeAt, about));
    return reader.head(id);
  }

  // ---- turns

  @Override
  public Turn append(ContextId context, NewTurn turn) {
    long id = commit(turn.payload(), (draft, payload) -> draft.append(context, turn, payload));
    return reader.turn(new TurnId(id), View.AS_WRITTEN.withoutPayloads());
  }

  @Override
  public Turn restoreTurn(TurnId id, ContextId context, NewTurn turn, Instant createdAt) {
    commit(
        turn.payload(),
        (draft, payload) -> draft.restoreTurn(id, context, turn, payload, createdAt));
    return reader.turn(id, View.AS_WRITTEN.withoutPayloads());
  }

  @Override
  public Turn turn(TurnId id, View view) {
    checkOpen();
    return reader.turn(id, view);
  }

  @Override
  public TurnPage last(ContextId context, int limit, View view) {
    checkOpen();
    return reader.last(context, limit, view);
  }

  @Override
  public TurnPage before(ContextId context, TurnId cursor, int limit, View view) {
    checkOpen();
    return reader.before(context, cursor, limit, view);
  }

  @Override
  public TurnPage range(ContextId context, int startDepth, int limit, View view) {
    checkOpen();
    return reader.range(context, startDepth, limit, view);
  }

  @Override
  public void replay(TurnId last, View view, Consumer<? super Turn> each) {
    checkOpen();
    reader.replay(last, view, each);
  }

  @Override
  public TurnId ancestor(TurnId turn, int depth) {
    checkOpen();
    return reader.ancestor(turn, depth);
  }

  @Override
  public Optional<TurnId> findCommonAncestor(TurnId a, TurnId b) {
    checkOpen();
    return Optional.of(reader.commonAncestor(a, b)).filter(turn -> !turn.isNone());
  }

  @Override
  public Optional<TurnId> findChild(TurnId parent, BlobHash payload) {
    checkOpen();
    return Optional.of(reader.child(parent, payload)).filter(turn -> !turn.isNone());
  }

  // ---- blobs

  @Override
  public BlobHash put(Payload bytes) {
    BlobHash[] hash = new BlobHash[1];
    commit(
        bytes,
        (draft, blob) -> {
          hash[0] = draft.put(blob);
          return 0;
        });
    return hash[0];
  }

  @Override
  public List<BlobHash> putAll(List<Payload> blobs) {
    return writer.put(blobs);
  }

  @Override
  public BlobHash put(InputStream bytes, @Nullable BlobHash expected) throws IOException {
    return writer.put(bytes, expected);
  }

  @Override
  public BlobHash putGrown(
      BlobHash base, byte[] state, InputStream added, @Nullable BlobHash expected)
      throws IOException {
    return writer.putGrown(base, state, added, expected);
  }

  @Override
  public BlobHash assemble(BlobHash hash, Payload rootList) {
    return writer.assembleVerified(hash, rootList);
  }

  @Override
  public Payload get(BlobHash hash) {
    checkOpen();
    return files.blobs.get(hash);
  }

  @Override
  public InputStream read(BlobHash hash, long offset, long length) {
    checkOpen();
    return files.blobs.read(hash, offset, length);
  }

  @Override
  public long sizeBytes(BlobHash hash) {
    checkOpen();
    return files.blobs.rawBytes(hash);
  }

  @Override
  public Optional<Payload> findChunkList(BlobHash hash) {
    checkOpen();
    return files.blobs.findChunkList(hash);
  }

  @Override
  public boolean has(BlobHash hash) {
    checkOpen();
    return files.blobs.find(hash) >= 0;
  }

  // ---- overlays

  @Override
  public long patch(TurnId turn, Payload payload) {
    return commit(payload, (draft, blob) -> draft.patch(turn, blob));
  }

  @Override
  public long tombstone(TurnId turn) {
    BlobHash none = new BlobHash(0, 0, 0, 0);
    return commit(draft -> draft.overlay(turn, Overlay.Kind.TOMBSTONE, none));
  }

  @Override
  public long attachFsRoot(TurnId turn, BlobHash fsRoot) {
    return commit(draft -> draft.attachFsRoot(turn, fsRoot));
  }

  @Override
  public List<Overlay> overlays(TurnId turn) {
    checkOpen();
    return reader.overlays(turn);
  }

  // ---- committing

  @FunctionalInterface
  private interface BlobChange {
    long plan(Draft draft, BlobPack.Prepared blob);
  }

  private long commit(Committer.Change change) {
    committer.enter();
    try {
      checkOpen();
      return committer.commit(change);
    } finally {
      committer.leave();
    }
  }

  /// Hashes and compresses on the caller's thread, then commits.
  private long commit(Payload bytes, BlobChange change) {
    options.limits().checkPayload(bytes.sizeBytes());
    committer.enter();
    try {
      checkOpen();
      BlobPack.Prepared blob = files.blobs.prepare(bytes);
      return committer.commit(draft -> change.plan(draft, blob));
    } finally {
      committer.leave();
    }
  }

  // ---- the whole

  @Override
  public StoreCounts counts() {
    checkOpen();
    Position position = committer.position();
    return new StoreCounts(
        position.contexts(),
        position.turns(),
        position.blobs(),
        position.overlays(),
        files.types.count(),
        position.rawBytes(),
        position.storedBytes(),
        diskBytes());
  }

  private long diskBytes() {
    return fileBytes().values().stream().mapToLong(Long::longValue).sum();
  }

  /// The size in bytes of each of the store's files, by its name.
  public Map<String, Long> fileBytes() {
    Map<String, Long> sizes = disk.sizesBytes();
    sizes.remove(LOCK);
    return sizes;
  }

  /// How much more fits on the disk, as far as the system says.
  public long diskFreeBytes() {
    return disk.freeBytes();
  }

  /// How large the disk is; -1 where the system does not say.
  public long diskTotalBytes() {
    return disk.totalBytes();
  }

  /// Which store this is: given when it was made, part of its files.
  public UUID storeId() {
    return root.storeId();
  }

  /// Reads everything and verifies every checksum, hash and link. Commits may go on; what they add
  /// is not looked at.
  public CheckReport check() {
    checkOpen();
    return StoreCheck.of(files, committer.position());
  }

  /// Throws away all that is derived in a folder, so that the next opening makes it again from the
  /// primary files.
  ///
  /// @throws StoreException.Busy if the store is open
  public static void forgetDerived(Path folder) {
    Disk disk = LocalDisk.open(folder);
    try (DiskLock _ =
        disk.lock(LOCK, "process " + ProcessHandle.current().pid() + ", rebuilding")) {
      StoreRoot.read(disk);
      StoreFiles.DERIVED.forEach(disk::delete);
      disk.forceNames();
    }
  }

  /// Finishes what was accepted, makes everything durable where it belongs, and closes. Idempotent.
  ///
  /// @throws StoreException.Io if that fails; nothing acknowledged is lost, the next opening takes
  ///   it from the journal
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    boolean orderly = false;
    try {
      committer.close();
      checkpointer.await();
      boolean changed = committer.hasWritten() || files.heads.recentCount() > 0;
      if (changed && !committer.hasFailed()) {
        files.truncateToEnds(); // so that the checkpoint forces the sizes too
        checkpointer.now(committer.position(), true);
      }
      orderly = !committer.hasFailed();
    } finally {
      release(orderly);
    }
  }

  /// Gives everything back, the lock last and in any case.
  private void release(boolean orderly) {
    try (lock) {
      try {
        journal.close(orderly);
      } finally {
        files.close(orderly);
      }
    }
  }
}
