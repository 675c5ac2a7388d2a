// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import dev.varve.BlobHash;
import dev.varve.BulkStore;
import dev.varve.ContextHead;
import dev.varve.ContextHold;
import dev.varve.ContextId;
import dev.varve.EraseReceipt;
import dev.varve.NewTurn;
import dev.varve.Overlay;
import dev.varve.Payload;
import dev.varve.PutOutcome;
import dev.varve.ReadProgress;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.server.access.Scope;
import dev.varve.server.events.EventListener;
import dev.varve.server.events.ServerEvent;
import dev.varve.server.limits.MemoryBudget;
import dev.varve.wire.BasicRequest;
import dev.varve.wire.BasicResponse;
import dev.varve.wire.BlobRequest;
import dev.varve.wire.MaintenanceRequest;
import dev.varve.wire.MaintenanceResponse;
import dev.varve.wire.Request;
import dev.varve.wire.Response;
import dev.varve.wire.StoreRequest;
import dev.varve.wire.StoreResponse;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The calls of the store for each request. Without state; for any number of threads.
final class RequestHandler {

  private static final String SERVER_TAG = "varve";
  private static final int PROTOCOL_VERSION = 1;

  /// The most entries in an answer to BLOB_LIST or TURN_LIST.
  private static final int LIST_MAX = 10_000;

  /// The memory that an overlay of a page takes, in the answer and before.
  private static final long OVERLAY_BYTES = 200;

  /// About how much memory a hold takes, and its place in an answer.
  private static final int HOLD_BYTES = 512;

  private final BinaryService service;
  private final Store store;
  private final BinaryLimits limits;
  private final EventListener listener;
  private final PageReader pages;

  RequestHandler(BinaryService service, BinaryLimits limits) {
    this.service = service;
    this.store = service.store();
    this.limits = limits;
    this.listener = service.events();
    this.pages = new PageReader(store, limits);
  }

  /// The scope that a request needs. Introductions need none.
  static @Nullable Scope scope(Request request) {
    return switch (request) {
      case BasicRequest.Hello _, StoreRequest.Open _ -> null;
      case StoreRequest.TurnRestore _,
          StoreRequest.ContextRestore _,
          StoreRequest.ContextMove _,
          MaintenanceRequest _ ->
          Scope.ADMIN;
      default -> request.type().writes() ? Scope.WRITE : Scope.READ;
    };
  }

  /// The answer to a request.
  ///
  /// @param lease for memory beyond that of the request
  /// @throws StoreException if the store refuses, or the request is wrong
  Response answer(Request request, BinaryClient client, MemoryBudget.Lease lease) {
    return switch (request) {
      case BasicRequest basic -> basic(basic, client, lease);
      case StoreRequest own -> own(own, client, lease);
      case BlobRequest blob -> blob(blob, client, lease);
      case MaintenanceRequest whole -> maintain(whole, client, lease);
    };
  }

  // ---- messages of cxdb's clients

  private Response basic(BasicRequest request, BinaryClient client, MemoryBudget.Lease lease) {
    return switch (request) {
      case BasicRequest.Hello r -> hello(r, client);
      case BasicRequest.CtxCreate r -> head(create(r.baseTurnId(), null, client));
      case BasicRequest.CtxFork r -> head(create(r.baseTurnId(), null, client));
      case BasicRequest.GetHead r -> head(store.head(context(r.contextId())));
      case BasicRequest.AppendTurn r -> {
        ContextId context = context(r.contextId());
        NewTurn turn = AppendDecoder.newTurn(r, limits.frameBytes(), lease);
        Turn appended = append(context, turn, client);
        yield new BasicResponse.Appended(
            context.value(), appended.id().value(), appended.depth(), appended.payloadHash());
      }
      case BasicRequest.GetLast r ->
          PageReader.basic(
              pages.last(
                  context(r.contextId()),
                  pages.capped(r.limit()),
                  view(r.includePayload()),
                  lease));
      case BasicRequest.GetBefore r ->
          PageReader.basic(
              pages.before(
                  context(r.contextId()),
                  new TurnId(r.beforeTurnId()),
                  pages.capped(r.limit()),
                  view(r.includePayload()),
                  lease));
      case BasicRequest.GetRangeByDepth r ->
          PageReader.basic(
              pages.range(
                  context(r.contextId()),
                  r.startDepth() < 0 ? Integer.MAX_VALUE : r.startDepth(),
                  pages.capped(r.limit()),
                  view(r.includePayload()),
                  lease));
      case BasicRequest.GetBlob r -> new BasicResponse.Blob(pages.blob(r.hash(), lease));
      case BasicRequest.AttachFs r -> {
        attach(turn(r.turnId()), r.fsRootHash());
        yield new BasicResponse.Attached(r.turnId(), r.fsRootHash());
      }
      case BasicRequest.PutBlob r -> {
        AppendDecoder.verify("blob hash", r.data(), r.hash());
        yield new BasicResponse.Put(r.hash(), store.putWithOutcome(r.data()).isNew());
      }
    };
  }

