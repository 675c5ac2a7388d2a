// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import dev.varve.BlobHash;
import dev.varve.CheckReport;
import dev.varve.ContextHead;
import dev.varve.ContextHolds;
import dev.varve.ContextId;
import dev.varve.NewTurn;
import dev.varve.Overlay;
import dev.varve.Payload;
import dev.varve.ReadProgress;
import dev.varve.StoreCounts;
import dev.varve.StoreException;
import dev.varve.StoreLimits;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.TurnPage;
import dev.varve.View;
import dev.varve.access.StoreMark;
import dev.varve.cassandra.cql.CassandraAddress;
import dev.varve.cassandra.cql.ClusterSession;
import dev.varve.cassandra.cql.KeyspaceReplication;
import dev.varve.database.CheckedDatabaseStore;
import dev.varve.database.DatabaseBlobs;
import dev.varve.database.RecordedErasures;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A store on a cluster of Apache Cassandra. Any number of programs may have the same store open.
///
/// A write is on a quorum of the replicas on return. Numbers of turns rise along each path and are
/// never given twice; between services a turn with a greater number may be seen first. When an
/// answer is lost, the question is repeated for 30 seconds, and the outcome of a conditional write
/// is looked up; only then a write is refused with [StoreException.Io], and it is unknown whether
/// the write was done.
public final class CassandraStore extends CheckedDatabaseStore {

  private final ClusterSession session;
  private final BlobList names;
  private final BlobCells cells;
  private final DatabaseBlobs blobs;
  private final TurnRows turns;
  private final ShownTurns shown;
  private final TypeRows types;
  private final HeadRows heads;
  private final ContextLists lists;
  private final ContextWriter contexts;
  private final TurnAppend appends;
  private final TurnRestore restores;
  private final OverlayRows overlays;
  private final TurnViews views;
  private final PathReader paths;
  private final ClusterCounts counts;
  private final ErasedNames erased;
  private final WriteLease lease;
  private final ClusterHolds holds;
  private final ClusterErasures erasures;

  private CassandraStore(
      ClusterSession session,
      StoreOptions options,
      InstantSource clock,
      GateTimes times,
      UUID storeId) {
    ErasureGate gate = new ErasureGate(session);
    WriteLease lease = new WriteLease(session, gate, times);
    ErasedNames erased = new ErasedNames(session, gate);
    BlobList names = new BlobList(session);
    BlobCells cells = new BlobCells(session, names, erased, lease);
    DatabaseBlobs blobs = new DatabaseBlobs(cells, options);
    StoreLimits limits = options.limits();
    super(new Surroundings(session.address().toString(), storeId, limits, clock), cells, blobs);
    this.session = session;
    this.names = names;
    this.cells = cells;
    this.blobs = blobs;
    this.erased = erased;
    this.lease = lease;
    PartList parts = new PartList(session);
    NumberBlocks turnNumbers = new NumberBlocks(session, parts, PartList.Kind.TURN);
    NumberBlocks contextNumbers = new NumberBlocks(session, parts, PartList.Kind.CONTEXT);
    this.turns = new TurnRows(session);
    this.types = new TypeRows(session, limits.types());
    this.heads = new HeadRows(session);
    this.holds = new ClusterHolds(session, heads, lease, clock);
    this.shown = new ShownTurns(session, parts, heads, turns);
    this.lists = new ContextLists(session, parts, heads);
    this.contexts = new ContextWriter(session, heads, lists, turns, shown, cells, contextNumbers);
    TurnDraft draft = new TurnDraft(session, cells, blobs, turns, shown, types, limits);
    this.appends = new TurnAppend(session, heads, lists, turns, shown, draft, types, turnNumbers);
    this.restores = new TurnRestore(session, turns, draft, types, turnNumbers);
    this.overlays = new OverlayRows(session, parts);
    this.views = new TurnViews(session, cells, blobs, erased);
    this.paths = new PathReader(session, turns, views);
    this.counts = new ClusterCounts(session, parts, shown, System::nanoTime);
    this.erasures =
        new ClusterErasures(
            session,
            gate,
            times,
            cells,
            (found, alive) -> new PathSnapshot(session, parts, lists, overlays, found, alive),
            new ErasureRecords(session, storeId),
            holds,
            lease,
            clock,
            storeId);
    lease.completeBy(erasures::end);
    session.askForLeases();
  }

