// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.store;

import dev.varve.BlobHash;
import dev.varve.DeclaredType;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// The plan by which a session file is put together, and the hash it must have
/// (docs/format/pi-manifest.md).
///
/// Its bytes depend on nothing but the file and the numbers of its turns, so the same file gives
/// the same manifest.
///
/// @param sizeBytes of the file
/// @param hash of the file
/// @param parts blobs that hold the first segments, for a long list
/// @param tail the encoded segments after those
record SessionManifest(long sizeBytes, BlobHash hash, List<BlobHash> parts, Payload tail) {

  static final DeclaredType TYPE = new DeclaredType("varve.pi.manifest", 1);
  static final int INLINE_BYTES_MAX = 512;
  static final int KEPT_BYTES_MAX = 1 << 20;

  /// A part is closed once it has this many bytes. Parts do not change as a session grows, so they
  /// are stored once.
  private static final int PART_BYTES = 16 << 10;

  private static final int MAGIC = 0x4D50_4956; // "VIPM" as it lies on the disk
  private static final int VERSION = 1;
  private static final int HEAD_BYTES = 4 + 2 + 2 + 8 + BlobHash.SIZE_BYTES + 4;

  private static final int LINES = 1;
  private static final int UNENDED = 2;
  private static final int INLINE = 3;
  private static final int KEPT = 4;

  SessionManifest {
    parts = List.copyOf(parts);
  }

  /// Encodes `segments`; parts, if there are any, are put into `store`.
  static SessionManifest of(
      long sizeBytes, BlobHash hash, Stream<FileSegment> segments, Store store) {
    List<BlobHash> parts = new ArrayList<>();
    ByteArrayOutputStream part = new ByteArrayOutputStream();
    segments.forEach(
        segment -> {
          if (part.size() >= PART_BYTES) {
            parts.add(store.put(Payload.wrap(part.toByteArray())));
            part.reset();
          }
          write(segment, part);
        });
    return new SessionManifest(sizeBytes, hash, parts, Payload.wrap(part.toByteArray()));
  }

  Payload payload() {
    int partsBytes = Math.multiplyExact(parts.size(), BlobHash.SIZE_BYTES);
    byte[] bytes = new byte[Math.addExact(HEAD_BYTES + partsBytes, tail.sizeBytes())];
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    buffer.putInt(MAGIC).putShort((short) VERSION).putShort((short) 0).putLong(sizeBytes);
    buffer.put(hash.bytes()).putInt(parts.size());
    parts.forEach(part -> buffer.put(part.bytes()));
    buffer.put(tail.unsafeArray());
    return Payload.wrap(bytes);
  }

  /// The manifest in the turn `turn`.
  static SessionManifest get(Store store, TurnId turn) {
    Turn found = store.turn(turn, View.AS_WRITTEN);
    if (found.payload() == null || !found.type().equals(TYPE)) {
      throw new StoreException.Invalid(
          "turn " + turn, "expected a manifest, found " + found.type());
    }
    return read(found.payload(), "manifest in turn " + turn);
  }

  /// Reads what [#payload()] wrote.
  ///
  /// @param where names the turn in a refusal
  static SessionManifest read(Payload payload, String where) {
    ByteBuffer buffer = payload.buffer().order(ByteOrder.LITTLE_ENDIAN);
    if (buffer.limit() < HEAD_BYTES || buffer.getInt(0) != MAGIC) {
      throw new StoreException.Corrupt(where, 0, "a manifest of a Pi session", "other bytes");
    }
    int version = Short.toUnsignedInt(buffer.getShort(4));
    if (version > VERSION) {
      throw new StoreException.FormatTooNew(where, version, VERSION);
    }
    long sizeBytes = buffer.getLong(8);
    long parts = Integer.toUnsignedLong(buffer.getInt(HEAD_BYTES - 4));
    int room = (buffer.limit() - HEAD_BYTES) / BlobHash.SIZE_BYTES;
    if (version != VERSION || buffer.getShort(6) != 0 || sizeBytes < 0 || parts > room) {
      throw new StoreException.Corrupt(
          where,
          4,
          "version 1, a size, at most " + room + " parts",
          "version " + version + ", " + sizeBytes + ", " + parts);
    }
    MemorySegment bytes = MemorySegment.ofArray(payload.unsafeArray());
    List<BlobHash> hashes = new ArrayList<>((int) parts);
    for (int i = 0; i < parts; i++) {
      hashes.add(BlobHash.read(bytes, HEAD_BYTES + (long) i * BlobHash.SIZE_BYTES));
    }
    int tailFrom = HEAD_BYTES + (int) parts * BlobHash.SIZE_BYTES;
    byte[] tail = Arrays.copyOfRange(payload.unsafeArray(), tailFrom, buffer.limit());
    return new SessionManifest(sizeBytes, BlobHash.read(bytes, 16), hashes, Payload.wrap(tail));
  }

