// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.BlobHash;
import dev.varve.BulkStore;
import dev.varve.CheckReport;
import dev.varve.ContextHead;
import dev.varve.ContextHolds;
import dev.varve.ContextId;
import dev.varve.NewTurn;
import dev.varve.Overlay;
import dev.varve.Payload;
import dev.varve.PutOutcome;
import dev.varve.ReadProgress;
import dev.varve.StorageFacts;
import dev.varve.StoreCounts;
import dev.varve.StoreErasures;
import dev.varve.StoreException;
import dev.varve.StoreLimits;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.TurnPage;
import dev.varve.View;
import dev.varve.WriteMeter;
import dev.varve.blob.Codec;
import dev.varve.blob.PackListing;
import dev.varve.blob.PreparedBlob;
import dev.varve.disk.Disk;
import dev.varve.disk.LocalDisk;
import dev.varve.turn.HoldTable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A store in a folder on the local disk.
///
/// One process has it open at a time; threads share one object. `docs/durability.md` describes the
/// order of all writes, and the data that survives each accident.
public final class LocalStore implements BulkStore, StorageFacts {

  /// The file that is locked while the store is open.
  public static final String LOCK = StorePlace.LOCK;

  /// The file in which a service keeps what contexts say of themselves. An erasure deletes the
  /// file, which may have words that go.
  public static final String CONTEXT_ROWS = StorePlace.CONTEXT_ROWS;

  private final StoreFiles files;
  private final StoreLimits limits;
  private final Committer committer;
  private final BlobWriter writer;
  private final TurnReader reader;
  private final HoldTable holds;
  private final StoreReport report;
  private final StoreErasure erasure;
  private final StoreClosing closing;

  private LocalStore(StoreOpening.Parts parts) {
    this.files = parts.files();
    this.limits = parts.limits();
    this.committer = parts.committer();
    this.writer = parts.writer();
    this.reader = parts.reader();
    this.holds = parts.holds();
    this.report = parts.report();
    this.erasure = parts.erasure();
    this.closing = parts.closing();
  }

  // ---- opening

