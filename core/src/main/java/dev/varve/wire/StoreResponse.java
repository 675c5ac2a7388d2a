// SPDX-License-Identifier: Apache-2.0
package dev.varve.wire;

import dev.varve.BlobHash;
import dev.varve.ContextHead;
import dev.varve.Overlay;
import dev.varve.Payload;
import dev.varve.StoreCounts;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.TurnPage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Answers to a [StoreRequest] or a [BlobRequest].
public sealed interface StoreResponse extends Response {

  /// The beginning of a [StoreException.TooLarge] for an answer that is too large for a frame,
  /// though not for the store.
  String FRAME_WITH = "a frame with ";

  /// Answers OPEN with what the server takes.
  ///
  /// @param frameBytesMax the largest payload of a frame, in both directions
  /// @param inFlightMax how many requests of this connection are worked on at a time; more wait
  ///   unread
  record Opened(int version, long sessionId, int frameBytesMax, int inFlightMax)
      implements StoreResponse {
    @Override
    public void write(FieldWriter out) {
      out.u32("version", version);
      out.u64("session_id", sessionId);
      out.u32("frame_bytes_max", frameBytesMax);
      out.u32("in_flight_max", inFlightMax);
    }
  }

  /// Answers CONTEXT_CREATE, CONTEXT_DESCRIBE, CONTEXT_GET, CONTEXT_RESTORE and CONTEXT_MOVE.
  record Context(ContextHead context) implements StoreResponse {
    @Override
    public void write(FieldWriter out) {
      MessageParts.context(out, context);
    }
  }

  record Contexts(List<ContextHead> contexts) implements StoreResponse {
    public Contexts {
      contexts = List.copyOf(contexts);
    }

    @Override
    public void write(FieldWriter out) {
      out.u32("count", contexts.size());
      contexts.forEach(context -> MessageParts.context(out, context));
    }

    @Override
    public int sizeBytes() {
      return 4 + contexts.size() * (MessageParts.CONTEXT_BYTES_MIN + BlobHash.SIZE_BYTES);
    }

