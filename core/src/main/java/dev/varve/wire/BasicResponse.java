// SPDX-License-Identifier: Apache-2.0
package dev.varve.wire;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.Turn;
import java.util.ArrayList;
import java.util.List;

/// The answers to cxdb's clients.
public sealed interface BasicResponse extends Response {

  /// @param documented whether the client asked in the layout of cxdb's documents
  record Hello(long sessionId, int version, String serverTag, boolean documented)
      implements BasicResponse {
    @Override
    public void write(FieldWriter out) {
      if (documented) {
        out.u32("protocol_version", version);
        out.u64("session_id", sessionId);
        out.text("server_tag", serverTag);
      } else {
        out.u64("session_id", sessionId);
        out.u16("protocol_version", version);
      }
    }

    static Hello read(boolean documented, FieldReader in) {
      if (documented) {
        int version = in.u32("protocol_version");
        return new Hello(in.u64("session_id"), version, in.text("server_tag"), true);
      }
      long session = in.u64("session_id");
      return new Hello(session, in.u16("protocol_version"), "", false);
    }
  }

  /// Answers CTX_CREATE, CTX_FORK and GET_HEAD.
  record Head(long contextId, long headTurnId, int headDepth) implements BasicResponse {
    @Override
    public void write(FieldWriter out) {
      out.u64("context_id", contextId);
      out.u64("head_turn_id", headTurnId);
      out.u32("head_depth", headDepth);
    }

    static Head read(FieldReader in) {
      return new Head(in.u64("context_id"), in.u64("head_turn_id"), in.u32("head_depth"));
    }
  }

  record Appended(long contextId, long turnId, int depth, BlobHash contentHash)
      implements BasicResponse {
    @Override
    public void write(FieldWriter out) {
      out.u64("context_id", contextId);
      out.u64("turn_id", turnId);
      out.u32("depth", depth);
      out.hash("content_hash", contentHash);
    }
  }

  /// A turn as cxdb's clients see it.
  ///
  /// @param compression 0 if the payload is here, else what the writer declared
  /// @param uncompressedLen of the payload; 0 for a tombstone
  /// @param payload no bytes if none were asked for, and for a tombstone
  record Item(
      long turnId,
      long parentTurnId,
      int depth,
      String typeId,
      int typeVersion,
      int encoding,
      int compression,
      int uncompressedLen,
      BlobHash payloadHash,
      Payload payload) {

    /// Without type id and payload.
    static final int SIZE_BYTES_MIN = 8 + 8 + 4 + 4 + 4 + 4 + 4 + 4 + 32 + 4;

    public static Item of(Turn turn) {
      Payload payload = turn.payload();
      return new Item(
          turn.id().value(),
          turn.parent().value(),
          turn.depth(),
          turn.type().id(),
          turn.type().version(),
          turn.encoding().tag(),
          payload == null ? turn.declaredCompression() : 0,
          turn.tombstone() ? 0 : (int) turn.payloadSizeBytes(),
          turn.payloadHash(),
          payload == null ? Payload.EMPTY : payload);
    }

    void write(FieldWriter out) {
      out.u64("turn_id", turnId);
      out.u64("parent_turn_id", parentTurnId);
      out.u32("depth", depth);
      out.text("type_id", typeId);
      out.u32("type_version", typeVersion);
      out.u32("encoding", encoding);
      out.u32("compression", compression);
      out.u32("uncompressed_len", uncompressedLen);
      out.hash("payload_hash", payloadHash);
      out.bytes("payload", payload);
    }

    static Item read(FieldReader in) {
      return new Item(
          in.u64("turn_id"),
          in.u64("parent_turn_id"),
          in.u32("depth"),
          in.text("type_id"),
          in.u32("type_version"),
          in.u32("encoding"),
          in.u32("compression"),
          in.u32("uncompressed_len"),
          in.hash("payload_hash"),
          in.payload("payload"));
    }
  }

  /// Answers GET_LAST, GET_BEFORE and GET_RANGE_BY_DEPTH: turns, oldest first, then what spec 001
  /// asks for and cxdb's clients do not read. Those clients read `payload_len` even if they asked
  /// for no payloads, and one of them needs a byte behind an empty payload; both are there.
  ///
  /// @param nextCursorTurnId pass to GET_BEFORE for the turns older than these; 0 when the root is
  ///   reached
  record Turns(List<Item> items, long nextCursorTurnId, long headTurnId, int headDepth)
      implements BasicResponse {
    public Turns {
      items = List.copyOf(items);
    }

    @Override
    public void write(FieldWriter out) {
      out.u32("count", items.size());
      items.forEach(item -> item.write(out));
      out.u64("next_cursor_turn_id", nextCursorTurnId);
      out.u64("head_turn_id", headTurnId);
      out.u32("head_depth", headDepth);
    }

    @Override
    public int sizeBytes() {
      int size = 4 + 20;
      for (Item item : items) {
        size += Item.SIZE_BYTES_MIN + 3 * item.typeId().length() + item.payload().sizeBytes();
      }
      return size;
    }

    static Turns read(FieldReader in) {
      int count = in.count("count", Item.SIZE_BYTES_MIN);
      List<Item> items = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        items.add(Item.read(in));
      }
      if (in.remaining() == 0) {
        return new Turns(items, 0, 0, 0); // from cxdb's server
      }
      return new Turns(
          items, in.u64("next_cursor_turn_id"), in.u64("head_turn_id"), in.u32("head_depth"));
    }
  }

  record Blob(Payload data) implements BasicResponse {
    @Override
    public void write(FieldWriter out) {
      out.bytes("data", data);
    }

    @Override
    public int sizeBytes() {
      return 4 + data.sizeBytes();
    }
  }

  record Attached(long turnId, BlobHash fsRootHash) implements BasicResponse {
    @Override
    public void write(FieldWriter out) {
      out.u64("turn_id", turnId);
      out.hash("fs_root_hash", fsRootHash);
    }
  }

  /// @param wasNew whether the blob was not there before
  record Put(BlobHash hash, boolean wasNew) implements BasicResponse {
    @Override
    public void write(FieldWriter out) {
      out.hash("hash", hash);
      out.u8("was_new", wasNew ? 1 : 0);
    }
  }

  /// The answer to `asked`. What stands behind the last field is ignored.
  static BasicResponse read(BasicRequest asked, FieldReader in) {
    return switch (asked) {
      case BasicRequest.Hello hello -> Hello.read(hello.documented(), in);
      case BasicRequest.CtxCreate _, BasicRequest.CtxFork _, BasicRequest.GetHead _ ->
          Head.read(in);
      case BasicRequest.AppendTurn _ ->
          new Appended(
              in.u64("context_id"), in.u64("turn_id"), in.u32("depth"), in.hash("content_hash"));
      case BasicRequest.GetLast _, BasicRequest.GetBefore _, BasicRequest.GetRangeByDepth _ ->
          Turns.read(in);
      case BasicRequest.GetBlob _ -> new Blob(in.payload("data"));
      case BasicRequest.AttachFs _ -> new Attached(in.u64("turn_id"), in.hash("fs_root_hash"));
      case BasicRequest.PutBlob _ -> new Put(in.hash("hash"), in.u8("was_new") != 0);
    };
  }
}
