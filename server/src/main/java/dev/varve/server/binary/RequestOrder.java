// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.TurnId;
import dev.varve.wire.BasicRequest;
import dev.varve.wire.BlobRequest;
import dev.varve.wire.MaintenanceRequest;
import dev.varve.wire.Request;
import dev.varve.wire.StoreRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/// The order of requests on one connection. A request waits for earlier writes of the same
/// connection on which it may depend, and for nothing else: a client that does not wait for answers
/// sees the store as if its requests were processed one by one.
///
/// Two requests are ordered if both name the same context, turn or blob and the earlier one changes
/// it. Requests *enter* in the order of their arrival and may *wait* and *leave* on any thread.
final class RequestOrder {

  /// The name that all requests share which restore foreign history.
  private static final Object HISTORY = new Object();

  /// The name that all requests share which put several blobs; a request that names a blob waits
  /// for them.
  private static final Object BLOBS = new Object();

  private record UploadNumber(long number) {}

  private final Map<Object, CountDownLatch> writes = new HashMap<>(); // guarded by this

  /// A request that has entered.
  final class PendingRequest {
    private final List<CountDownLatch> before;
    private final @Nullable Object written;
    private final @Nullable CountDownLatch done;

    private PendingRequest(
        List<CountDownLatch> before, @Nullable Object written, @Nullable CountDownLatch done) {
      this.before = before;
      this.written = written;
      this.done = done;
    }

