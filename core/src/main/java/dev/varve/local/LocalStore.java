// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.BlobHash;
import dev.varve.BulkStore;
import dev.varve.CheckReport;
import dev.varve.ContextHead;
import dev.varve.ContextHold;
import dev.varve.ContextHolds;
import dev.varve.ContextId;
import dev.varve.EraseReceipt;
import dev.varve.EraseRequest;
import dev.varve.NewTurn;
import dev.varve.Overlay;
import dev.varve.Payload;
import dev.varve.PutOutcome;
import dev.varve.ReadProgress;
import dev.varve.StorageFacts;
import dev.varve.StoreCounts;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.TurnPage;
import dev.varve.View;
import dev.varve.WriteMeter;
import dev.varve.blob.BlobPack;
import dev.varve.blob.Codec;
import dev.varve.blob.PackListing;
import dev.varve.disk.Disk;
import dev.varve.disk.DiskLock;
import dev.varve.disk.LocalDisk;
import dev.varve.journal.Checkpoint;
import dev.varve.journal.Journal;
import dev.varve.journal.StorePosition;
import dev.varve.turn.HoldTable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.nio.file.ReadOnlyFileSystemException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A store in a folder on the local disk.
///
/// One process has it open at a time; threads share one object. `docs/durability.md` describes the
/// order of all writes, and the data that survives each accident.
public final class LocalStore implements BulkStore, StorageFacts {

  /// The file that is locked while the store is open.
  public static final String LOCK = "lock";

  private final Disk disk;
  private final StoreRoot root;
  private final StoreFiles files;
  private final StoreOptions options;
  private final StoreGeometry geometry;
  private final InstantSource clock;
  private final Committer committer;
  private final BlobWriter writer;
  private final TurnReader reader;
  private final StoreClosing closing;
  private final HoldTable holds;
  private final List<CheckReport.Problem> findings;
  private volatile boolean closed;

