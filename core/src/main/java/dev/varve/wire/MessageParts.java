// SPDX-License-Identifier: Apache-2.0
package dev.varve.wire;

import dev.varve.BlobHash;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.IdempotencyKey;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The parts that several of the store's messages have: a turn, a new turn, a context, a view.
///
/// Bits of a u32 called `present`, or a u8 before the part, show which optional parts are present.
final class MessageParts {

  private static final int PARENT = 1;
  private static final int EXPECTED_HEAD = 2;
  private static final int KEY = 4;
  private static final int FS_ROOT = 8;
  private static final int CREATED_AT = 16;

  private static final int TURN_FS_ROOT = 1;
  private static final int TURN_TOMBSTONE = 2;
  private static final int TURN_PAYLOAD = 4;

  /// A turn without type id and optional parts.
  static final int TURN_BYTES_MIN = 8 + 8 + 4 + 8 + 4 + 4 + 4 + 4 + 32 + 8 + 8 + 8 + 4;

  /// A context without `about`.
  static final int CONTEXT_BYTES_MIN = 8 + 8 + 4 + 8 + 8 + 8 + 1;

  private MessageParts() {}

  // ---- a hash that may be absent

  static void optionalHash(FieldWriter out, String name, @Nullable BlobHash hash) {
    out.u8("has_" + name, hash == null ? 0 : 1);
    if (hash != null) {
      out.hash(name, hash);
    }
  }

  static @Nullable BlobHash optionalHash(FieldReader in, String name) {
    return switch (in.u8("has_" + name)) {
      case 0 -> null;
      case 1 -> in.hash(name);
      default -> throw in.invalid("has_" + name + ": expected 0 or 1");
    };
  }

  // ---- a view

  static void view(FieldWriter out, View view) {
    out.u32("include_payload", view.payloads() ? 1 : 0);
    out.u64("overlay_seq_max", view.overlaySeqMax());
  }

  static View view(FieldReader in) {
    return new View(in.u32("include_payload") != 0, in.u64("overlay_seq_max"));
  }

  // ---- a turn about to be appended

  record Hashed(NewTurn turn, BlobHash contentHash) {}

  static void newTurn(FieldWriter out, NewTurn turn, BlobHash contentHash) {
    TurnId parent = turn.parent();
    TurnId expectedHead = turn.expectedHead();
    IdempotencyKey key = turn.key();
    BlobHash fsRoot = turn.fsRoot();
    Instant createdAt = turn.createdAt();
    out.u32(
        "present",
        (parent == null ? 0 : PARENT)
            | (expectedHead == null ? 0 : EXPECTED_HEAD)
            | (key == null ? 0 : KEY)
            | (fsRoot == null ? 0 : FS_ROOT)
            | (createdAt == null ? 0 : CREATED_AT));
    out.u64("parent_turn_id", parent == null ? 0 : parent.value());
    out.u64("expected_head_turn_id", expectedHead == null ? 0 : expectedHead.value());
    out.text("type_id", turn.type().id());
    out.u32("type_version", turn.type().version());
    out.u32("encoding", turn.encoding().tag());
    out.u32("declared_compression", turn.declaredCompression());
    out.hash("content_hash", contentHash);
    out.bytes("payload", turn.payload());
    out.bytes("idempotency_key", key == null ? Payload.EMPTY : key.bytes());
    if (fsRoot != null) {
      out.hash("fs_root_hash", fsRoot);
    }
    if (createdAt != null) {
      out.u64("created_at_unix_ms", createdAt.toEpochMilli());
    }
  }

  static Hashed newTurn(FieldReader in) {
    int present = in.u32("present");
    if ((present & ~(PARENT | EXPECTED_HEAD | KEY | FS_ROOT | CREATED_AT)) != 0) {
      throw in.invalid("present: unknown bits " + Integer.toBinaryString(present));
    }
    long parent = in.number("parent_turn_id");
    long expectedHead = in.number("expected_head_turn_id");
    DeclaredType type = new DeclaredType(in.text("type_id"), in.u32("type_version"));
    Encoding encoding = new Encoding(in.u32("encoding"));
    int declaredCompression = in.u32("declared_compression");
    BlobHash contentHash = in.hash("content_hash");
    Payload payload = in.payload("payload");
    Payload key = in.payload("idempotency_key");
    NewTurn turn =
        new NewTurn(
            payload,
            type,
            encoding,
            (present & PARENT) == 0 ? null : new TurnId(parent),
            (present & EXPECTED_HEAD) == 0 ? null : new TurnId(expectedHead),
            (present & KEY) == 0 ? null : new IdempotencyKey(key),
            (present & FS_ROOT) == 0 ? null : in.hash("fs_root_hash"),
            declaredCompression,
            (present & CREATED_AT) == 0
                ? null
                : Instant.ofEpochMilli(in.number("created_at_unix_ms")));
    return new Hashed(turn, contentHash);
  }