    /// Returns once the earlier requests have left.
    void await() {
      boolean interrupted = false;
      for (CountDownLatch latch : before) {
        while (true) {
          try {
            latch.await();
            break;
          } catch (InterruptedException e) {
            interrupted = true;
          }
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }

    /// Lets later requests go on.
    void leave() {
      if (done != null) {
        synchronized (RequestOrder.this) {
          writes.remove(Objects.requireNonNull(written), done);
        }
        done.countDown();
      }
    }
  }

  private static final List<Object> NOTHING = List.of();

  /// The names of a request.
  ///
  /// @param seen the names that the request depends on
  /// @param written the name that it changes, null for none
  private record Names(List<Object> seen, @Nullable Object written) {
    static final Names NONE = new Names(NOTHING, null);

    static Names seeing(Object... names) {
      return new Names(List.of(names), null);
    }

    static Names writing(Object written, @Nullable Object alsoSeen) {
      return new Names(alsoSeen == null ? List.of(written) : List.of(written, alsoSeen), written);
    }
  }

  /// Registers the next request.
  PendingRequest enter(Request request) {
    Names names = names(request);
    if (names.seen().isEmpty()) {
      return new PendingRequest(List.of(), null, null);
    }
    List<CountDownLatch> before = new ArrayList<>(names.seen().size());
    Object written = names.written();
    CountDownLatch done = written == null ? null : new CountDownLatch(1);
    synchronized (this) {
      for (Object name : names.seen()) {
        addIfThere(before, writes.get(name));
        if (name instanceof BlobHash) {
          addIfThere(before, writes.get(BLOBS));
        }
      }
      if (written != null && done != null) {
        writes.put(written, done);
      }
    }
    return new PendingRequest(before, written, done);
  }

  private static void addIfThere(List<CountDownLatch> before, @Nullable CountDownLatch write) {
    if (write != null) {
      before.add(write);
    }
  }

  private static Names names(Request request) {
    return switch (request) {
      case BasicRequest.Hello _ -> Names.NONE;
      case BasicRequest.CtxCreate r -> base(r.baseTurnId(), null);
      case BasicRequest.CtxFork r -> base(r.baseTurnId(), null);
      case BasicRequest.GetHead r -> Names.seeing(new ContextId(r.contextId()));
      case BasicRequest.AppendTurn r -> Names.writing(new ContextId(r.contextId()), r.fsRootHash());
      case BasicRequest.GetLast r -> Names.seeing(new ContextId(r.contextId()));
      case BasicRequest.GetBefore r -> Names.seeing(new ContextId(r.contextId()));
      case BasicRequest.GetRangeByDepth r -> Names.seeing(new ContextId(r.contextId()));
      case BasicRequest.GetBlob r -> Names.seeing(r.hash());
      case BasicRequest.AttachFs r -> Names.writing(new TurnId(r.turnId()), r.fsRootHash());
      case BasicRequest.PutBlob r -> Names.writing(r.hash(), null);
      case StoreRequest.Open _ -> Names.NONE;
      case StoreRequest.ContextCreate r -> base(r.baseTurnId(), r.about());
      case StoreRequest.ContextDescribe r -> Names.writing(new ContextId(r.contextId()), r.about());
      case StoreRequest.ContextGet r -> Names.seeing(new ContextId(r.contextId()));
      case StoreRequest.ContextList _, StoreRequest.ContextsBelow _ -> Names.NONE;
      case StoreRequest.TurnAppend r ->
          Names.writing(new ContextId(r.contextId()), r.turn().fsRoot());
      case StoreRequest.TurnGet r -> Names.seeing(new TurnId(r.turnId()));
      case StoreRequest.PageLast r -> Names.seeing(new ContextId(r.contextId()));
      case StoreRequest.PageBefore r -> Names.seeing(new ContextId(r.contextId()));
      case StoreRequest.PageRange r -> Names.seeing(new ContextId(r.contextId()));
      case StoreRequest.Path r -> Names.seeing(new TurnId(r.lastTurnId()));
      case StoreRequest.Ancestor r -> Names.seeing(new TurnId(r.turnId()));
      case StoreRequest.CommonAncestor r ->
          Names.seeing(new TurnId(r.aTurnId()), new TurnId(r.bTurnId()));
      case StoreRequest.ChildFind r -> Names.seeing(new TurnId(r.parentTurnId()));
      case BlobRequest.BlobsHas r -> new Names(List.copyOf(r.hashes()), null);
      case StoreRequest.TurnPatch r -> Names.writing(new TurnId(r.turnId()), null);
      case StoreRequest.TurnTombstone r -> Names.writing(new TurnId(r.turnId()), null);
      case StoreRequest.TurnFsRoot r -> Names.writing(new TurnId(r.turnId()), r.fsRootHash());
      case StoreRequest.Overlays r -> Names.seeing(new TurnId(r.turnId()));
      case StoreRequest.Counts _ -> Names.NONE;
      case StoreRequest.TurnRestore r -> Names.writing(HISTORY, r.turn().fsRoot());
      case StoreRequest.ContextRestore r -> Names.writing(HISTORY, r.about());
      case BlobRequest.BlobSize r -> Names.seeing(r.hash());
      case BlobRequest.BlobRead r -> Names.seeing(r.hash());
      case BlobRequest.BlobPart r -> Names.writing(new UploadNumber(r.upload()), null);
      case BlobRequest.BlobsPut _ -> Names.writing(BLOBS, null);
      case BlobRequest.ChunkList r -> Names.seeing(r.hash());
      case BlobRequest.BlobAssemble r -> Names.writing(r.hash(), null);
      case MaintenanceRequest.CheckStep _ -> Names.NONE;
      case StoreRequest.ContextMove r -> Names.writing(new ContextId(r.contextId()), r.about());
      case MaintenanceRequest.BackupPoint _ -> Names.NONE;
      case MaintenanceRequest.BlobList _ -> Names.NONE;
      case MaintenanceRequest.TurnList _,
          MaintenanceRequest.OverlayList _,
          MaintenanceRequest.LastErasure _ ->
          Names.NONE;
      case MaintenanceRequest.HoldSet r -> Names.writing(new ContextId(r.contextId()), null);
      case MaintenanceRequest.HoldRelease r -> Names.writing(new ContextId(r.contextId()), null);
      case MaintenanceRequest.HoldList _,
          MaintenanceRequest.PlanErasure _,
          MaintenanceRequest.Erase _ ->
          Names.NONE;
    };
  }

  /// The object that a request changes, or the first object that the request reads, for people:
  /// `context 5`. Empty for an object that the request creates.
  static String named(Request request) {
    Names names = names(request);
    List<Object> seen = names.seen();
    boolean reads = names.written() == null && !request.type().writes() && !seen.isEmpty();
    return switch (reads ? seen.getFirst() : names.written()) {
      case ContextId id -> "context " + id;
      case TurnId id -> "turn " + id;
      case BlobHash hash -> "blob " + hash;
      case null, default -> "";
    };
  }

  private static Names base(long baseTurnId, @Nullable BlobHash about) {
    TurnId base = new TurnId(baseTurnId);
    return about == null ? Names.seeing(base) : Names.seeing(base, about);
  }
}