  private LocalStore(
      Disk disk,
      DiskLock lock,
      StoreRoot root,
      StoreOptions options,
      InstantSource clock,
      StoreGeometry geometry,
      boolean underived) {
    this.disk = disk;
    this.root = root;
    this.options = options;
    this.geometry = geometry;
    this.clock = clock;
    Recovery.Opened opened = Recovery.open(disk, root, options, geometry, underived);
    this.files = opened.files();
    StoreException.Corrupt forgotten = files.blobs.erased().damage();
    this.holds = new HoldTable(disk, root.shortId(), clock, this::changeHold);
    this.findings = withDamage(withDamage(opened.findings(), forgotten), holds.damage());
    Journal journal = new Journal(disk, geometry.journal());
    Checkpointer checkpointer =
        new Checkpointer(disk, files, journal, root, opened.checkpointSeq());
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
            full != null ? full : forgotten);
    this.writer =
        new BlobWriter(
            files.blobs, committer, options.limits(), geometry.chunks(), this::checkOpen);
    this.reader = new TurnReader(files, options.limits());
    this.closing = new StoreClosing(disk, lock, root, files, journal, checkpointer, committer);
  }

  private static List<CheckReport.Problem> withDamage(
      List<CheckReport.Problem> findings, StoreException.@Nullable Corrupt damage) {
    if (damage == null) {
      return findings;
    }
    List<CheckReport.Problem> all = new ArrayList<>(findings);
    all.add(
        new CheckReport.Problem(
            damage.file(), damage.offset(), String.valueOf(damage.getMessage()), false));
    return List.copyOf(all);
  }

  // ---- opening

  /// Opens the store in a folder, making one if the folder is absent or empty.
  ///
  /// @throws StoreException.NoStore if the folder has other things in it
  /// @throws StoreException.Busy if another process has the store open; names it
  /// @throws StoreException.FormatTooNew if a later version made the store
  public static LocalStore open(Path folder, StoreOptions options) {
    return open(LocalDisk.open(folder), options, InstantSource.system(), StoreGeometry.DEFAULTS);
  }

  /// Opens the store in a folder.
  ///
  /// @throws StoreException.NoStore if there is none
  public static LocalStore openExisting(Path folder, StoreOptions options) {
    StorePlace.require(folder);
    return open(folder, options);
  }

  /// Opens the store in a folder to read from it, changing nothing there: a backup, or a medium
  /// that cannot be written. Several processes may have the store open for reading, while no
  /// process has the store open to write. Every write is refused.
  ///
  /// @throws StoreException.NoStore if there is none
  /// @throws StoreException.Busy if another process has it open to write
  /// @throws StoreException.Io if the store was not closed in order, or if derived files are
  ///   missing: then the store has to be opened once in a folder that can be written
  public static LocalStore openReadOnly(Path folder, StoreOptions options) {
    StorePlace.require(folder);
    Disk disk = LocalDisk.openReadOnly(folder);
    DiskLock lock = disk.lock(LOCK, "");
    try {
      StoreRoot root = StoreRoot.read(disk);
      boolean clean = Checkpoint.read(disk, root.shortId()).map(Checkpoint::clean).orElse(false);
      if (!clean || Journal.isOn(disk) || root.switching()) {
        throw new StoreException.Io(
            disk.describe(),
            "not closed in order, and recovering it would change it",
            new ReadOnlyFileSystemException());
      }
      LocalStore store =
          new LocalStore(
              disk, lock, root, options, InstantSource.system(), StoreGeometry.DEFAULTS, false);
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
      Disk disk, StoreOptions options, InstantSource clock, StoreGeometry geometry) {
    return open(disk, options, clock, geometry, false);
  }

  /// Opens the store in a folder after deleting all its derived files, which are made again from
  /// the primary files. A store that was not closed in order should be opened and closed before.
  ///
  /// @throws StoreException.NoStore if there is none
  /// @throws StoreException.Busy if the store is open
  public static LocalStore openUnderived(Path folder, StoreOptions options) {
    StorePlace.require(folder);
    return open(
        LocalDisk.open(folder), options, InstantSource.system(), StoreGeometry.DEFAULTS, true);
  }

  static LocalStore open(
      Disk disk,
      StoreOptions options,
      InstantSource clock,
      StoreGeometry geometry,
      boolean underived) {
    StorePlace.requireStoreOrVacant(disk);
    DiskLock lock =
        disk.lock(LOCK, "process " + ProcessHandle.current().pid() + " since " + clock.instant());
    try {
      if (disk.exists(HoldTable.FILE_NEW)) {
        disk.delete(HoldTable.FILE_NEW);
      }
      StoreRoot root =
          StoreRoot.isIn(disk)
              ? ErasureSwitch.complete(disk, StoreRoot.read(disk))
              : StorePlace.make(disk, clock.instant());
      if (underived) {
        StoreFiles.DERIVED.forEach(disk::delete);
        disk.forceNames();
      }
      LocalStore store = new LocalStore(disk, lock, root, options, clock, geometry, underived);
      store.committer.start();
      return store;
    } catch (RuntimeException | Error e) {
      lock.close();
      throw e;
    }
  }

  /// Loads the native code that stores need. Without this call the code is loaded when the first
  /// store needs it, within a request.
  ///
  /// @throws StoreException.Io if the code cannot be loaded
  public static void loadNativeCode() {
    Codec.loadNativeCode();
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

  @Override
  public ContextHead moveContext(
      ContextId id, TurnId expectedHead, TurnId head, Instant activeAt, @Nullable BlobHash about) {
    commit(draft -> draft.moveContext(id, expectedHead, head, activeAt, about));
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

  @Override
  public List<TurnId> turnNumbers(TurnId after, int limit) {
    checkOpen();
    options.limits().checkPage(limit);
    return reader.numbers(after, limit);
  }

  // ---- blobs

  @Override
  public List<BlobHash> blobs(@Nullable BlobHash after, int limit) {
    checkOpen();
    options.limits().checkPage(limit);
    return new PackListing(files.blobs).page(after, limit);
  }

  @Override
  public PutOutcome putWithOutcome(Payload bytes) {
    PutOutcome[] outcome = new PutOutcome[1];
    commit(
        bytes,
        (draft, blob) -> {
          outcome[0] = new PutOutcome(blob.hash(), draft.put(blob));
          return 0;
        });
    return outcome[0];
  }

  @Override
  public List<BlobHash> putAll(List<Payload> blobs) {
    return writer.put(blobs);
  }

  @Override
  public PutOutcome putWithOutcome(InputStream bytes, @Nullable BlobHash expected)
      throws IOException {
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
    long plan(CommitDraft draft, BlobPack.Prepared blob);
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
      BlobPack.Prepared blob = writer.prepare(bytes);
      return committer.commit(draft -> change.plan(draft, blob));
    } finally {
      committer.leave();
    }
  }

  // ---- holds

  @Override
  public ContextHolds holds() {
    checkOpen();
    return holds;
  }

  private synchronized void changeHold(ContextId context, Runnable write) {
    checkOpen();
    StoreException refusal = committer.refusal().orElse(null);
    if (refusal != null) {
      throw refusal;
    }
    reader.head(context);
    write.run();
  }

  // ---- the whole

  @Override
  public StoreCounts counts() {
    checkOpen();
    StorePosition position = committer.position();
    StorePosition.Counts counts = position.counts();
    return new StoreCounts(
        counts.contexts(),
        position.ends().turns(),
        counts.blobs(),
        position.ends().overlays(),
        files.types.count(),
        counts.rawBytes(),
        counts.storedBytes(),
        diskBytes());
  }

  private long diskBytes() {
    return fileBytes().values().stream().mapToLong(Long::longValue).sum();
  }

  @Override
  public Map<String, Long> fileBytes() {
    Map<String, Long> sizes = disk.sizesBytes();
    sizes.remove(LOCK);
    return sizes;
  }

  @Override
  public long diskFreeBytes() {
    return disk.freeBytes();
  }

  @Override
  public long diskTotalBytes() {
    return disk.totalBytes();
  }

  @Override
  public Optional<StoreException> writeRefusal() {
    return committer.refusal();
  }

  @Override
  public UUID storeId() {
    return root.storeId();
  }

  @Override
  public int formatVersion() {
    return root.version();
  }

  @Override
  public int waitingChanges() {
    return committer.waitingChanges();
  }

  @Override
  public void measure(WriteMeter meter) {
    committer.measure(meter);
  }

  /// Reports also what the opening found damaged.
  @Override
  public CheckReport check(ReadProgress progress) {
    checkOpen();
    return StoreCheck.of(files, committer.position(), findings, progress);
  }

  @Override
  public Payload backupPoint() {
    checkOpen();
    StorePosition position = committer.forcedPosition();
    Checkpoint point =
        new Checkpoint(
            1, Checkpoint.State.CLOSED, position, files.tails(position), root.erasures());
    return Payload.wrap(point.bytes(root.shortId()));
  }

  /// The turn with the greatest number.
  CheckReport.@Nullable NewestTurn newestTurn() {
    return StoreCheck.newestTurn(files, committer.position().ends());
  }

  /// Finds out what an erasure would take, and changes nothing. Reads the whole store; memory is
  /// some bits for each blob and turn, and 32 bytes for each blob while there are holds. Nobody may
  /// write to the store until the erasure is carried out.
  ///
  /// @param progress hears of bytes of the pack, which is read up to three times
  /// @throws StoreException.NotFound if a context or blob of the request is not in the store
  /// @throws StoreException.Conflict if a context under a hold needs some of what would go, and the
  ///   request does not leave that
  /// @throws StoreException.Corrupt if the store is damaged: what a damaged record needs is not
  ///   known
  public PlannedErasure planErasure(EraseRequest request, ReadProgress progress) {
    checkOpen();
    StoreException.Corrupt forgotten = files.blobs.erased().damage();
    if (forgotten != null) {
      throw forgotten;
    }
    List<ContextHold> lasting = holds.lasting();
    return new PlannedErasure(
        new ErasurePlanner(files, committer.position(), request, lasting, progress).select(),
        lasting);
  }

  /// Erases what was planned, and closes the store. The blobs are in no file of the store when this
  /// returns, and will not be taken back; a crash before leaves all of them or none. The receipt is
  /// in the store's folder exactly if they are gone, whenever the process ends.
  ///
  /// Needs room on the disk for a second `blobs.pack`.
  ///
  /// @param progress hears of bytes of the pack, which is copied
  /// @throws StoreException.Conflict if somebody wrote to the store since it was planned
  /// @throws StoreException.Full if there is no room; nothing is erased then
  public synchronized EraseReceipt eraseAndClose(PlannedErasure erasure, ReadProgress progress) {
    return switchAndClose(
        () -> {
          if (!committer.position().equals(erasure.selection().position())) {
            throw new StoreException.Conflict(
                "the store to erase from", "the state that was planned for", "a later one");
          }
          if (!erasure.holds().containsAll(holds.lasting())) {
            throw new StoreException.Conflict(
                "the store to erase from", "the holds that were planned for", "other holds");
          }
          return new ErasureRun(disk, files, root, geometry, erasure.selection(), clock.instant())
              .prepare(progress);
        });
  }

  /// Notes that content that was erased may come back, so that the content can be put again, and
  /// closes the store. Puts nothing. Durable when this returns.
  ///
  /// @return how many names may come back: that of the content, and those of its pieces
  /// @throws StoreException.NotFound if the content was not erased
  public synchronized int readmitAndClose(Payload content) {
    return switchAndClose(
        () ->
            new ReadmissionRun(disk, root, files.blobs.erased())
                .prepare(ReadmissionRun.names(content, geometry.chunks())));
  }

  private <R> R switchAndClose(Supplier<R> prepare) {
    checkOpen();
    closed = true;
    return closing.switching(prepare);
  }

  /// Finishes accepted changes, makes everything durable where it belongs, and closes. Idempotent.
  ///
  /// @throws StoreException.Io if the closing fails; nothing acknowledged is lost, the next opening
  ///   takes the commits from the journal
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      closing.close();
    }
  }
}
