// SPDX-License-Identifier: Apache-2.0
package dev.varve.wire;

import dev.varve.BlobHash;
import dev.varve.Payload;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The requests of cxdb's clients, and two reads of spec 001 that cxdb does not have (GET_BEFORE,
/// GET_RANGE_BY_DEPTH).
///
/// Numbers are as they came: turn and context numbers are unsigned 64-bit, limits and depths
/// unsigned 32-bit. What stands behind a message's last field is ignored, as cxdb's server ignores
/// it.
public sealed interface BasicRequest extends Request {

  /// A client introduces itself. Optional.
  ///
  /// @param version what the client believes to speak; any
  /// @param clientMetaJson any text; not looked at beyond a token
  /// @param documented whether it came in the layout of cxdb's documents, in which version and tag
  ///   length are u32 and there is no JSON; one known client tries that first. The answer then has
  ///   their layout
  record Hello(int version, String clientTag, String clientMetaJson, boolean documented)
      implements BasicRequest {

    @Override
    public MessageType type() {
      return MessageType.HELLO;
    }

    @Override
    public void write(FieldWriter out) {
      if (documented) {
        out.u32("protocol_version", version);
        out.text("client_tag", clientTag);
        return;
      }
      byte[] tag = clientTag.getBytes(StandardCharsets.UTF_8);
      out.u16("protocol_version", version);
      out.u16("client_tag_len", tag.length);
      out.raw("client_tag", tag);
      out.text("client_meta_json", clientMetaJson);
    }

    static Hello read(FieldReader in) {
      if (in.remaining() == 0) {
        return new Hello(0, "", "", false); // a client from before there was a payload
      }
      if (isDocumented(in.peek())) {
        return new Hello(in.u32("protocol_version"), in.text("client_tag"), "", true);
      }
      return new Hello(
          in.u16("protocol_version"),
          in.utf8("client_tag", in.u16("client_tag_len")),
          in.text("client_meta_json"),
          false);
    }

    /// Returns whether a payload has the layout of the documents. With an empty tag the two layouts
    /// look alike, and the payload counts as the other layout. Otherwise the text at the end is a
    /// tag in this layout, and a JSON object in the other.
    private static boolean isDocumented(byte[] payload) {
      return payload.length > 8
          && WireNumbers.u16(payload, 2) == 0
          && WireNumbers.u32(payload, 4) == payload.length - 8
          && payload[8] != '{';
    }
  }

  /// A new context: empty for base 0, else a fork.
  record CtxCreate(long baseTurnId) implements BasicRequest {
    @Override
    public MessageType type() {
      return MessageType.CTX_CREATE;
    }

    @Override
    public void write(FieldWriter out) {
      out.u64("base_turn_id", baseTurnId);
    }
  }

  /// The same as [CtxCreate].
  record CtxFork(long baseTurnId) implements BasicRequest {
    @Override
    public MessageType type() {
      return MessageType.CTX_FORK;
    }

    @Override
    public void write(FieldWriter out) {
      out.u64("base_turn_id", baseTurnId);
    }
  }

  record GetHead(long contextId) implements BasicRequest {
    @Override
    public MessageType type() {
      return MessageType.GET_HEAD;
    }

    @Override
    public void write(FieldWriter out) {
      out.u64("context_id", contextId);
    }
  }

  /// @param parentTurnId 0 for the head of the context
  /// @param compression how `payload` is compressed: 0 not, 1 zstd
  /// @param uncompressedLen length of the payload once it is not
  /// @param contentHash of the uncompressed payload
  /// @param idempotencyKey no bytes for none
  record AppendTurn(
      long contextId,
      long parentTurnId,
      String typeId,
      int typeVersion,
      int encoding,
      int compression,
      int uncompressedLen,
      BlobHash contentHash,
      Payload payload,
      Payload idempotencyKey,
      @Nullable BlobHash fsRootHash)
      implements BasicRequest {
    @Override
    public MessageType type() {
      return MessageType.APPEND_TURN;
    }

    @Override
    public int flags() {
      return fsRootHash == null ? 0 : Frame.FLAG_FS_ROOT;
    }

    @Override
    public void write(FieldWriter out) {
      out.u64("context_id", contextId);
      out.u64("parent_turn_id", parentTurnId);
      out.text("type_id", typeId);
      out.u32("type_version", typeVersion);
      out.u32("encoding", encoding);
      out.u32("compression", compression);
      out.u32("uncompressed_len", uncompressedLen);
      out.hash("content_hash", contentHash);
      out.bytes("payload", payload);
      out.bytes("idempotency_key", idempotencyKey);
      if (fsRootHash != null) {
        out.hash("fs_root_hash", fsRootHash);
      }
    }

    static AppendTurn read(int flags, FieldReader in) {
      return new AppendTurn(
          in.u64("context_id"),
          in.u64("parent_turn_id"),
          in.text("type_id"),
          in.u32("type_version"),
          in.u32("encoding"),
          in.u32("compression"),
          in.u32("uncompressed_len"),
          in.hash("content_hash"),
          in.payload("payload"),
          in.payload("idempotency_key"),
          (flags & Frame.FLAG_FS_ROOT) != 0 ? in.hash("fs_root_hash") : null);
    }
  }