  /// Hands out the segments in the file's order.
  void segments(Store store, Consumer<? super FileSegment> each) {
    for (BlobHash part : parts) {
      decode(store.get(part).buffer(), "part " + part, each);
    }
    decode(tail.buffer(), "manifest of " + hash, each);
  }

  private static void write(FileSegment segment, ByteArrayOutputStream out) {
    switch (segment) {
      case FileSegment.Lines(long first, long count) -> {
        out.write(LINES);
        writeNumber(first, out);
        writeNumber(count, out);
      }
      case FileSegment.Unended(long turn) -> {
        out.write(UNENDED);
        writeNumber(turn, out);
      }
      case FileSegment.Inline(Payload bytes) -> {
        out.write(INLINE);
        writeNumber(bytes.sizeBytes(), out);
        out.writeBytes(bytes.unsafeArray());
      }
      case FileSegment.Kept(BlobHash blob, int sizeBytes) -> {
        out.write(KEPT);
        writeNumber(sizeBytes, out);
        out.writeBytes(blob.bytes());
      }
    }
  }

  private void decode(ByteBuffer in, String where, Consumer<? super FileSegment> each) {
    while (in.hasRemaining()) {
      int at = in.position();
      int kind = in.get();
      long number = number(in, where);
      switch (kind) {
        case LINES -> {
          long count = number(in, where);
          demand(
              number > 0 && count > 0 && count <= sizeBytes && number <= Long.MAX_VALUE - count,
              where,
              at);
          each.accept(new FileSegment.Lines(number, count));
        }
        case UNENDED -> {
          demand(number > 0, where, at);
          each.accept(new FileSegment.Unended(number));
        }
        case INLINE -> {
          demand(number > 0 && number <= INLINE_BYTES_MAX && number <= in.remaining(), where, at);
          byte[] bytes = new byte[(int) number];
          in.get(bytes);
          each.accept(new FileSegment.Inline(Payload.wrap(bytes)));
        }
        case KEPT -> {
          demand(
              number > 0 && number <= KEPT_BYTES_MAX && in.remaining() >= BlobHash.SIZE_BYTES,
              where,
              at);
          byte[] blob = new byte[BlobHash.SIZE_BYTES];
          in.get(blob);
          each.accept(new FileSegment.Kept(BlobHash.of(blob), (int) number));
        }
        default -> demand(false, where, at);
      }
    }
  }

  private static void demand(boolean valid, String where, int at) {
    if (!valid) {
      throw new StoreException.Corrupt(where, at, "a segment", "other bytes");
    }
  }

  /// Seven bits a byte, the low ones first, the eighth set where more follow.
  private static void writeNumber(long number, ByteArrayOutputStream out) {
    long rest = number;
    while (rest >>> 7 != 0) {
      out.write((int) ((rest & 0x7F) | 0x80));
      rest >>>= 7;
    }
    out.write((int) rest);
  }

  private static long number(ByteBuffer in, String where) {
    int at = in.position();
    long number = 0;
    for (int shift = 0; shift < 63 && in.hasRemaining(); shift += 7) {
      byte b = in.get();
      number |= (long) (b & 0x7F) << shift;
      if (b >= 0) {
        demand(b != 0 || shift == 0, where, at); // one way to write a number
        return number;
      }
    }
    throw new StoreException.Corrupt(where, at, "a number below 2^63", "other bytes");
  }
}
