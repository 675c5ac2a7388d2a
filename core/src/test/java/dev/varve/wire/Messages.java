// SPDX-License-Identifier: Apache-2.0
package dev.varve.wire;

import dev.varve.BlobHash;
import dev.varve.CheckReport;
import dev.varve.ContextHead;
import dev.varve.ContextHold;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.ErasePlan;
import dev.varve.EraseReceipt;
import dev.varve.EraseRequest;
import dev.varve.ErasedBlob;
import dev.varve.IdempotencyKey;
import dev.varve.NewTurn;
import dev.varve.Overlay;
import dev.varve.Payload;
import dev.varve.StoreCounts;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.TurnPage;
import dev.varve.View;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/// One of each message, with everything in it that may be in it.
final class Messages {

  private static final BlobHash HASH = new BlobHash(1, 2, 3, 4);
  private static final BlobHash OTHER = new BlobHash(5, 6, 7, 8);
  private static final Payload BYTES = Payload.utf8("payload");
  private static final Instant THEN = Instant.ofEpochMilli(1_700_000_000_123L);
  private static final View VIEW = View.asOf(77);

  private static final EraseRequest CHOICE =
      new EraseRequest(
          Set.of(new ContextId(5)), Set.of(HASH), List.of(Payload.utf8("a secret")), true, true);
  private static final ErasePlan PLAN =
      new ErasePlan(
          new ErasePlan.Counts(1, 2, 3, 4, 5),
          List.of(new ErasePlan.GoingBlob(HASH, 6, ErasedBlob.Cause.SECRET)),
          List.of(new ErasePlan.StayingBlob(OTHER, "turn 4")),
          List.of(new TurnId(20)),
          OTHER);

  static final NewTurn NEW_TURN =
      new NewTurn(
          BYTES,
          new DeclaredType("test.Type", 3),
          Encoding.MSGPACK,
          new TurnId(10),
          new TurnId(11),
          IdempotencyKey.of("key"),
          OTHER,
          1,
          Instant.ofEpochMilli(1_700_000_000_000L));

  static final Turn TURN =
      new Turn(
          new TurnId(20),
          new TurnId(19),
          7,
          new ContextId(3),
          new DeclaredType("test.Type", 3),
          Encoding.JSON,
          1,
          HASH,
          7,
          THEN,
          OTHER,
          false,
          5,
          BYTES);

  static final ContextHead CONTEXT =
      new ContextHead(
          new ContextId(3), new TurnId(20), 7, new TurnId(2), THEN, THEN.plusMillis(5), HASH);

  /// A request and its answer.
  record Pair(Request request, Response response) {}