  /// @param includePayload 0 for no payloads
  record GetLast(long contextId, int limit, int includePayload) implements BasicRequest {
    @Override
    public MessageType type() {
      return MessageType.GET_LAST;
    }

    @Override
    public void write(FieldWriter out) {
      out.u64("context_id", contextId);
      out.u32("limit", limit);
      out.u32("include_payload", includePayload);
    }
  }

  record GetBefore(long contextId, long beforeTurnId, int limit, int includePayload)
      implements BasicRequest {
    @Override
    public MessageType type() {
      return MessageType.GET_BEFORE;
    }

    @Override
    public void write(FieldWriter out) {
      out.u64("context_id", contextId);
      out.u64("before_turn_id", beforeTurnId);
      out.u32("limit", limit);
      out.u32("include_payload", includePayload);
    }
  }

  record GetRangeByDepth(long contextId, int startDepth, int limit, int includePayload)
      implements BasicRequest {
    @Override
    public MessageType type() {
      return MessageType.GET_RANGE_BY_DEPTH;
    }

    @Override
    public void write(FieldWriter out) {
      out.u64("context_id", contextId);
      out.u32("start_depth", startDepth);
      out.u32("limit", limit);
      out.u32("include_payload", includePayload);
    }
  }

  record GetBlob(BlobHash hash) implements BasicRequest {
    @Override
    public MessageType type() {
      return MessageType.GET_BLOB;
    }

    @Override
    public void write(FieldWriter out) {
      out.hash("hash", hash);
    }

    static GetBlob read(FieldReader in) {
      if (in.remaining() != BlobHash.SIZE_BYTES) {
        throw in.invalid("invalid blob hash length " + in.remaining());
      }
      return new GetBlob(in.hash("hash"));
    }
  }

  record AttachFs(long turnId, BlobHash fsRootHash) implements BasicRequest {
    @Override
    public MessageType type() {
      return MessageType.ATTACH_FS;
    }

    @Override
    public void write(FieldWriter out) {
      out.u64("turn_id", turnId);
      out.hash("fs_root_hash", fsRootHash);
    }
  }

  record PutBlob(BlobHash hash, Payload data) implements BasicRequest {
    @Override
    public MessageType type() {
      return MessageType.PUT_BLOB;
    }

    @Override
    public void write(FieldWriter out) {
      out.hash("hash", hash);
      out.bytes("data", data);
    }
  }

  /// The request of `type`, which is one of these.
  static BasicRequest read(MessageType type, int flags, FieldReader in) {
    return switch (type) {
      case HELLO -> Hello.read(in);
      case CTX_CREATE -> new CtxCreate(in.u64("base_turn_id"));
      case CTX_FORK -> new CtxFork(in.u64("base_turn_id"));
      case GET_HEAD -> new GetHead(in.u64("context_id"));
      case APPEND_TURN -> AppendTurn.read(flags, in);
      case GET_LAST ->
          new GetLast(in.u64("context_id"), in.u32("limit"), in.u32("include_payload"));
      case GET_BEFORE ->
          new GetBefore(
              in.u64("context_id"),
              in.u64("before_turn_id"),
              in.u32("limit"),
              in.u32("include_payload"));
      case GET_RANGE_BY_DEPTH ->
          new GetRangeByDepth(
              in.u64("context_id"),
              in.u32("start_depth"),
              in.u32("limit"),
              in.u32("include_payload"));
      case GET_BLOB -> GetBlob.read(in);
      case ATTACH_FS -> new AttachFs(in.u64("turn_id"), in.hash("fs_root_hash"));
      case PUT_BLOB -> new PutBlob(in.hash("hash"), in.payload("data"));
      default -> throw new AssertionError("not one of cxdb's: " + type);
    };
  }
}
