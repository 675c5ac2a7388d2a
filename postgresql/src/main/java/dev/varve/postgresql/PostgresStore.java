// SPDX-License-Identifier: Apache-2.0
package dev.varve.postgresql;

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
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.TurnPage;
import dev.varve.View;
import dev.varve.access.StoreMark;
import dev.varve.database.CheckedDatabaseStore;
import dev.varve.database.DatabaseBlobs;
import dev.varve.database.RecordedErasures;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A store in a PostgreSQL database. Any number of programs may have the same store open.
///
/// A write is durable on return as the server is set up: with `synchronous_commit = on`, which the
/// store asks for, its log is forced, on synchronous standbys too. Numbers of turns rise along each
/// path and are never given twice; between services a turn with a greater number may be seen first.
/// When a connection is lost, the question is repeated for 30 seconds; only then a write is refused
/// with [StoreException.Io], and it is unknown whether the write was done.
public final class PostgresStore extends CheckedDatabaseStore {

  private final DatabaseSessions sessions;
  private final BlobTable table;
  private final DatabaseBlobs blobs;
  private final ContextTable contexts;
  private final TurnTable turns;
  private final TurnWriter writer;
  private final OverlayTable overlays;
  private final HoldRows holds;
  private final DatabaseErasures erasures;

  private PostgresStore(
      PostgresAddress address,
      DatabaseSessions sessions,
      StoreOptions options,
      InstantSource clock,
      UUID storeId) {
    BlobTable table = new BlobTable(sessions);
    DatabaseBlobs blobs = new DatabaseBlobs(table, options);
    super(new Surroundings(address.toString(), storeId, options.limits(), clock), table, blobs);
    this.sessions = sessions;
    this.table = table;
    this.blobs = blobs;
    this.contexts = new ContextTable(sessions);
    this.turns = new TurnTable(sessions, blobs);
    this.writer = new TurnWriter(sessions, blobs, turns, options.limits());
    this.overlays = new OverlayTable(sessions, blobs);
    this.holds = new HoldRows(sessions, clock);
    this.erasures = new DatabaseErasures(sessions, table, holds, clock, storeId);
  }

  // ---- opening

  /// Opens the store in a schema, making its tables if there are none.
  ///
  /// @throws StoreException.FormatTooNew if a later version made the store
  /// @throws StoreException.Io if the database does not answer, or refuses the user
  public static PostgresStore open(PostgresAddress address, StoreOptions options) {
    return open(address, options, InstantSource.system(), true);
  }

  /// Opens the store in a schema.
  ///
  /// @throws StoreException.NoStore if there is none
  public static PostgresStore openExisting(PostgresAddress address, StoreOptions options) {
    return open(address, options, InstantSource.system(), false);
  }

  static PostgresStore open(
      PostgresAddress address, StoreOptions options, InstantSource clock, boolean makes) {
    DatabaseSessions sessions =
        new DatabaseSessions(address, options.durability(), DatabaseSessions.PATIENCE);
    try {
      SchemaSetup setup = new SchemaSetup(address, sessions);
      setup.prepare(makes);
      return new PostgresStore(address, sessions, options, clock, setup.check());
    } catch (RuntimeException | Error e) {
      sessions.close();
      throw e;
    }
  }

  @Override
  public int formatVersion() {
    return SchemaSetup.FORMAT; // an earlier one is brought up to it
  }

  // ---- contexts

  @Override
  public ContextHead createContext(TurnId base, @Nullable BlobHash about) {
    checkOpen();
    return contexts.create(base, about, nowUnixMs());
  }

  @Override
  public ContextHead describe(ContextId context, BlobHash about) {
    checkOpen();
    return contexts.describe(context, about, nowUnixMs());
  }

  @Override
  public ContextHead head(ContextId context) {
    checkOpen();
    return contexts.head(context);
  }

  @Override
  public List<ContextHead> contexts(@Nullable ContextId after, int limit) {
    checkPage(limit);
    return contexts.byActivity(after, limit);
  }

  @Override
  public List<ContextHead> contextsBelow(@Nullable ContextId before, int limit) {
    checkPage(limit);
    return contexts.byNumber(before, limit);
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
    return contexts.restore(new ContextHead(id, head, 0, base, createdAt, activeAt, about));
  }

  @Override
  public ContextHead moveContext(
      ContextId id, TurnId expectedHead, TurnId head, Instant activeAt, @Nullable BlobHash about) {
    checkOpen();
    return contexts.move(id, expectedHead, head, activeAt, about);
  }

  // ---- turns

  @Override
  public Turn append(ContextId context, NewTurn turn) {
    checkOpen();
    return writer.append(context, turn, nowUnixMs());
  }

