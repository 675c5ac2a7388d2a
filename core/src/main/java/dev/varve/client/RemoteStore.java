// SPDX-License-Identifier: Apache-2.0
package dev.varve.client;

import dev.varve.BlobHash;
import dev.varve.BulkStore;
import dev.varve.CheckReport;
import dev.varve.ContextHead;
import dev.varve.ContextHolds;
import dev.varve.ContextId;
import dev.varve.IdempotencyKey;
import dev.varve.NewTurn;
import dev.varve.Overlay;
import dev.varve.Payload;
import dev.varve.PutOutcome;
import dev.varve.ReadProgress;
import dev.varve.StoreCounts;
import dev.varve.StoreErasures;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.TurnPage;
import dev.varve.View;
import dev.varve.hash.Blake3;
import dev.varve.socket.SocketFile;
import dev.varve.wire.BlobRequest;
import dev.varve.wire.MaintenanceRequest;
import dev.varve.wire.MaintenanceResponse;
import dev.varve.wire.MaintenanceResponse.CheckState;
import dev.varve.wire.Request;
import dev.varve.wire.StoreRequest;
import dev.varve.wire.StoreResponse;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A store behind a server's binary port, or behind its socket on this machine.
///
/// Answers what the store there answers, and refuses what it refuses. Threads share one object and
/// one connection, on which their requests are under way side by side. When the connection is lost,
/// the next one is opened and what may be repeated is: all reads, blobs, descriptions, and appends,
/// each of which has an idempotency key (one is made if the caller gave none). Other changes that
/// got no answer are a [StoreException.Io] that says so. So is a server that cannot be found; the
/// next call looks for it again.
///
/// A turn's payload must fit into one of the server's frames, by default 64 MiB; blobs may be of
/// any size.
public final class RemoteStore implements BulkStore {

  private static final int SMALL = 256;

  private final ServerCalls calls;
  private final RemoteTurns turns;
  private final RemoteBlobs blobs;
  private final Runnable afterClose;

  private RemoteStore(ServerCalls calls, Runnable afterClose) {
    this.calls = calls;
    this.afterClose = afterClose;
    this.turns = new RemoteTurns(calls);
    this.blobs = new RemoteBlobs(calls);
  }

  /// Connects to a server.
  ///
  /// @throws StoreException.Io if there is none
  /// @throws StoreException.Invalid if it does not know the token, or these messages
  public static RemoteStore connect(InetSocketAddress address, RemoteOptions options) {
    return connect(new ServerDialer.OfPort(address), options);
  }

  /// Connects to the server that listens on a Unix-domain socket of this machine. Neither token nor
  /// TLS is used: who may open the file may do anything.
  ///
  /// @throws StoreException.Io if there is none
  public static RemoteStore connect(SocketFile file, RemoteOptions options) {
    return connect(new ServerDialer.OfSocketFile(file), options);
  }

  private static RemoteStore connect(ServerDialer server, RemoteOptions options) {
    ServerCalls calls = new ServerCalls(server, options);
    try {
      calls.link();
    } catch (IOException e) {
      throw new StoreException.Io(server.toString(), "cannot be reached: " + e.getMessage(), e);
    }
    return new RemoteStore(calls, () -> {});
  }

  /// The same store on the same connection; closing it also calls `action`, each time.
  public RemoteStore afterClose(Runnable action) {
    return new RemoteStore(calls, action);
  }

  private <R extends StoreResponse> R ask(Request request, boolean repeatable, Class<R> answer) {
    return answer.cast(calls.call(request, SMALL, repeatable));
  }

  private <R extends StoreResponse> R read(Request request, Class<R> answer) {
    return ask(request, true, answer);
  }

  // ---- contexts

  @Override
  public ContextHead createContext(TurnId base, @Nullable BlobHash about) {
    return ask(
            new StoreRequest.ContextCreate(base.value(), about), false, StoreResponse.Context.class)
        .context();
  }

  @Override
  public ContextHead describe(ContextId context, BlobHash about) {
    return ask(
            new StoreRequest.ContextDescribe(context.value(), about),
            true,
            StoreResponse.Context.class)
        .context();
  }

  @Override
  public ContextHead head(ContextId context) {
    return read(new StoreRequest.ContextGet(context.value()), StoreResponse.Context.class)
        .context();
  }

  @Override
  public List<ContextHead> contexts(@Nullable ContextId after, int limit) {
    return read(
            new StoreRequest.ContextList(after == null ? 0 : after.value(), limit),
            StoreResponse.Contexts.class)
        .contexts();
  }