  static final List<Pair> ALL =
      List.of(
          new Pair(
              new BasicRequest.Hello(1, "agent", "{\"a\":1}", false),
              new BasicResponse.Hello(9, 1, "", false)),
          new Pair(new BasicRequest.CtxCreate(4), new BasicResponse.Head(1, 2, 3)),
          new Pair(new BasicRequest.CtxFork(4), new BasicResponse.Head(1, 2, 3)),
          new Pair(new BasicRequest.GetHead(4), new BasicResponse.Head(1, 2, 3)),
          new Pair(
              new BasicRequest.AppendTurn(
                  1, 2, "test.Type", 3, 1, 0, 7, HASH, BYTES, Payload.utf8("idem-1"), OTHER),
              new BasicResponse.Appended(1, 3, 4, HASH)),
          new Pair(new BasicRequest.GetLast(1, 10, 1), page()),
          new Pair(new BasicRequest.GetBefore(1, 2, 10, 1), page()),
          new Pair(new BasicRequest.GetRangeByDepth(1, 2, 10, 1), page()),
          new Pair(new BasicRequest.GetBlob(HASH), new BasicResponse.Blob(BYTES)),
          new Pair(new BasicRequest.AttachFs(1, HASH), new BasicResponse.Attached(1, HASH)),
          new Pair(new BasicRequest.PutBlob(HASH, BYTES), new BasicResponse.Put(HASH, true)),
          new Pair(
              new StoreRequest.Open(1, "agent", "secret"),
              new StoreResponse.Opened(1, 5, 1 << 20, 32)),
          new Pair(new StoreRequest.ContextCreate(1, HASH), new StoreResponse.Context(CONTEXT)),
          new Pair(new StoreRequest.ContextDescribe(1, HASH), new StoreResponse.Context(CONTEXT)),
          new Pair(new StoreRequest.ContextGet(1), new StoreResponse.Context(CONTEXT)),
          new Pair(
              new StoreRequest.ContextList(1, 10), new StoreResponse.Contexts(List.of(CONTEXT))),
          new Pair(
              new StoreRequest.ContextsBelow(9, 10), new StoreResponse.Contexts(List.of(CONTEXT))),
          new Pair(new StoreRequest.TurnAppend(1, NEW_TURN, HASH), new StoreResponse.OneTurn(TURN)),
          new Pair(new StoreRequest.TurnGet(1, VIEW), new StoreResponse.OneTurn(TURN)),
          new Pair(new StoreRequest.PageLast(1, 10, VIEW), storePage()),
          new Pair(new StoreRequest.PageBefore(1, 2, 10, VIEW), storePage()),
          new Pair(new StoreRequest.PageRange(1, 2, 10, VIEW), storePage()),
          new Pair(new StoreRequest.Path(1, 2, 10, VIEW), new StoreResponse.Turns(List.of(TURN))),
          new Pair(new StoreRequest.Ancestor(1, 2), new StoreResponse.TurnNumber(3)),
          new Pair(new StoreRequest.CommonAncestor(1, 2), new StoreResponse.TurnNumber(3)),
          new Pair(new StoreRequest.ChildFind(1, HASH), new StoreResponse.TurnNumber(3)),
          new Pair(
              new BlobRequest.BlobsHas(List.of(HASH)), new StoreResponse.Presence(List.of(true))),
          new Pair(new StoreRequest.TurnPatch(1, HASH, BYTES), new StoreResponse.Sequence(2)),
          new Pair(new StoreRequest.TurnTombstone(1), new StoreResponse.Sequence(2)),
          new Pair(new StoreRequest.TurnFsRoot(1, HASH), new StoreResponse.Sequence(2)),
          new Pair(
              new StoreRequest.Overlays(1),
              new StoreResponse.Overlays(
                  List.of(new Overlay(2, new TurnId(1), Overlay.Kind.FS_ROOT, HASH)))),
          new Pair(
              new StoreRequest.Counts(),
              new StoreResponse.Counts(new StoreCounts(1, 2, 3, 4, 5, 6, 7, 8))),
          new Pair(
              new StoreRequest.TurnRestore(1, 2, 3, NEW_TURN, HASH),
              new StoreResponse.OneTurn(TURN)),
          new Pair(
              new StoreRequest.ContextRestore(1, 2, 3, 4, 5, HASH),
              new StoreResponse.Context(CONTEXT)),
          new Pair(new BlobRequest.BlobSize(HASH), new StoreResponse.Size(9)),
          new Pair(new BlobRequest.BlobRead(HASH, 1, 7), new StoreResponse.Bytes(BYTES)),
          new Pair(
              new BlobRequest.BlobPart(1, true, HASH, BYTES),
              new StoreResponse.PartTaken(HASH, true)),
          new Pair(
              new BlobRequest.BlobsPut(List.of(new BlobRequest.BlobsPut.Named(HASH, BYTES))),
              new StoreResponse.Stored()),
          new Pair(new BlobRequest.ChunkList(HASH), new StoreResponse.RootList(BYTES)),
          new Pair(new BlobRequest.BlobAssemble(HASH, BYTES), new StoreResponse.Stored()),
          new Pair(
              new MaintenanceRequest.CheckStep(true),
              new MaintenanceResponse.CheckState(
                  1,
                  2,
                  true,
                  new CheckReport(
                      3,
                      4,
                      5,
                      6,
                      new CheckReport.NewestTurn(new TurnId(20), THEN),
                      List.of(new CheckReport.Problem("turns.log", 80, "wrong", false))))),
          new Pair(new MaintenanceRequest.BackupPoint(), new MaintenanceResponse.Point(BYTES)),
          new Pair(
              new StoreRequest.ContextMove(1, 2, 3, 4, HASH), new StoreResponse.Context(CONTEXT)),
          new Pair(
              new MaintenanceRequest.BlobList(HASH, 5),
              new MaintenanceResponse.Blobs(List.of(HASH))),
          new Pair(
              new MaintenanceRequest.TurnList(4, 5),
              new MaintenanceResponse.TurnNumbers(List.of(new TurnId(6)))),
          new Pair(
              new MaintenanceRequest.OverlayList(4, 5),
              new MaintenanceResponse.OverlayPage(
                  List.of(new Overlay(5, new TurnId(6), Overlay.Kind.PATCH, HASH)))),
          new Pair(new MaintenanceRequest.LastErasure(), new MaintenanceResponse.ErasureNumber(7)),
          new Pair(
              new MaintenanceRequest.HoldSet(5, THEN.toEpochMilli(), "audit"),
              new MaintenanceResponse.Holds(
                  List.of(new ContextHold(new ContextId(5), THEN, THEN.plusSeconds(9), "audit")))),
          new Pair(
              new MaintenanceRequest.HoldRelease(5),
              new MaintenanceResponse.Holds(
                  List.of(new ContextHold(new ContextId(5), THEN, null, "")))),
          new Pair(
              new MaintenanceRequest.HoldList(),
              new MaintenanceResponse.Holds(
                  List.of(new ContextHold(new ContextId(6), THEN, null, "")))),
          new Pair(
              new MaintenanceRequest.PlanErasure(CHOICE), new MaintenanceResponse.Forecast(PLAN)),
          new Pair(
              new MaintenanceRequest.Erase(CHOICE, OTHER),
              new MaintenanceResponse.Erased(
                  new EraseReceipt(
                      new UUID(7, 8),
                      9,
                      THEN,
                      PLAN,
                      List.of(HASH),
                      new EraseReceipt.PackBytes(500, 100)))));

  static final ErrorResponse ERROR =
      ErrorResponse.of(new StoreException.Conflict("head", "turn 5", "turn 6"));

  private Messages() {}

  private static BasicResponse.Turns page() {
    return new BasicResponse.Turns(List.of(BasicResponse.Item.of(TURN)), 20, 30, 9);
  }

  private static StoreResponse.Page storePage() {
    return new StoreResponse.Page(new TurnPage(CONTEXT, List.of(TURN), new TurnId(20)));
  }

  static Frame frame(Request request) {
    FieldWriter fields = request.fields(16);
    return new Frame(request.type().number(), request.flags(), 6, fields.payload());
  }

  static Frame frame(Response response, MessageType type) {
    FieldWriter fields = new FieldWriter(response.sizeBytes());
    response.write(fields);
    return new Frame(type.number(), 0, 6, fields.payload());
  }
}
