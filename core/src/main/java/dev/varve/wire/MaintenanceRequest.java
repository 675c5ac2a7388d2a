// SPDX-License-Identifier: Apache-2.0
package dev.varve.wire;

import dev.varve.BlobHash;
import dev.varve.EraseRequest;
import org.jspecify.annotations.Nullable;

/// Requests about a whole store, for its maintenance.
public sealed interface MaintenanceRequest extends Request {

  /// Begins a check that reads and verifies the whole store, or asks for the progress of the check.
  /// One check at a time on a connection.
  ///
  /// @param begin whether a check begins; an earlier one of this connection is given up
  record CheckStep(boolean begin) implements MaintenanceRequest {
    @Override
    public MessageType type() {
      return MessageType.CHECK_STEP;
    }

    @Override
    public void write(FieldWriter out) {
      out.u8("begin", begin ? 1 : 0);
    }
  }

  /// Asks how far each file counts, for a copy. See `Store.backupPoint`.
  record BackupPoint() implements MaintenanceRequest {
    @Override
    public MessageType type() {
      return MessageType.BACKUP_POINT;
    }

    @Override
    public void write(FieldWriter out) {}
  }

  /// Asks for a page of the store's blobs. See `BulkStore.blobs`.
  ///
  /// @param after the last blob of the page before, or null
  /// @param limit at most so many blobs
  record BlobList(@Nullable BlobHash after, int limit) implements MaintenanceRequest {
    @Override
    public MessageType type() {
      return MessageType.BLOB_LIST;
    }

    @Override
    public void write(FieldWriter out) {
      MessageParts.optionalHash(out, "after", after);
      out.u32("limit", limit);
    }
  }

  /// Asks for a page of the numbers of turns. See `BulkStore.turnNumbers`.
  ///
  /// @param limit at most so many numbers
  record TurnList(long afterTurnId, int limit) implements MaintenanceRequest {
    @Override
    public MessageType type() {
      return MessageType.TURN_LIST;
    }

    @Override
    public void write(FieldWriter out) {
      out.u64("after_turn_id", afterTurnId);
      out.u32("limit", limit);
    }
  }

  /// Asks for a page of the store's overlays. See `BulkStore.overlaysAfter`.
  ///
  /// @param limit at most so many overlays
  record OverlayList(long afterSeq, int limit) implements MaintenanceRequest {
    @Override
    public MessageType type() {
      return MessageType.OVERLAY_LIST;
    }

    @Override
    public void write(FieldWriter out) {
      out.u64("after_seq", afterSeq);
      out.u32("limit", limit);
    }
  }

  /// Asks for the number of the last erasure. See `BulkStore.lastErasure`.
  record LastErasure() implements MaintenanceRequest {
    @Override
    public MessageType type() {
      return MessageType.LAST_ERASURE;
    }

    @Override
    public void write(FieldWriter out) {}
  }

  /// Places a hold on a context. See `ContextHolds.hold`.
  ///
  /// @param untilUnixMs 0 for a hold without an end
  record HoldSet(long contextId, long untilUnixMs, String reason) implements MaintenanceRequest {
    @Override
    public MessageType type() {
      return MessageType.HOLD_SET;
    }

    @Override
    public void write(FieldWriter out) {
      out.u64("context_id", contextId);
      out.u64("until_unix_ms", untilUnixMs);
      out.text("reason", reason);
    }
  }

  /// Ends the hold of a context.
  record HoldRelease(long contextId) implements MaintenanceRequest {
    @Override
    public MessageType type() {
      return MessageType.HOLD_RELEASE;
    }

    @Override
    public void write(FieldWriter out) {
      out.u64("context_id", contextId);
    }
  }

  /// Asks for all holds.
  record HoldList() implements MaintenanceRequest {
    @Override
    public MessageType type() {
      return MessageType.HOLD_LIST;
    }

    @Override
    public void write(FieldWriter out) {}
  }

  /// Asks what an erasure would take. See `StoreErasures.plan`.
  record PlanErasure(EraseRequest choice) implements MaintenanceRequest {
    @Override
    public MessageType type() {
      return MessageType.ERASE_PLAN;
    }

    @Override
    public void write(FieldWriter out) {
      ErasureParts.writeChoice(out, choice);
    }
  }

  /// Erases what a plan said. See `StoreErasures.erase`.
  ///
  /// @param digest that of the plan
  record Erase(EraseRequest choice, BlobHash digest) implements MaintenanceRequest {
    @Override
    public MessageType type() {
      return MessageType.ERASE;
    }

    @Override
    public void write(FieldWriter out) {
      out.hash("digest", digest);
      ErasureParts.writeChoice(out, choice);
    }
  }

  /// The request of `type`, which is one of these.
  static MaintenanceRequest read(MessageType type, FieldReader in) {
    return switch (type) {
      case CHECK_STEP -> new CheckStep(in.u8("begin") != 0);
      case BACKUP_POINT -> new BackupPoint();
      case BLOB_LIST -> new BlobList(MessageParts.optionalHash(in, "after"), in.u32("limit"));
      case TURN_LIST -> new TurnList(in.number("after_turn_id"), in.u32("limit"));
      case OVERLAY_LIST -> new OverlayList(in.number("after_seq"), in.u32("limit"));
      case LAST_ERASURE -> new LastErasure();
      case HOLD_SET ->
          new HoldSet(in.number("context_id"), in.number("until_unix_ms"), in.text("reason"));
      case HOLD_RELEASE -> new HoldRelease(in.number("context_id"));
      case HOLD_LIST -> new HoldList();
      case ERASE_PLAN -> new PlanErasure(ErasureParts.readChoice(in));
      case ERASE -> {
        BlobHash digest = in.hash("digest");
        yield new Erase(ErasureParts.readChoice(in), digest);
      }
      default -> throw new AssertionError("not about the whole store: " + type);
    };
  }
}