  @Override
  public List<ContextHead> contextsBelow(@Nullable ContextId before, int limit) {
    return read(
            new StoreRequest.ContextsBelow(before == null ? Long.MAX_VALUE : before.value(), limit),
            StoreResponse.Contexts.class)
        .contexts();
  }

  @Override
  public ContextHead restoreContext(
      ContextId id,
      TurnId head,
      TurnId base,
      Instant createdAt,
      Instant activeAt,
      @Nullable BlobHash about) {
    return ask(
            new StoreRequest.ContextRestore(
                id.value(),
                head.value(),
                base.value(),
                createdAt.toEpochMilli(),
                activeAt.toEpochMilli(),
                about),
            false,
            StoreResponse.Context.class)
        .context();
  }

  @Override
  public ContextHead moveContext(
      ContextId id, TurnId expectedHead, TurnId head, Instant activeAt, @Nullable BlobHash about) {
    return ask(
            new StoreRequest.ContextMove(
                id.value(), expectedHead.value(), head.value(), activeAt.toEpochMilli(), about),
            false,
            StoreResponse.Context.class)
        .context();
  }

  @Override
  public List<TurnId> turnNumbers(TurnId after, int limit) {
    return ((MaintenanceResponse.TurnNumbers)
            calls.call(new MaintenanceRequest.TurnList(after.value(), limit), SMALL, true))
        .turns();
  }

  @Override
  public List<BlobHash> blobs(@Nullable BlobHash after, int limit) {
    return ((MaintenanceResponse.Blobs)
            calls.call(new MaintenanceRequest.BlobList(after, limit), SMALL, true))
        .blobs();
  }

  @Override
  public List<Overlay> overlaysAfter(long seq, int limit) {
    return ((MaintenanceResponse.OverlayPage)
            calls.call(new MaintenanceRequest.OverlayList(seq, limit), SMALL, true))
        .overlays();
  }

  @Override
  public int lastErasure() {
    return ((MaintenanceResponse.ErasureNumber)
            calls.call(new MaintenanceRequest.LastErasure(), SMALL, true))
        .run();
  }

  // ---- turns

  @Override
  public Turn append(ContextId context, NewTurn turn) {
    NewTurn keyed =
        turn.key() == null ? turn.withKey(IdempotencyKey.of(UUID.randomUUID().toString())) : turn;
    StoreRequest request =
        new StoreRequest.TurnAppend(context.value(), keyed, Blake3.hash(turn.payload()));
    return ((StoreResponse.OneTurn) calls.call(request, sizeBytes(keyed), true)).turn();
  }

  private static int sizeBytes(NewTurn turn) {
    return turn.payload().sizeBytes() + SMALL;
  }

  @Override
  public Turn restoreTurn(TurnId id, ContextId context, NewTurn turn, Instant createdAt) {
    StoreRequest request =
        new StoreRequest.TurnRestore(
            id.value(),
            context.value(),
            createdAt.toEpochMilli(),
            turn,
            Blake3.hash(turn.payload()));
    return ((StoreResponse.OneTurn) calls.call(request, sizeBytes(turn), false)).turn();
  }

  @Override
  public Turn turn(TurnId id, View view) {
    return read(new StoreRequest.TurnGet(id.value(), view), StoreResponse.OneTurn.class).turn();
  }

  @Override
  public TurnPage last(ContextId context, int limit, View view) {
    return turns.last(context, limit, view);
  }

  @Override
  public TurnPage before(ContextId context, TurnId cursor, int limit, View view) {
    return turns.before(context, cursor, limit, view);
  }

  @Override
  public TurnPage range(ContextId context, int startDepth, int limit, View view) {
    return turns.range(context, startDepth, limit, view);
  }

  @Override
  public void replay(TurnId last, View view, Consumer<? super Turn> each) {
    turns.replay(last, view, each);
  }

  @Override
  public TurnId ancestor(TurnId turn, int depth) {
    return number(new StoreRequest.Ancestor(turn.value(), depth));
  }

  @Override
  public Optional<TurnId> findCommonAncestor(TurnId a, TurnId b) {
    return Optional.of(number(new StoreRequest.CommonAncestor(a.value(), b.value())))
        .filter(turn -> !turn.isNone());
  }

  @Override
  public Optional<TurnId> findChild(TurnId parent, BlobHash payload) {
    return Optional.of(number(new StoreRequest.ChildFind(parent.value(), payload)))
        .filter(turn -> !turn.isNone());
  }

