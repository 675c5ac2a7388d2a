// SPDX-License-Identifier: Apache-2.0
package dev.varve.wire;

import dev.varve.BlobHash;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.View;
import org.jspecify.annotations.Nullable;

/// Requests to a `Store` that cxdb's messages lack. A turn number of 0 stands for no turn.
public sealed interface StoreRequest extends Request {

  /// The version of these messages.
  int VERSION = 1;

  /// A client of these messages introduces itself, once, before its first request.
  ///
  /// @param token empty for none
  record Open(int version, String clientTag, String token) implements StoreRequest {
    @Override
    public MessageType type() {
      return MessageType.OPEN;
    }

    @Override
    public void write(FieldWriter out) {
      out.u32("version", version);
      out.text("client_tag", clientTag);
      out.text("token", token);
    }

    /// Without the token: this may be logged.
    @Override
    public String toString() {
      return "Open[version=" + version + ", clientTag=" + clientTag + "]";
    }
  }

  record ContextCreate(long baseTurnId, @Nullable BlobHash about) implements StoreRequest {
    @Override
    public MessageType type() {
      return MessageType.CONTEXT_CREATE;
    }

    @Override
    public void write(FieldWriter out) {
      out.u64("base_turn_id", baseTurnId);
      MessageParts.optionalHash(out, "about", about);
    }
  }

  record ContextDescribe(long contextId, BlobHash about) implements StoreRequest {
    @Override
    public MessageType type() {
      return MessageType.CONTEXT_DESCRIBE;
    }

    @Override
    public void write(FieldWriter out) {
      out.u64("context_id", contextId);
      out.hash("about", about);
    }
  }

  record ContextGet(long contextId) implements StoreRequest {
    @Override
    public MessageType type() {
      return MessageType.CONTEXT_GET;
    }

    @Override
    public void write(FieldWriter out) {
      out.u64("context_id", contextId);
    }
  }

  /// @param after the last context of the page before, 0 for the first page
  record ContextList(long after, int limit) implements StoreRequest {
    @Override
    public MessageType type() {
      return MessageType.CONTEXT_LIST;
    }

    @Override
    public void write(FieldWriter out) {
      out.u64("after", after);
      out.u32("limit", limit);
    }
  }

  /// Asks for the contexts by their numbers, the greatest first. See `Store.contextsBelow`.
  ///
  /// @param before only smaller numbers; 2^63 - 1 for all
  record ContextsBelow(long before, int limit) implements StoreRequest {
    @Override
    public MessageType type() {
      return MessageType.CONTEXTS_BELOW;
    }

    @Override
    public void write(FieldWriter out) {
      out.u64("before", before);
      out.u32("limit", limit);
    }
  }

  /// @param contentHash of the turn's payload; the server verifies it before it stores anything
  record TurnAppend(long contextId, NewTurn turn, BlobHash contentHash) implements StoreRequest {
    @Override
    public MessageType type() {
      return MessageType.TURN_APPEND;
    }

    @Override
    public void write(FieldWriter out) {
      out.u64("context_id", contextId);
      MessageParts.newTurn(out, turn, contentHash);
    }
  }

  record TurnGet(long turnId, View view) implements StoreRequest {
    @Override
    public MessageType type() {
      return MessageType.TURN_GET;
    }

    @Override
    public void write(FieldWriter out) {
      out.u64("turn_id", turnId);
      MessageParts.view(out, view);
    }
  }

  record PageLast(long contextId, int limit, View view) implements StoreRequest {
    @Override
    public MessageType type() {
      return MessageType.PAGE_LAST;
    }

    @Override
    public void write(FieldWriter out) {
      out.u64("context_id", contextId);
      out.u32("limit", limit);
      MessageParts.view(out, view);
    }
  }

  record PageBefore(long contextId, long cursor, int limit, View view) implements StoreRequest {
    @Override
    public MessageType type() {
      return MessageType.PAGE_BEFORE;
    }

    @Override
    public void write(FieldWriter out) {
      out.u64("context_id", contextId);
      out.u64("cursor", cursor);
      out.u32("limit", limit);
      MessageParts.view(out, view);
    }
  }

  record PageRange(long contextId, int startDepth, int limit, View view) implements StoreRequest {
    @Override
    public MessageType type() {
      return MessageType.PAGE_RANGE;
    }