  // ---- a turn

  static void turn(FieldWriter out, Turn turn) {
    BlobHash fsRoot = turn.fsRoot();
    Payload payload = turn.payload();
    out.u64("turn_id", turn.id().value());
    out.u64("parent_turn_id", turn.parent().value());
    out.u32("depth", turn.depth());
    out.u64("context_id", turn.context().value());
    out.text("type_id", turn.type().id());
    out.u32("type_version", turn.type().version());
    out.u32("encoding", turn.encoding().tag());
    out.u32("declared_compression", turn.declaredCompression());
    out.hash("payload_hash", turn.payloadHash());
    out.u64("payload_size_bytes", turn.payloadSizeBytes());
    out.u64("created_at_unix_ms", turn.createdAt().toEpochMilli());
    out.u64("overlay_seq", turn.overlaySeq());
    out.u32(
        "present",
        (fsRoot == null ? 0 : TURN_FS_ROOT)
            | (turn.tombstone() ? TURN_TOMBSTONE : 0)
            | (payload == null ? 0 : TURN_PAYLOAD));
    if (fsRoot != null) {
      out.hash("fs_root_hash", fsRoot);
    }
    if (payload != null) {
      out.bytes("payload", payload);
    }
  }

  static Turn turn(FieldReader in) {
    TurnId id = new TurnId(in.number("turn_id"));
    TurnId parent = new TurnId(in.number("parent_turn_id"));
    int depth = in.u32("depth");
    ContextId context = new ContextId(in.number("context_id"));
    DeclaredType type = new DeclaredType(in.text("type_id"), in.u32("type_version"));
    Encoding encoding = new Encoding(in.u32("encoding"));
    int declaredCompression = in.u32("declared_compression");
    BlobHash payloadHash = in.hash("payload_hash");
    long payloadSizeBytes = in.number("payload_size_bytes");
    Instant createdAt = instant(in, "created_at_unix_ms");
    long overlaySeq = in.u64("overlay_seq");
    int present = in.u32("present");
    BlobHash fsRoot = (present & TURN_FS_ROOT) == 0 ? null : in.hash("fs_root_hash");
    Payload payload = (present & TURN_PAYLOAD) == 0 ? null : in.payload("payload");
    return new Turn(
        id,
        parent,
        depth,
        context,
        type,
        encoding,
        declaredCompression,
        payloadHash,
        payloadSizeBytes,
        createdAt,
        fsRoot,
        (present & TURN_TOMBSTONE) != 0,
        overlaySeq,
        payload);
  }

  // ---- a context

  static void context(FieldWriter out, ContextHead context) {
    out.u64("context_id", context.id().value());
    out.u64("head_turn_id", context.head().value());
    out.u32("head_depth", context.headDepth());
    out.u64("base_turn_id", context.base().value());
    out.u64("created_at_unix_ms", context.createdAt().toEpochMilli());
    out.u64("active_at_unix_ms", context.activeAt().toEpochMilli());
    optionalHash(out, "about", context.about());
  }

  static ContextHead context(FieldReader in) {
    return new ContextHead(
        new ContextId(in.number("context_id")),
        new TurnId(in.number("head_turn_id")),
        in.u32("head_depth"),
        new TurnId(in.number("base_turn_id")),
        instant(in, "created_at_unix_ms"),
        instant(in, "active_at_unix_ms"),
        optionalHash(in, "about"));
  }

  /// Milliseconds since 1970, which may lie before it.
  static Instant instant(FieldReader in, String name) {
    return Instant.ofEpochMilli(in.u64(name));
  }
}