  @Override
  public Turn restoreTurn(TurnId id, ContextId context, NewTurn turn, Instant createdAt) {
    checkOpen();
    return writer.restore(id, context, turn, createdAt);
  }

  @Override
  public Turn turn(TurnId id, View view) {
    checkOpen();
    return turns.turn(id, view);
  }

  @Override
  public TurnPage last(ContextId context, int limit, View view) {
    checkPage(limit);
    return turns.last(context, limit, view);
  }

  @Override
  public TurnPage before(ContextId context, TurnId cursor, int limit, View view) {
    checkPage(limit);
    return turns.before(context, cursor, limit, view);
  }

  @Override
  public TurnPage range(ContextId context, int startDepth, int limit, View view) {
    checkPage(limit);
    if (startDepth < 0) {
      throw new StoreException.Invalid("depth", "expected 0 or more, found " + startDepth);
    }
    return turns.range(context, startDepth, limit, view);
  }

  @Override
  public void replay(TurnId last, View view, Consumer<? super Turn> each) {
    checkOpen();
    turns.replay(last, view, each);
  }

  @Override
  public TurnId ancestor(TurnId turn, int depth) {
    checkOpen();
    return turns.ancestor(turn, depth);
  }

  @Override
  public Optional<TurnId> findCommonAncestor(TurnId a, TurnId b) {
    checkOpen();
    return turns.commonAncestor(a, b);
  }

  @Override
  public Optional<TurnId> findChild(TurnId parent, BlobHash payload) {
    checkOpen();
    return turns.child(parent, payload);
  }

  // ---- blobs

  @Override
  public List<TurnId> turnNumbers(TurnId after, int limit) {
    checkPage(limit);
    return turns.numbers(after, limit);
  }

  @Override
  public List<BlobHash> blobs(@Nullable BlobHash after, int limit) {
    checkPage(limit);
    return table.list(after, limit);
  }

  // ---- overlays

  @Override
  public long patch(TurnId turn, Payload payload) {
    checkPayload(payload);
    return overlays.patch(turn, payload);
  }

  @Override
  public long tombstone(TurnId turn) {
    checkOpen();
    return overlays.add(turn, Overlay.Kind.TOMBSTONE, null, null);
  }

  @Override
  public long attachFsRoot(TurnId turn, BlobHash root) {
    checkOpen();
    return overlays.add(turn, Overlay.Kind.FS_ROOT, root, null);
  }

  @Override
  public List<Overlay> overlays(TurnId turn) {
    checkOpen();
    return overlays.list(turn);
  }

  @Override
  public List<Overlay> overlaysAfter(long seq, int limit) {
    checkPage(limit);
    return overlays.after(seq, limit);
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

  private static final String NEWEST =
      """
      SELECT (SELECT coalesce(max(id), 0) FROM turn), (SELECT coalesce(max(id), 0) FROM context),
        (SELECT coalesce(max(seq), 0) FROM overlay), (SELECT coalesce(max(run), 0) FROM erasure)
      """;

  @Override
  public StoreMark mark() {
    checkOpen();
    return sessions.ask(
        (connection, _) -> {
          try (Statement statement = connection.createStatement();
              ResultSet row = statement.executeQuery(NEWEST)) {
            row.next();
            return new StoreMark(
                new TurnId(row.getLong(1)),
                new ContextId(row.getLong(2)),
                row.getLong(3),
                row.getInt(4));
          }
        });
  }

  private static final String COUNTS =
      """
      SELECT (SELECT count(*) FROM context), (SELECT count(*) FROM turn), (SELECT count(*) FROM blob),
        (SELECT count(*) FROM overlay), (SELECT count(*) FROM declared_type),
        (SELECT coalesce(sum(CASE codec WHEN 2 THEN octet_length(data) ELSE raw_bytes END), 0) FROM blob),
        (SELECT coalesce(sum(octet_length(data)), 0) FROM blob),
        pg_total_relation_size('blob') + pg_total_relation_size('turn')
          + pg_total_relation_size('context') + pg_total_relation_size('overlay')
          + pg_total_relation_size('declared_type')
      """;

  @Override
  public StoreCounts counts() {
    checkOpen();
    return sessions.ask(
        (connection, _) -> {
          try (Statement statement = connection.createStatement();
              ResultSet row = statement.executeQuery(COUNTS)) {
            row.next();
            return new StoreCounts(
                row.getLong(1),
                row.getLong(2),
                row.getLong(3),
                row.getLong(4),
                row.getLong(5),
                row.getLong(6),
                row.getLong(7),
                row.getLong(8));
          }
        });
  }

  @Override
  public CheckReport check(ReadProgress progress) {
    checkOpen();
    return new DatabaseCheck(blobs, progress).run(sessions);
  }

  @Override
  protected void disconnect() {
    sessions.close();
  }
}