  // ---- opening

  /// Opens a store, making the store's row if there is none. The tables must be there.
  ///
  /// @throws StoreException.NoStore if the keyspace has no tables
  /// @throws StoreException.FormatTooNew if a later version made the store
  /// @throws StoreException.Io if the cluster does not answer, or refuses the user
  public static CassandraStore open(CassandraAddress address, StoreOptions options) {
    return open(address, options, InstantSource.system(), true);
  }

  /// Opens a store.
  ///
  /// @throws StoreException.NoStore if there is none
  public static CassandraStore openExisting(CassandraAddress address, StoreOptions options) {
    return open(address, options, InstantSource.system(), false);
  }

  static CassandraStore open(
      CassandraAddress address, StoreOptions options, InstantSource clock, boolean makes) {
    return open(new ClusterSession(address), options, clock, GateTimes.DEFAULTS, makes);
  }

  /// Opens a store on a session, which ends with the store.
  static CassandraStore open(
      ClusterSession session,
      StoreOptions options,
      InstantSource clock,
      GateTimes times,
      boolean makes) {
    try {
      ClusterSetup setup = new ClusterSetup(session);
      if (makes) {
        setup.makeStore();
      }
      return new CassandraStore(session, options, clock, times, setup.check());
    } catch (RuntimeException | Error e) {
      session.close();
      throw e;
    }
  }

  /// Makes the keyspace and the tables of an address, as far as they are missing.
  ///
  /// @param replication data centres and their numbers of replicas, as `dc1=3,dc2=3`
  /// @throws StoreException.Invalid if the replication has another form, or if there is such a
  ///   keyspace with another replication
  public static void prepare(CassandraAddress address, String replication) {
    KeyspaceReplication.parse(replication);
    try (ClusterSession session = new ClusterSession(address)) {
      new ClusterSetup(session).make(replication);
    }
  }

  @Override
  public int formatVersion() {
    return ClusterSetup.FORMAT; // an earlier one is brought up to it
  }

  // ---- contexts

  @Override
  public ContextHead createContext(TurnId base, @Nullable BlobHash about) {
    checkOpen();
    return lease.with(() -> contexts.create(base, about, nowUnixMs()));
  }

  @Override
  public ContextHead describe(ContextId context, BlobHash about) {
    checkOpen();
    return lease.with(() -> contexts.describe(context, about, nowUnixMs()));
  }

  @Override
  public ContextHead head(ContextId context) {
    checkOpen();
    return heads.require(context).head();
  }

  @Override
  public List<ContextHead> contexts(@Nullable ContextId after, int limit) {
    checkPage(limit);
    return lists.byActivity(after == null ? null : heads.require(after).head(), limit);
  }

  @Override
  public List<ContextHead> contextsBelow(@Nullable ContextId before, int limit) {
    checkPage(limit);
    return lists.byNumber(before == null ? Long.MAX_VALUE : before.value(), limit);
  }

  @Override
  public ContextHead restoreContext(
      ContextId id,
      TurnId head,
      TurnId base,
      Instant createdAt,
      Instant activeAt,
      @Nullable BlobHash about) {
    checkOpen();
    ContextHead restored = new ContextHead(id, head, 0, base, createdAt, activeAt, about);
    return lease.with(() -> contexts.restore(restored));
  }

  @Override
  public ContextHead moveContext(
      ContextId id, TurnId expectedHead, TurnId head, Instant activeAt, @Nullable BlobHash about) {
    checkOpen();
    return lease.with(() -> contexts.move(id, expectedHead, head, activeAt, about));
  }

  // ---- turns

  @Override
  public Turn append(ContextId context, NewTurn turn) {
    checkOpen();
    return lease.with(() -> appends.append(context, turn, nowUnixMs()));
  }

  @Override
  public Turn restoreTurn(TurnId id, ContextId context, NewTurn turn, Instant createdAt) {
    checkOpen();
    return lease.with(() -> restores.restore(id, context, turn, createdAt));
  }

  @Override
  public Turn turn(TurnId id, View view) {
    checkOpen();
    return views.seen(List.of(shown.require(id, "turn")), view).getFirst();
  }

  @Override
  public TurnPage last(ContextId context, int limit, View view) {
    checkPage(limit);
    return paths.last(heads.require(context), limit, view);
  }