    @Override
    public void write(FieldWriter out) {
      out.u64("context_id", contextId);
      out.u32("start_depth", startDepth);
      out.u32("limit", limit);
      MessageParts.view(out, view);
    }
  }

  /// The turns on the path from the root to `lastTurnId`, from `startDepth` on, oldest first.
  record Path(long lastTurnId, int startDepth, int limit, View view) implements StoreRequest {
    @Override
    public MessageType type() {
      return MessageType.PATH;
    }

    @Override
    public void write(FieldWriter out) {
      out.u64("last_turn_id", lastTurnId);
      out.u32("start_depth", startDepth);
      out.u32("limit", limit);
      MessageParts.view(out, view);
    }
  }

  record Ancestor(long turnId, int depth) implements StoreRequest {
    @Override
    public MessageType type() {
      return MessageType.ANCESTOR;
    }

    @Override
    public void write(FieldWriter out) {
      out.u64("turn_id", turnId);
      out.u32("depth", depth);
    }
  }

  record CommonAncestor(long aTurnId, long bTurnId) implements StoreRequest {
    @Override
    public MessageType type() {
      return MessageType.COMMON_ANCESTOR;
    }

    @Override
    public void write(FieldWriter out) {
      out.u64("a_turn_id", aTurnId);
      out.u64("b_turn_id", bTurnId);
    }
  }

  record ChildFind(long parentTurnId, BlobHash payloadHash) implements StoreRequest {
    @Override
    public MessageType type() {
      return MessageType.CHILD_FIND;
    }

    @Override
    public void write(FieldWriter out) {
      out.u64("parent_turn_id", parentTurnId);
      out.hash("payload_hash", payloadHash);
    }
  }

  record TurnPatch(long turnId, BlobHash contentHash, Payload payload) implements StoreRequest {
    @Override
    public MessageType type() {
      return MessageType.TURN_PATCH;
    }

    @Override
    public void write(FieldWriter out) {
      out.u64("turn_id", turnId);
      out.hash("content_hash", contentHash);
      out.bytes("payload", payload);
    }
  }

  record TurnTombstone(long turnId) implements StoreRequest {
    @Override
    public MessageType type() {
      return MessageType.TURN_TOMBSTONE;
    }

    @Override
    public void write(FieldWriter out) {
      out.u64("turn_id", turnId);
    }
  }

  record TurnFsRoot(long turnId, BlobHash fsRootHash) implements StoreRequest {
    @Override
    public MessageType type() {
      return MessageType.TURN_FS_ROOT;
    }

    @Override
    public void write(FieldWriter out) {
      out.u64("turn_id", turnId);
      out.hash("fs_root_hash", fsRootHash);
    }
  }

  record Overlays(long turnId) implements StoreRequest {
    @Override
    public MessageType type() {
      return MessageType.OVERLAYS;
    }

    @Override
    public void write(FieldWriter out) {
      out.u64("turn_id", turnId);
    }
  }

  record Counts() implements StoreRequest {
    @Override
    public MessageType type() {
      return MessageType.COUNTS;
    }

    @Override
    public void write(FieldWriter out) {}
  }

  /// See `BulkStore.restoreTurn`.
  record TurnRestore(
      long turnId, long contextId, long createdAtUnixMs, NewTurn turn, BlobHash contentHash)
      implements StoreRequest {
    @Override
    public MessageType type() {
      return MessageType.TURN_RESTORE;
    }

    @Override
    public void write(FieldWriter out) {
      out.u64("turn_id", turnId);
      out.u64("context_id", contextId);
      out.u64("created_at_unix_ms", createdAtUnixMs);
      MessageParts.newTurn(out, turn, contentHash);
    }
  }

  /// See `BulkStore.restoreContext`.
  record ContextRestore(
      long contextId,
      long headTurnId,
      long baseTurnId,
      long createdAtUnixMs,
      long activeAtUnixMs,
      @Nullable BlobHash about)
      implements StoreRequest {
    @Override
    public MessageType type() {
      return MessageType.CONTEXT_RESTORE;
    }

    @Override
    public void write(FieldWriter out) {
      out.u64("context_id", contextId);
      out.u64("head_turn_id", headTurnId);
      out.u64("base_turn_id", baseTurnId);
      out.u64("created_at_unix_ms", createdAtUnixMs);
      out.u64("active_at_unix_ms", activeAtUnixMs);
      MessageParts.optionalHash(out, "about", about);
    }
  }