  private Response hello(BasicRequest.Hello hello, BinaryClient client) {
    var refusal = client.introduce(hello.clientTag(), HelloToken.inMeta(hello.clientMetaJson()));
    if (refusal.isPresent()) {
      return refusal.get();
    }
    return new BasicResponse.Hello(
        client.number(), PROTOCOL_VERSION, SERVER_TAG, hello.documented());
  }

  private static BasicResponse.Head head(ContextHead context) {
    return new BasicResponse.Head(
        context.id().value(), context.head().value(), context.headDepth());
  }

  private static View view(int includePayload) {
    return includePayload == 0 ? View.HEADERS : View.LATEST;
  }

  /// @throws StoreException.NotFound for a number that no store gives out
  private static ContextId context(long id) {
    if (id < 0) {
      throw new StoreException.NotFound("context", Long.toUnsignedString(id));
    }
    return new ContextId(id);
  }

  private static TurnId turn(long id) {
    if (id < 0) {
      throw new StoreException.NotFound("turn", Long.toUnsignedString(id));
    }
    return new TurnId(id);
  }

  // ---- messages of Varve's own clients

  private Response own(StoreRequest request, BinaryClient client, MemoryBudget.Lease lease) {
    return switch (request) {
      case StoreRequest.Open r -> open(r, client);
      case StoreRequest.ContextCreate r ->
          new StoreResponse.Context(create(r.baseTurnId(), r.about(), client));
      case StoreRequest.ContextDescribe r ->
          changed(store.describe(new ContextId(r.contextId()), r.about()));
      case StoreRequest.ContextGet r ->
          new StoreResponse.Context(store.head(new ContextId(r.contextId())));
      case StoreRequest.ContextList r ->
          new StoreResponse.Contexts(
              store.contexts(r.after() == 0 ? null : new ContextId(r.after()), r.limit()));
      case StoreRequest.ContextsBelow r ->
          new StoreResponse.Contexts(store.contextsBelow(new ContextId(r.before()), r.limit()));
      case StoreRequest.TurnAppend r -> {
        AppendDecoder.verify("content hash", r.turn().payload(), r.contentHash());
        yield new StoreResponse.OneTurn(append(new ContextId(r.contextId()), r.turn(), client));
      }
      case StoreRequest.TurnGet r ->
          new StoreResponse.OneTurn(pages.turn(new TurnId(r.turnId()), r.view(), lease));
      case StoreRequest.PageLast r ->
          new StoreResponse.Page(
              pages.last(new ContextId(r.contextId()), r.limit(), r.view(), lease));
      case StoreRequest.PageBefore r ->
          new StoreResponse.Page(
              pages.before(
                  new ContextId(r.contextId()),
                  new TurnId(r.cursor()),
                  r.limit(),
                  r.view(),
                  lease));
      case StoreRequest.PageRange r ->
          new StoreResponse.Page(
              pages.range(
                  new ContextId(r.contextId()), r.startDepth(), r.limit(), r.view(), lease));
      case StoreRequest.Path r ->
          new StoreResponse.Turns(
              pages.path(new TurnId(r.lastTurnId()), r.startDepth(), r.limit(), r.view(), lease));
      case StoreRequest.Ancestor r ->
          new StoreResponse.TurnNumber(store.ancestor(new TurnId(r.turnId()), r.depth()).value());
      case StoreRequest.CommonAncestor r ->
          new StoreResponse.TurnNumber(
              store
                  .findCommonAncestor(new TurnId(r.aTurnId()), new TurnId(r.bTurnId()))
                  .orElse(TurnId.NONE)
                  .value());
      case StoreRequest.ChildFind r ->
          new StoreResponse.TurnNumber(
              store
                  .findChild(new TurnId(r.parentTurnId()), r.payloadHash())
                  .orElse(TurnId.NONE)
                  .value());
      case StoreRequest.TurnPatch r -> {
        AppendDecoder.verify("content hash", r.payload(), r.contentHash());
        yield overlaid(
            r.turnId(), store.patch(new TurnId(r.turnId()), r.payload()), Overlay.Kind.PATCH);
      }
      case StoreRequest.TurnTombstone r ->
          overlaid(r.turnId(), store.tombstone(new TurnId(r.turnId())), Overlay.Kind.TOMBSTONE);
      case StoreRequest.TurnFsRoot r ->
          new StoreResponse.Sequence(attach(new TurnId(r.turnId()), r.fsRootHash()));
      case StoreRequest.Overlays r ->
          new StoreResponse.Overlays(store.overlays(new TurnId(r.turnId())));
      case StoreRequest.Counts _ -> new StoreResponse.Counts(store.counts());
      case StoreRequest.TurnRestore r -> {
        AppendDecoder.verify("content hash", r.turn().payload(), r.contentHash());
        if (r.turn().parent() == null) {
          throw new StoreException.Invalid("TURN_RESTORE", "expected a parent, or 0 for none");
        }
        yield new StoreResponse.OneTurn(
            bulk()
                .restoreTurn(
                    new TurnId(r.turnId()),
                    new ContextId(r.contextId()),
                    r.turn(),
                    Instant.ofEpochMilli(r.createdAtUnixMs())));
      }
      case StoreRequest.ContextRestore r -> {
        ContextHead restored =
            bulk()
                .restoreContext(
                    new ContextId(r.contextId()),
                    new TurnId(r.headTurnId()),
                    new TurnId(r.baseTurnId()),
                    Instant.ofEpochMilli(r.createdAtUnixMs()),
                    Instant.ofEpochMilli(r.activeAtUnixMs()),
                    r.about());
        listener.on(new ServerEvent.ContextCreated(restored, null));
        yield new StoreResponse.Context(restored);
      }
      case StoreRequest.ContextMove r ->
          changed(
              bulk()
                  .moveContext(
                      new ContextId(r.contextId()),
                      new TurnId(r.expectedHeadTurnId()),
                      new TurnId(r.headTurnId()),
                      Instant.ofEpochMilli(r.activeAtUnixMs()),
                      r.about()));
    };
  }