  @Override
  public TurnPage before(ContextId context, TurnId cursor, int limit, View view) {
    checkPage(limit);
    return paths.before(heads.require(context), cursor, limit, view);
  }

  @Override
  public TurnPage range(ContextId context, int startDepth, int limit, View view) {
    checkPage(limit);
    if (startDepth < 0) {
      throw new StoreException.Invalid("depth", "expected 0 or more, found " + startDepth);
    }
    return paths.range(heads.require(context), startDepth, limit, view);
  }

  @Override
  public void replay(TurnId last, View view, Consumer<? super Turn> each) {
    checkOpen();
    if (!last.isNone()) {
      shown.require(last, "turn");
    }
    paths.replay(last, view, each);
  }

  @Override
  public TurnId ancestor(TurnId turn, int depth) {
    checkOpen();
    int own = shown.require(turn, "turn").turn().depth();
    if (depth < 0 || depth > own) {
      throw new StoreException.Invalid("depth", "expected from 0 to " + own + ", found " + depth);
    }
    return new TurnId(turns.ancestors().ancestor(turn.value(), depth));
  }

  @Override
  public Optional<TurnId> findCommonAncestor(TurnId a, TurnId b) {
    checkOpen();
    shown.require(a, "turn");
    shown.require(b, "turn");
    long common = turns.ancestors().common(a.value(), b.value());
    return common == 0 ? Optional.empty() : Optional.of(new TurnId(common));
  }

  @Override
  public Optional<TurnId> findChild(TurnId parent, BlobHash payload) {
    checkOpen();
    return shown.child(parent, payload);
  }

  // ---- blobs

  @Override
  public List<TurnId> turnNumbers(TurnId after, int limit) {
    checkPage(limit);
    return shown.numbers(after, limit);
  }

  @Override
  public List<BlobHash> blobs(@Nullable BlobHash after, int limit) {
    checkPage(limit);
    if (after != null && !cells.has(after)) {
      throw new StoreException.NotFound("blob", after.toString());
    }
    return names.page(after, limit);
  }

  // ---- overlays

  @Override
  public long patch(TurnId turn, Payload payload) {
    checkPayload(payload);
    return lease.with(
        () -> {
          TurnRow row = shown.require(turn, "turn");
          BlobHash hash = blobs.put(payload).hash();
          return overlays.add(row, Overlay.Kind.PATCH, hash, payload.sizeBytes());
        });
  }

  @Override
  public long tombstone(TurnId turn) {
    checkOpen();
    return lease.with(
        () -> overlays.add(shown.require(turn, "turn"), Overlay.Kind.TOMBSTONE, null, 0));
  }

  @Override
  public long attachFsRoot(TurnId turn, BlobHash root) {
    checkOpen();
    return lease.with(
        () -> {
          TurnRow row = shown.require(turn, "turn");
          cells.require(root, "blob");
          return overlays.add(row, Overlay.Kind.FS_ROOT, root, cells.sizeBytes(root));
        });
  }

  @Override
  public List<Overlay> overlays(TurnId turn) {
    checkOpen();
    return overlays.of(shown.require(turn, "turn"));
  }

  @Override
  public List<Overlay> overlaysAfter(long seq, int limit) {
    checkPage(limit);
    return overlays.after(seq, limit).stream().map(OverlayRows.PlacedOverlay::overlay).toList();
  }

  // ---- holds and erasures

  @Override
  protected ContextHolds recordedHolds() {
    return holds;
  }

  @Override
  protected RecordedErasures recordedErasures() {
    return erasures;
  }

  // ---- the whole

  @Override
  public StoreMark mark() {
    checkOpen();
    return new StoreMark(
        shown.newest(), new ContextId(lists.newest()), overlays.lastSeq(), erasures.last());
  }

  @Override
  public StoreCounts counts() {
    checkOpen();
    return counts.counts(names.sum(), lists.count(), overlays.lastSeq(), types.count());
  }

  @Override
  public CheckReport check(ReadProgress progress) {
    checkOpen();
    return new ClusterCheck(session, names, cells, blobs, turns, shown, lists, overlays, erased)
        .run(progress);
  }

  @Override
  protected void disconnect() {
    try {
      lease.close();
    } finally {
      session.close();
    }
  }
}