    static Contexts read(FieldReader in) {
      int count = in.count("count", MessageParts.CONTEXT_BYTES_MIN);
      List<ContextHead> contexts = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        contexts.add(MessageParts.context(in));
      }
      return new Contexts(contexts);
    }
  }

  /// Answers TURN_APPEND, TURN_GET and TURN_RESTORE.
  record OneTurn(Turn turn) implements StoreResponse {
    @Override
    public void write(FieldWriter out) {
      MessageParts.turn(out, turn);
    }

    @Override
    public int sizeBytes() {
      return StoreResponse.sizeBytes(List.of(turn));
    }
  }

  /// Answers PAGE_LAST, PAGE_BEFORE and PAGE_RANGE. Has fewer turns than were asked for if more
  /// would not fit into a frame: PAGE_RANGE then has the first ones, the other two the last ones.
  record Page(TurnPage page) implements StoreResponse {
    @Override
    public void write(FieldWriter out) {
      MessageParts.context(out, page.head());
      TurnId cursor = page.nextCursor();
      out.u64("next_cursor_turn_id", cursor == null ? 0 : cursor.value());
      writeTurns(out, page.turns());
    }

    @Override
    public int sizeBytes() {
      return 128 + StoreResponse.sizeBytes(page.turns());
    }

    static Page read(FieldReader in) {
      ContextHead head = MessageParts.context(in);
      long cursor = in.number("next_cursor_turn_id");
      return new Page(new TurnPage(head, readTurns(in), cursor == 0 ? null : new TurnId(cursor)));
    }
  }

  /// Answers PATH. Has fewer turns than were asked for if more would not fit into a frame, but at
  /// least one if there is one.
  record Turns(List<Turn> turns) implements StoreResponse {
    public Turns {
      turns = List.copyOf(turns);
    }

    @Override
    public void write(FieldWriter out) {
      writeTurns(out, turns);
    }

    @Override
    public int sizeBytes() {
      return StoreResponse.sizeBytes(turns);
    }
  }

  /// Answers ANCESTOR, COMMON_ANCESTOR and CHILD_FIND.
  ///
  /// @param turnId 0 if there is none
  record TurnNumber(long turnId) implements StoreResponse {
    @Override
    public void write(FieldWriter out) {
      out.u64("turn_id", turnId);
    }
  }

  /// Answers BLOBS_HAS: for each hash asked for, in the same order, whether it is there.
  record Presence(List<Boolean> there) implements StoreResponse {
    public Presence {
      there = List.copyOf(there);
    }

    @Override
    public void write(FieldWriter out) {
      out.u32("count", there.size());
      there.forEach(is -> out.u8("there", is ? 1 : 0));
    }

    @Override
    public int sizeBytes() {
      return 4 + there.size();
    }

    static Presence read(FieldReader in) {
      int count = in.count("count", 1);
      List<Boolean> there = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        there.add(in.u8("there") != 0);
      }
      return new Presence(there);
    }
  }

  /// Answers TURN_PATCH, TURN_TOMBSTONE and TURN_FS_ROOT with the overlay's sequence.
  record Sequence(long seq) implements StoreResponse {
    @Override
    public void write(FieldWriter out) {
      out.u64("seq", seq);
    }
  }

  record Overlays(List<Overlay> overlays) implements StoreResponse {
    private static final int SIZE_BYTES_MIN = 8 + 8 + 1 + 1;

    public Overlays {
      overlays = List.copyOf(overlays);
    }

    @Override
    public void write(FieldWriter out) {
      out.u32("count", overlays.size());
      for (Overlay overlay : overlays) {
        out.u64("seq", overlay.seq());
        out.u64("target_turn_id", overlay.target().value());
        out.u8(
            "kind",
            switch (overlay.kind()) {
              case PATCH -> 0;
              case TOMBSTONE -> 1;
              case FS_ROOT -> 2;
            });
        MessageParts.optionalHash(out, "blob", overlay.blob());
      }
    }

    @Override
    public int sizeBytes() {
      return 4 + overlays.size() * (SIZE_BYTES_MIN + BlobHash.SIZE_BYTES);
    }

    static Overlays read(FieldReader in) {
      int count = in.count("count", SIZE_BYTES_MIN);
      List<Overlay> overlays = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        long seq = in.u64("seq");
        TurnId target = new TurnId(in.number("target_turn_id"));
        Overlay.Kind kind =
            switch (in.u8("kind")) {
              case 0 -> Overlay.Kind.PATCH;
              case 1 -> Overlay.Kind.TOMBSTONE;
              case 2 -> Overlay.Kind.FS_ROOT;
              default -> throw in.invalid("kind: expected 0, 1 or 2");
            };
        @Nullable BlobHash blob = MessageParts.optionalHash(in, "blob");
        overlays.add(new Overlay(seq, target, kind, blob));
      }
      return new Overlays(overlays);
    }
  }

  record Counts(StoreCounts counts) implements StoreResponse {
    @Override
    public void write(FieldWriter out) {
      out.u64("contexts", counts.contexts());
      out.u64("turns", counts.turns());
      out.u64("blobs", counts.blobs());
      out.u64("overlays", counts.overlays());
      out.u64("types", counts.types());
      out.u64("raw_bytes", counts.rawBytes());
      out.u64("stored_bytes", counts.storedBytes());
      out.u64("disk_bytes", counts.diskBytes());
    }

    static Counts read(FieldReader in) {
      return new Counts(
          new StoreCounts(
              in.u64("contexts"),
              in.u64("turns"),
              in.u64("blobs"),
              in.u64("overlays"),
              in.u64("types"),
              in.u64("raw_bytes"),
              in.u64("stored_bytes"),
              in.u64("disk_bytes")));
    }
  }

  record Size(long blobBytes) implements StoreResponse {
    @Override
    public void write(FieldWriter out) {
      out.u64("size_bytes", blobBytes);
    }
  }

  /// Answers BLOB_READ.
  record Bytes(Payload data) implements StoreResponse {
    @Override
    public void write(FieldWriter out) {
      out.bytes("data", data);
    }

    @Override
    public int sizeBytes() {
      return 4 + data.sizeBytes();
    }
  }

  /// Answers BLOB_PART.
  ///
  /// @param hash of the whole, with the last part; null before
  /// @param wasNew whether the blob was not there before; false before the last part
  record PartTaken(@Nullable BlobHash hash, boolean wasNew) implements StoreResponse {
    @Override
    public void write(FieldWriter out) {
      MessageParts.optionalHash(out, "hash", hash);
      out.u8("was_new", wasNew ? 1 : 0);
    }
  }

  /// Answers CHUNK_LIST.
  ///
  /// @param rootList null if the blob is kept in one piece
  record RootList(@Nullable Payload rootList) implements StoreResponse {
    @Override
    public void write(FieldWriter out) {
      out.u8("has_root_list", rootList == null ? 0 : 1);
      out.bytes("root_list", rootList == null ? Payload.EMPTY : rootList);
    }

    @Override
    public int sizeBytes() {
      return 5 + (rootList == null ? 0 : rootList.sizeBytes());
    }

    static RootList read(FieldReader in) {
      int has = in.u8("has_root_list");
      Payload list = in.payload("root_list");
      return new RootList(has == 0 ? null : list);
    }
  }

  /// Answers BLOBS_PUT and BLOB_ASSEMBLE, to which there is nothing to say but that it is done.
  record Stored() implements StoreResponse {
    @Override
    public void write(FieldWriter out) {}
  }

  // ---- lists of turns

  private static void writeTurns(FieldWriter out, List<Turn> turns) {
    out.u32("count", turns.size());
    turns.forEach(turn -> MessageParts.turn(out, turn));
  }

  private static List<Turn> readTurns(FieldReader in) {
    int count = in.count("count", MessageParts.TURN_BYTES_MIN);
    List<Turn> turns = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      turns.add(MessageParts.turn(in));
    }
    return turns;
  }

  /// At most how many bytes a turn takes in a message, its payload included if `payloads`.
  static long turnBytesMax(Turn turn, boolean payloads) {
    return MessageParts.TURN_BYTES_MIN
        + 3L * turn.type().id().length()
        + BlobHash.SIZE_BYTES
        + 4
        + (payloads && !turn.tombstone() ? turn.payloadSizeBytes() : 0);
  }

  private static int sizeBytes(List<Turn> turns) {
    long size = 4;
    for (Turn turn : turns) {
      size += turnBytesMax(turn, turn.payload() != null);
    }
    return (int) Math.min(size, Integer.MAX_VALUE / 2);
  }

  /// The answer to a request of `type`.
  static StoreResponse read(MessageType type, FieldReader in) {
    return switch (type) {
      case OPEN ->
          new Opened(
              in.u32("version"),
              in.u64("session_id"),
              in.u32("frame_bytes_max"),
              in.u32("in_flight_max"));
      case CONTEXT_CREATE, CONTEXT_DESCRIBE, CONTEXT_GET, CONTEXT_RESTORE, CONTEXT_MOVE ->
          new Context(MessageParts.context(in));
      case CONTEXT_LIST, CONTEXTS_BELOW -> Contexts.read(in);
      case TURN_APPEND, TURN_GET, TURN_RESTORE -> new OneTurn(MessageParts.turn(in));
      case PAGE_LAST, PAGE_BEFORE, PAGE_RANGE -> Page.read(in);
      case PATH -> new Turns(readTurns(in));
      case ANCESTOR, COMMON_ANCESTOR, CHILD_FIND -> new TurnNumber(in.number("turn_id"));
      case BLOBS_HAS -> Presence.read(in);
      case TURN_PATCH, TURN_TOMBSTONE, TURN_FS_ROOT -> new Sequence(in.u64("seq"));
      case OVERLAYS -> Overlays.read(in);
      case COUNTS -> Counts.read(in);
      case BLOB_SIZE -> new Size(in.number("size_bytes"));
      case BLOB_READ -> new Bytes(in.payload("data"));
      case BLOB_PART -> new PartTaken(MessageParts.optionalHash(in, "hash"), in.u8("was_new") != 0);
      case BLOBS_PUT, BLOB_ASSEMBLE -> new Stored();
      case CHUNK_LIST -> RootList.read(in);
      default -> throw new AssertionError("not one of the store's: " + type);
    };
  }
}