  /// A context with another description; the listener finds out what the description says.
  private Response changed(ContextHead context) {
    listener.on(ServerEvent.ContextMetadataUpdated.unread(context.id()));
    return new StoreResponse.Context(context);
  }

  // ---- messages about blobs

  private Response blob(BlobRequest request, BinaryClient client, MemoryBudget.Lease lease) {
    return switch (request) {
      case BlobRequest.BlobsHas r -> presence(r.hashes());
      case BlobRequest.BlobSize r -> new StoreResponse.Size(store.sizeBytes(r.hash()));
      case BlobRequest.BlobRead r -> new StoreResponse.Bytes(pages.bytes(r, lease));
      case BlobRequest.BlobPart r -> {
        PutOutcome blob = client.uploads().take(r, store);
        yield blob == null
            ? new StoreResponse.PartTaken(null, false)
            : new StoreResponse.PartTaken(blob.hash(), blob.isNew());
      }
      case BlobRequest.BlobsPut r -> putAll(r.blobs());
      case BlobRequest.ChunkList r ->
          new StoreResponse.RootList(store.findChunkList(r.hash()).orElse(null));
      case BlobRequest.BlobAssemble r -> {
        store.assemble(r.hash(), r.rootList());
        yield new StoreResponse.Stored();
      }
    };
  }

  // ---- what is asked about the whole store