  /// See `BulkStore.moveContext`.
  record ContextMove(
      long contextId,
      long expectedHeadTurnId,
      long headTurnId,
      long activeAtUnixMs,
      @Nullable BlobHash about)
      implements StoreRequest {
    @Override
    public MessageType type() {
      return MessageType.CONTEXT_MOVE;
    }

    @Override
    public void write(FieldWriter out) {
      out.u64("context_id", contextId);
      out.u64("expected_head_turn_id", expectedHeadTurnId);
      out.u64("head_turn_id", headTurnId);
      out.u64("active_at_unix_ms", activeAtUnixMs);
      MessageParts.optionalHash(out, "about", about);
    }
  }

  /// The request of `type`, which is one of these.
  static StoreRequest read(MessageType type, FieldReader in) {
    return switch (type) {
      case OPEN -> new Open(in.u32("version"), in.text("client_tag"), in.text("token"));
      case CONTEXT_CREATE ->
          new ContextCreate(in.number("base_turn_id"), MessageParts.optionalHash(in, "about"));
      case CONTEXT_DESCRIBE -> new ContextDescribe(in.number("context_id"), in.hash("about"));
      case CONTEXT_GET -> new ContextGet(in.number("context_id"));
      case CONTEXT_LIST -> new ContextList(in.number("after"), in.u32("limit"));
      case CONTEXTS_BELOW -> new ContextsBelow(in.number("before"), in.u32("limit"));
      case TURN_APPEND -> {
        long context = in.number("context_id");
        MessageParts.Hashed turn = MessageParts.newTurn(in);
        yield new TurnAppend(context, turn.turn(), turn.contentHash());
      }
      case TURN_GET -> new TurnGet(in.number("turn_id"), MessageParts.view(in));
      case PAGE_LAST ->
          new PageLast(in.number("context_id"), in.u32("limit"), MessageParts.view(in));
      case PAGE_BEFORE ->
          new PageBefore(
              in.number("context_id"), in.number("cursor"), in.u32("limit"), MessageParts.view(in));
      case PAGE_RANGE ->
          new PageRange(
              in.number("context_id"),
              in.u32("start_depth"),
              in.u32("limit"),
              MessageParts.view(in));
      case PATH ->
          new Path(
              in.number("last_turn_id"),
              in.u32("start_depth"),
              in.u32("limit"),
              MessageParts.view(in));
      case ANCESTOR -> new Ancestor(in.number("turn_id"), in.u32("depth"));
      case COMMON_ANCESTOR -> new CommonAncestor(in.number("a_turn_id"), in.number("b_turn_id"));
      case CHILD_FIND -> new ChildFind(in.number("parent_turn_id"), in.hash("payload_hash"));
      case TURN_PATCH ->
          new TurnPatch(in.number("turn_id"), in.hash("content_hash"), in.payload("payload"));
      case TURN_TOMBSTONE -> new TurnTombstone(in.number("turn_id"));
      case TURN_FS_ROOT -> new TurnFsRoot(in.number("turn_id"), in.hash("fs_root_hash"));
      case OVERLAYS -> new Overlays(in.number("turn_id"));
      case COUNTS -> new Counts();
      case TURN_RESTORE -> {
        long id = in.number("turn_id");
        long context = in.number("context_id");
        long createdAt = in.u64("created_at_unix_ms");
        MessageParts.Hashed turn = MessageParts.newTurn(in);
        yield new TurnRestore(id, context, createdAt, turn.turn(), turn.contentHash());
      }
      case CONTEXT_RESTORE ->
          new ContextRestore(
              in.number("context_id"),
              in.number("head_turn_id"),
              in.number("base_turn_id"),
              in.u64("created_at_unix_ms"),
              in.u64("active_at_unix_ms"),
              MessageParts.optionalHash(in, "about"));
      case CONTEXT_MOVE ->
          new ContextMove(
              in.number("context_id"),
              in.number("expected_head_turn_id"),
              in.number("head_turn_id"),
              in.u64("active_at_unix_ms"),
              MessageParts.optionalHash(in, "about"));
      default -> throw new AssertionError("not one of the store's: " + type);
    };
  }
}
