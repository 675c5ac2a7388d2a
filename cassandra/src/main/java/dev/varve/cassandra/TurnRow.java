// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.turn.AncestorSearch;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// The record of a turn, as the cells `rec` hold the record.
///
/// @param turn as the turn was written, without payload
/// @param jump the ancestor to leap to ([AncestorSearch])
/// @param parentLane the lane of the parent, which is the context through which the parent was
///   appended; 0 for a root
record TurnRow(Turn turn, long jump, long parentLane) {

  /// Turns of a lane with depths from a multiple of this number on share a partition.
  static final int BUCKET_BITS = 10;

  /// Turns with numbers from a multiple of this number on share a partition.
  static final int BLOCK_BITS = 10;

  private static final int VERSION = 1;
  private static final int HAS_FS_ROOT = 1;
  private static final int FIXED_BYTES = 2 + 5 * 8 + 4 * 4 + BlobHash.SIZE_BYTES + 8 + 2;

  long id() {
    return turn.id().value();
  }

  /// The context through which the turn was appended.
  long lane() {
    return turn.context().value();
  }

  int bucket() {
    return turn.depth() >> BUCKET_BITS;
  }

  long block() {
    return block(id());
  }

  static long block(long id) {
    return id >> BLOCK_BITS;
  }

  AncestorSearch.Link link() {
    return new AncestorSearch.Link(id(), turn.parent().value(), turn.depth(), jump);
  }

  /// The bytes of the record: fields in big-endian order, and a CRC-32C of all before.
  byte[] bytes() {
    byte[] type = turn.type().id().getBytes(StandardCharsets.UTF_8);
    BlobHash fsRoot = turn.fsRoot();
    ByteBuffer out =
        ByteBuffer.allocate(
            FIXED_BYTES + type.length + (fsRoot == null ? 0 : BlobHash.SIZE_BYTES) + 4);
    out.put((byte) VERSION).put((byte) (fsRoot == null ? 0 : HAS_FS_ROOT));
    out.putLong(turn.parent().value()).putLong(jump).putLong(lane()).putLong(parentLane);
    out.putLong(turn.createdAt().toEpochMilli());
    out.putInt(turn.depth()).putInt(turn.encoding().tag()).putInt(turn.declaredCompression());
    out.putInt(turn.type().version());
    out.put(turn.payloadHash().bytes()).putLong(turn.payloadSizeBytes());
    out.putShort((short) type.length).put(type);
    if (fsRoot != null) {
      out.put(fsRoot.bytes());
    }
    out.putInt(checksum(out.array(), out.position()));
    return out.array();
  }

  /// Reads a record.
  ///
  /// @throws StoreException.Corrupt if the bytes are damaged
  static TurnRow read(long id, @Nullable ByteBuffer cell) {
    if (cell == null || cell.remaining() < FIXED_BYTES + 4) {
      throw corrupt(id, "a record", cell == null ? "none" : cell.remaining() + " bytes");
    }
    byte[] bytes = new byte[cell.remaining()];
    cell.duplicate().get(bytes);
    ByteBuffer in = ByteBuffer.wrap(bytes);
    int sum = in.getInt(bytes.length - 4);
    if (sum != checksum(bytes, bytes.length - 4)) {
      throw corrupt(id, "the checksum of the record", "another");
    }
    int version = in.get();
    if (version != VERSION) {
      throw corrupt(id, "a record of version " + VERSION, "version " + version);
    }
    try {
      return fields(id, in);
    } catch (BufferUnderflowException e) {
      throw corrupt(id, "a whole record", "its beginning");
    }
  }

  private static TurnRow fields(long id, ByteBuffer in) {
    boolean hasFsRoot = (in.get() & HAS_FS_ROOT) != 0;
    long parent = in.getLong();
    long jump = in.getLong();
    long lane = in.getLong();
    long parentLane = in.getLong();
    long createdMs = in.getLong();
    int depth = in.getInt();
    int encoding = in.getInt();
    int compression = in.getInt();
    int typeVersion = in.getInt();
    BlobHash payload = hash(in);
    long payloadBytes = in.getLong();
    byte[] type = new byte[Short.toUnsignedInt(in.getShort())];
    in.get(type);
    BlobHash fsRoot = hasFsRoot ? hash(in) : null;
    Turn turn =
        new Turn(
            new TurnId(id),
            new TurnId(parent),
            depth,
            new ContextId(lane),
            new DeclaredType(new String(type, StandardCharsets.UTF_8), typeVersion),
            new Encoding(encoding),
            compression,
            payload,
            payloadBytes,
            Instant.ofEpochMilli(createdMs),
            fsRoot,
            false,
            0,
            null);
    return new TurnRow(turn, jump, parentLane);
  }

  private static BlobHash hash(ByteBuffer in) {
    byte[] hash = new byte[BlobHash.SIZE_BYTES];
    in.get(hash);
    return BlobHash.of(hash);
  }

  private static int checksum(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }

  private static StoreException.Corrupt corrupt(long id, String expected, String found) {
    return new StoreException.Corrupt("table turn, row " + id, 0, expected, found);
  }
}