  private Response maintain(
      MaintenanceRequest request, BinaryClient client, MemoryBudget.Lease lease) {
    return switch (request) {
      case MaintenanceRequest.CheckStep r ->
          client.check(r.begin(), service).next(limits.frameBytes() / 2);
      case MaintenanceRequest.BlobList r -> {
        int limit = Math.min(r.limit(), LIST_MAX);
        lease.growTo(2L * BlobHash.SIZE_BYTES * Math.max(0, limit));
        yield new MaintenanceResponse.Blobs(bulk().blobs(r.after(), limit));
      }
      case MaintenanceRequest.TurnList r -> {
        int limit = Math.min(r.limit(), LIST_MAX);
        lease.growTo(2L * Long.BYTES * Math.max(0, limit));
        yield new MaintenanceResponse.TurnNumbers(
            bulk().turnNumbers(new TurnId(r.afterTurnId()), limit));
      }
      case MaintenanceRequest.OverlayList r -> {
        int limit = Math.min(r.limit(), LIST_MAX);
        lease.growTo(OVERLAY_BYTES * Math.max(0, limit));
        yield new MaintenanceResponse.OverlayPage(bulk().overlaysAfter(r.afterSeq(), limit));
      }
      case MaintenanceRequest.LastErasure _ ->
          new MaintenanceResponse.ErasureNumber(bulk().lastErasure());
      case MaintenanceRequest.BackupPoint _ -> {
        Payload point = store.backupPoint();
        lease.growTo(2L * point.sizeBytes());
        yield new MaintenanceResponse.Point(point);
      }
      case MaintenanceRequest.HoldSet r ->
          new MaintenanceResponse.Holds(
              List.of(
                  store
                      .holds()
                      .hold(
                          new ContextId(r.contextId()),
                          r.untilUnixMs() == 0 ? null : Instant.ofEpochMilli(r.untilUnixMs()),
                          r.reason())));
      case MaintenanceRequest.HoldRelease r ->
          new MaintenanceResponse.Holds(
              store.holds().release(new ContextId(r.contextId())).stream().toList());
      case MaintenanceRequest.PlanErasure r ->
          new MaintenanceResponse.Forecast(store.erasures().plan(r.choice(), ReadProgress.NONE));
      case MaintenanceRequest.Erase r -> {
        EraseReceipt receipt = store.erasures().erase(r.choice(), r.digest(), ReadProgress.NONE);
        listener.on(new ServerEvent.BlobsErased(receipt.run()));
        yield new MaintenanceResponse.Erased(receipt);
      }
      case MaintenanceRequest.HoldList _ -> {
        List<ContextHold> holds = store.holds().all();
        lease.growTo(2L * HOLD_BYTES * holds.size());
        yield new MaintenanceResponse.Holds(holds);
      }
    };
  }

  private Response open(StoreRequest.Open open, BinaryClient client) {
    if (open.version() != StoreRequest.VERSION) {
      throw new StoreException.Invalid(
          "version", "expected " + StoreRequest.VERSION + ", found " + open.version());
    }
    var refusal = client.introduce(open.clientTag(), open.token());
    if (refusal.isPresent()) {
      return refusal.get();
    }
    return new StoreResponse.Opened(
        StoreRequest.VERSION, client.number(), limits.frameBytes(), limits.inFlight());
  }

  private StoreResponse presence(List<BlobHash> hashes) {
    Set<BlobHash> lacking = Set.copyOf(store.lacking(hashes));
    return new StoreResponse.Presence(
        hashes.stream().map(hash -> !lacking.contains(hash)).toList());
  }

  private StoreResponse putAll(List<BlobRequest.BlobsPut.Named> blobs) {
    blobs.forEach(blob -> AppendDecoder.verify("blob hash", blob.data(), blob.hash()));
    store.putAll(blobs.stream().map(BlobRequest.BlobsPut.Named::data).toList());
    return new StoreResponse.Stored();
  }

  private BulkStore bulk() {
    if (store instanceof BulkStore bulk) {
      return bulk;
    }
    throw new StoreException.Invalid("history", "this store takes none from elsewhere");
  }

  // ---- changes and their events

  private ContextHead create(long base, @Nullable BlobHash about, BinaryClient client) {
    ContextHead context = store.createContext(turn(base), about);
    client.live(context.id());
    listener.on(new ServerEvent.ContextCreated(context, client.session()));
    return context;
  }

  /// Appends a turn. A head's number is at least that of every turn that was appended through its
  /// context, so a turn that is not above the former head existed before: the request was a retry,
  /// and no event is published.
  private Turn append(ContextId context, NewTurn turn, BinaryClient client) {
    TurnId known = turn.key() == null ? TurnId.NONE : store.head(context).head();
    Turn appended = store.append(context, turn);
    client.live(context);
    if (appended.id().compareTo(known) > 0) {
      listener.on(new ServerEvent.TurnAppended(appended, client.session()));
    }
    return appended;
  }

  private long attach(TurnId turn, BlobHash root) {
    long seq = store.attachFsRoot(turn, root);
    listener.on(new ServerEvent.TurnOverlaid(turn, seq, Overlay.Kind.FS_ROOT));
    return seq;
  }

  private StoreResponse overlaid(long turn, long seq, Overlay.Kind kind) {
    listener.on(new ServerEvent.TurnOverlaid(new TurnId(turn), seq, kind));
    return new StoreResponse.Sequence(seq);
  }
}