  private TurnId number(StoreRequest request) {
    return new TurnId(read(request, StoreResponse.TurnNumber.class).turnId());
  }

  // ---- blobs

  @Override
  public PutOutcome putWithOutcome(Payload bytes) {
    return blobs.put(bytes);
  }

  @Override
  public List<BlobHash> putAll(List<Payload> bytes) {
    return blobs.putAll(bytes);
  }

  @Override
  public PutOutcome putWithOutcome(InputStream bytes, @Nullable BlobHash expected)
      throws IOException {
    return blobs.put(bytes, expected);
  }

  @Override
  public Payload get(BlobHash hash) {
    return blobs.get(hash);
  }

  @Override
  public InputStream read(BlobHash hash, long offset, long length) {
    return blobs.read(hash, offset, length);
  }

  @Override
  public long sizeBytes(BlobHash hash) {
    return blobs.sizeBytes(hash);
  }

  @Override
  public boolean has(BlobHash hash) {
    return lacking(List.of(hash)).isEmpty();
  }

  @Override
  public List<BlobHash> lacking(List<BlobHash> hashes) {
    List<Boolean> there =
        read(new BlobRequest.BlobsHas(hashes), StoreResponse.Presence.class).there();
    if (there.size() != hashes.size()) {
      throw new StoreException.Invalid(
          "answer to BLOBS_HAS", "expected " + hashes.size() + " answers, found " + there.size());
    }
    return IntStream.range(0, there.size())
        .filter(i -> !there.get(i))
        .mapToObj(hashes::get)
        .toList();
  }

  @Override
  public Optional<Payload> findChunkList(BlobHash hash) {
    return Optional.ofNullable(
        read(new BlobRequest.ChunkList(hash), StoreResponse.RootList.class).rootList());
  }

  @Override
  public BlobHash assemble(BlobHash hash, Payload rootList) {
    calls.call(new BlobRequest.BlobAssemble(hash, rootList), rootList.sizeBytes() + SMALL, true);
    return hash;
  }

  // ---- overlays

  @Override
  public long patch(TurnId turn, Payload payload) {
    StoreRequest request = new StoreRequest.TurnPatch(turn.value(), Blake3.hash(payload), payload);
    return ((StoreResponse.Sequence) calls.call(request, payload.sizeBytes() + SMALL, false)).seq();
  }

  @Override
  public long tombstone(TurnId turn) {
    return ask(new StoreRequest.TurnTombstone(turn.value()), false, StoreResponse.Sequence.class)
        .seq();
  }

  @Override
  public long attachFsRoot(TurnId turn, BlobHash root) {
    return ask(new StoreRequest.TurnFsRoot(turn.value(), root), false, StoreResponse.Sequence.class)
        .seq();
  }

  @Override
  public List<Overlay> overlays(TurnId turn) {
    return read(new StoreRequest.Overlays(turn.value()), StoreResponse.Overlays.class).overlays();
  }

  // ---- the whole

  @Override
  public StoreCounts counts() {
    return read(new StoreRequest.Counts(), StoreResponse.Counts.class).counts();
  }

  /// The check runs where the store is, beside all other requests and slowly enough not to hold
  /// them up.
  @Override
  public CheckReport check(ReadProgress progress) {
    List<CheckReport.Problem> problems = new ArrayList<>();
    boolean begin = true;
    while (true) {
      CheckState state =
          (CheckState) calls.call(new MaintenanceRequest.CheckStep(begin), SMALL, false);
      CheckReport found = state.found();
      problems.addAll(found.problems());
      progress.reached(state.doneBytes(), state.totalBytes());
      if (state.finished()) {
        return new CheckReport(
            found.blobs(),
            found.turns(),
            found.contexts(),
            found.overlays(),
            found.newest(),
            problems);
      }
      begin = false;
    }
  }

  @Override
  public Payload backupPoint() {
    return ((MaintenanceResponse.Point)
            calls.call(new MaintenanceRequest.BackupPoint(), SMALL, true))
        .checkpoint();
  }

  @Override
  public ContextHolds holds() {
    return new RemoteHolds(calls);
  }

  @Override
  public StoreErasures erasures() {
    return new RemoteErasures(calls);
  }

  /// Ends the connection. The store there stays open.
  @Override
  public void close() {
    try {
      calls.close();
    } finally {
      afterClose.run();
    }
  }
}
