// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import static dev.varve.disk.LittleEndian.U32;
import static dev.varve.disk.LittleEndian.U64;

import dev.varve.BlobHash;
import dev.varve.disk.LittleEndian;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// The layout of the file of rows. Page: `docs/format/contexts-rows.md`.
final class RowsFile {

  /// On the disk: `VARVECTX`.
  static final long MAGIC = 0x5854434556524156L;

  /// Raised also when another fact is read from the same turns, so that no former fact stays.
  static final int VERSION = 1;

  static final StructLayout HEADER =
      MemoryLayout.structLayout(
          U64.withName("magic"),
          U32.withName("version"),
          U32.withName("reserved"),
          LittleEndian.bytes(32, "store"),
          U64.withName("overlays"),
          U32.withName("texts"),
          U32.withName("lists"));

  static final StructLayout ROW =
      MemoryLayout.structLayout(
          U32.withName("context_id"),
          U32.withName("flags"),
          U32.withName("tag"),
          U32.withName("title"),
          U32.withName("user"),
          U32.withName("service"),
          U32.withName("host"),
          U32.withName("trace_id"),
          U32.withName("labels"),
          U32.withName("parent"),
          U32.withName("root"),
          U32.withName("forked_from"),
          U32.withName("depth"),
          U64.withName("created_at_unix_ms"),
          U64.withName("about"),
          U64.withName("source_turn_id"),
          U64.withName("head"));

  static final StructLayout TRAILER =
      MemoryLayout.structLayout(
          U64.withName("turns"), LittleEndian.bytes(32, "history"), LittleEndian.bytes(32, "hash"));

  static final int HEADER_BYTES = 64;
  static final int TRAILER_BYTES = 72;
  static final int HASH_BYTES = 32;

  private RowsFile() {}

  /// The state of the store that a file stands for.
  ///
  /// @param store the hash of the store's root, which names the store and its last erasure
  /// @param overlays all overlays up to this one are respected in the rows
  record Origin(BlobHash store, long overlays) {}

  /// A buffer over bytes of a file, in the order that its numbers have.
  static ByteBuffer buffer(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  static void put(BlobHash hash, ByteBuffer out) {
    out.put(hash.bytes());
  }

  /// The hash at a place of an array.
  static BlobHash hash(byte[] bytes, int offset) {
    return BlobHash.read(MemorySegment.ofArray(bytes), offset);
  }
}