  /// Opens the store in a folder, making one if the folder is absent or empty.
  ///
  /// @throws StoreException.NoStore if the folder has other files
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
    return new LocalStore(
        new StoreOpening(
                LocalDisk.openReadOnly(folder),
                options,
                InstantSource.system(),
                StoreGeometry.DEFAULTS)
            .toRead());
  }

  /// Opens the store on a disk, making one if the disk is empty.
  public static LocalStore open(
      Disk disk, StoreOptions options, InstantSource clock, StoreGeometry geometry) {
    return new LocalStore(new StoreOpening(disk, options, clock, geometry).toWrite(false));
  }

  /// Opens the store in a folder after deleting all its derived files, which are made again from
  /// the primary files. A store that was not closed in order should be opened and closed before.
  ///
  /// @throws StoreException.NoStore if there is none
  /// @throws StoreException.Busy if the store is open
  public static LocalStore openUnderived(Path folder, StoreOptions options) {
    StorePlace.require(folder);
    return openUnderived(
        LocalDisk.open(folder), options, InstantSource.system(), StoreGeometry.DEFAULTS);
  }

  static LocalStore openUnderived(
      Disk disk, StoreOptions options, InstantSource clock, StoreGeometry geometry) {
    return new LocalStore(new StoreOpening(disk, options, clock, geometry).toWrite(true));
  }

  /// Deletes the [#CONTEXT_ROWS] of the store in a folder, also as far as a killed service had
  /// written them. The store may be open.
  public static void deleteContextRows(Path folder) {
    ErasureSwitch.deleteRows(LocalDisk.open(folder));
  }

  /// Loads the native code that stores need. Without this call the code is loaded when the first
  /// store needs it, within a request.
  ///
  /// @throws StoreException.Io if the code cannot be loaded
  public static void loadNativeCode() {
    Codec.loadNativeCode();
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
    closing.requireOpen();
    return reader.head(context);
  }

  @Override
  public List<ContextHead> contexts(@Nullable ContextId after, int limit) {
    closing.requireOpen();
    return reader.contexts(after, limit);
  }

  @Override
  public List<ContextHead> contextsBelow(@Nullable ContextId before, int limit) {
    closing.requireOpen();
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

  /// Appends all turns by one commit.
  @Override
  public List<TurnId> appendRun(ContextId context, List<NewTurn> turns) {
    turns.forEach(turn -> limits.checkPayload(turn.payload().sizeBytes()));
    List<TurnId> appended = new ArrayList<>(turns.size());
    committer.enter();
    try {
      closing.requireOpen();
      List<PreparedBlob> payloads =
          turns.stream().map(turn -> writer.prepare(turn.payload())).toList();
      committer.commit(
          draft -> {
            for (int i = 0; i < turns.size(); i++) {
              NewTurn next = i == 0 ? turns.get(i) : turns.get(i).withParent(appended.getLast());
              appended.add(new TurnId(draft.append(context, next, payloads.get(i))));
            }
            return appended.size();
          });
      return appended;
    } finally {
      committer.leave();
    }
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
    closing.requireOpen();
    return reader.turn(id, view);
  }

  @Override
  public TurnPage last(ContextId context, int limit, View view) {
    closing.requireOpen();
    return reader.last(context, limit, view);
  }

  @Override
  public TurnPage before(ContextId context, TurnId cursor, int limit, View view) {
    closing.requireOpen();
    return reader.before(context, cursor, limit, view);
  }

  @Override
  public TurnPage range(ContextId context, int startDepth, int limit, View view) {
    closing.requireOpen();
    return reader.range(context, startDepth, limit, view);
  }

  @Override
  public void replay(TurnId last, View view, Consumer<? super Turn> each) {
    closing.requireOpen();
    reader.replay(last, view, each);
  }

  @Override
  public TurnId ancestor(TurnId turn, int depth) {
    closing.requireOpen();
    return reader.ancestor(turn, depth);
  }

  @Override
  public Optional<TurnId> findCommonAncestor(TurnId a, TurnId b) {
    closing.requireOpen();
    return Optional.of(reader.commonAncestor(a, b)).filter(turn -> !turn.isNone());
  }

  @Override
  public Optional<TurnId> findChild(TurnId parent, BlobHash payload) {
    closing.requireOpen();
    return Optional.of(reader.child(parent, payload)).filter(turn -> !turn.isNone());
  }

  @Override
  public List<TurnId> turnNumbers(TurnId after, int limit) {
    closing.requireOpen();
    limits.checkPage(limit);
    return reader.numbers(after, limit);
  }

  // ---- blobs

  @Override
  public List<BlobHash> blobs(@Nullable BlobHash after, int limit) {
    closing.requireOpen();
    limits.checkPage(limit);
    return new PackListing(files.blobs).page(after, limit);
  }

  @Override
  public List<Overlay> overlaysAfter(long seq, int limit) {
    closing.requireOpen();
    limits.checkPage(limit);
    return reader.overlaysAfter(seq, limit);
  }

  @Override
  public int lastErasure() {
    closing.requireOpen();
    return Math.toIntExact(files.root().erasures());
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
    closing.requireOpen();
    return files.blobs.get(hash);
  }

  @Override
  public InputStream read(BlobHash hash, long offset, long length) {
    closing.requireOpen();
    return files.blobs.read(hash, offset, length);
  }

  @Override
  public long sizeBytes(BlobHash hash) {
    closing.requireOpen();
    return files.blobs.rawBytes(hash);
  }

  @Override
  public Optional<Payload> findChunkList(BlobHash hash) {
    closing.requireOpen();
    return files.blobs.findChunkList(hash);
  }

  @Override
  public boolean has(BlobHash hash) {
    closing.requireOpen();
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
    closing.requireOpen();
    return reader.overlays(turn);
  }

  // ---- committing

  @FunctionalInterface
  private interface BlobChange {
    long plan(CommitDraft draft, PreparedBlob blob);
  }

  private long commit(Committer.Change change) {
    committer.enter();
    try {
      closing.requireOpen();
      return committer.commit(change);
    } finally {
      committer.leave();
    }
  }

  /// Hashes and compresses on the caller's thread, then commits.
  private long commit(Payload bytes, BlobChange change) {
    limits.checkPayload(bytes.sizeBytes());
    committer.enter();
    try {
      closing.requireOpen();
      PreparedBlob blob = writer.prepare(bytes);
      return committer.commit(draft -> change.plan(draft, blob));
    } finally {
      committer.leave();
    }
  }

  // ---- holds

  @Override
  public ContextHolds holds() {
    closing.requireOpen();
    return holds;
  }

  // ---- the whole

  @Override
  public StoreCounts counts() {
    closing.requireOpen();
    return report.counts();
  }

  @Override
  public Map<String, Long> fileBytes() {
    return report.fileBytes();
  }

  @Override
  public long diskFreeBytes() {
    return report.diskFreeBytes();
  }

  @Override
  public long diskTotalBytes() {
    return report.diskTotalBytes();
  }

  @Override
  public Optional<StoreException> writeRefusal() {
    return committer.refusal();
  }

  @Override
  public UUID storeId() {
    return report.storeId();
  }

  @Override
  public int formatVersion() {
    return report.formatVersion();
  }

  @Override
  public Optional<BlobHash> historyName(long turns, long overlays) {
    closing.requireOpen();
    return report.historyName(turns, overlays);
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
    closing.requireOpen();
    return report.check(progress);
  }

  @Override
  public Payload backupPoint() {
    closing.requireOpen();
    return report.backupPoint();
  }

  /// The turn with the greatest number.
  CheckReport.@Nullable NewestTurn newestTurn() {
    return report.newestTurn();
  }

  @Override
  public StoreErasures erasures() {
    closing.requireOpen();
    return erasure;
  }

  /// Notes that content that was erased may come back, so that the content can be put again, and
  /// closes the store. Puts nothing. Durable when this returns.
  ///
  /// @return the number of names that may come back: the content's and its pieces'
  /// @throws StoreException.NotFound if the content was not erased
  public int readmitAndClose(Payload content) {
    return erasure.readmitAndClose(content);
  }

  /// Finishes accepted changes, makes everything durable where it belongs, and closes. Idempotent.
  ///
  /// @throws StoreException.Io if the closing fails; nothing acknowledged is lost, the next opening
  ///   takes the commits from the journal
  @Override
  public void close() {
    closing.close();
  }
}
