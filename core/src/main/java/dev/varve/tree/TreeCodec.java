// SPDX-License-Identifier: Apache-2.0
package dev.varve.tree;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.StoreException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The bytes of a tree (docs/format/tree.md): one way to write it, and all ways to read it that are
/// in use.
final class TreeCodec {

  /// The largest blob that is read as a tree.
  static final int SIZE_BYTES_MAX = 64 << 20;

  private TreeCodec() {}

  // ---- writing

  static Payload write(Tree tree) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(64 + 80 * tree.entries().size());
    int count = tree.entries().size();
    if (count < 16) {
      bytes.write(0x90 | count);
    } else if (count < 1 << 16) {
      put(bytes, ByteBuffer.allocate(3).put((byte) 0xdc).putShort((short) count));
    } else {
      put(bytes, ByteBuffer.allocate(5).put((byte) 0xdd).putInt(count));
    }
    tree.entries().forEach(entry -> write(entry, bytes));
    return Payload.wrap(bytes.toByteArray());
  }

  private static void write(TreeEntry entry, ByteArrayOutputStream bytes) {
    byte[] name = TreeText.bytes(entry.name());
    ByteBuffer head = ByteBuffer.allocate(6).put((byte) 0x85).put(key(1));
    if (name.length < 32) {
      head.put((byte) (0xa0 | name.length));
    } else if (name.length < 1 << 8) {
      head.put((byte) 0xd9).put((byte) name.length);
    } else {
      head.put((byte) 0xda).putShort((short) name.length);
    }
    put(bytes, head);
    bytes.writeBytes(name);
    put(
        bytes,
        ByteBuffer.allocate(60)
            .put(key(2))
            .put((byte) 0xcc)
            .put(number(entry.kind()))
            .put(key(3))
            .put((byte) 0xce)
            .putInt(entry.mode())
            .put(key(4))
            .put((byte) 0xcf)
            .putLong(entry.sizeBytes())
            .put(key(5))
            .put((byte) 0xc4)
            .put((byte) BlobHash.SIZE_BYTES)
            .put(entry.hash().bytes()));
  }

  private static byte number(TreeEntry.Kind kind) {
    return switch (kind) {
      case FILE -> 0;
      case DIRECTORY -> 1;
      case SYMLINK -> 2;
    };
  }

  private static byte[] key(int tag) {
    return new byte[] {(byte) 0xa1, (byte) ('0' + tag)};
  }

  private static void put(ByteArrayOutputStream bytes, ByteBuffer written) {
    byte[] array = new byte[written.flip().remaining()];
    written.get(array);
    bytes.writeBytes(array);
  }

  // ---- reading

  static Tree read(Payload blob) {
    if (blob.sizeBytes() > SIZE_BYTES_MAX) {
      throw new StoreException.TooLarge("tree", blob.sizeBytes(), SIZE_BYTES_MAX);
    }
    TreeCursor cursor = new TreeCursor(blob.unsafeArray());
    int count = cursor.arrayOrNil();
    List<TreeEntry> entries = new ArrayList<>(Math.min(count, 1_024));
    for (int i = 0; i < count; i++) {
      entries.add(entry(cursor, i));
    }
    try {
      return new Tree(entries);
    } catch (IllegalArgumentException e) {
      throw new StoreException.Invalid("tree", String.valueOf(e.getMessage()));
    }
  }

  private static TreeEntry entry(TreeCursor cursor, int number) {
    String name = "";
    long kind = 0;
    long mode = 0;
    long size = 0;
    byte @Nullable [] hash = null;
    int members = cursor.map();
    for (int i = 0; i < members; i++) {
      switch (cursor.key()) {
        case 1 -> name = name(cursor, number);
        case 2 -> kind = cursor.number();
        case 3 -> mode = cursor.number();
        case 4 -> size = cursor.number();
        case 5 -> hash = cursor.bytes();
        default -> cursor.skip();
      }
    }
    if (!TreeEntry.isPlain(name)) {
      throw invalid(number, "'" + name + "' is no plain name");
    }
    if (hash == null || hash.length != BlobHash.SIZE_BYTES) {
      throw invalid(number, "expected a hash of 32 bytes");
    }
    if (mode < 0 || mode > 0xffff_ffffL || size < 0) {
      throw invalid(number, "mode " + mode + ", size " + Long.toUnsignedString(size));
    }
    return new TreeEntry(name, kind(kind), (int) mode, size, BlobHash.of(hash));
  }

  /// A kind that nobody knows counts as a file.
  private static TreeEntry.Kind kind(long number) {
    return number == 1
        ? TreeEntry.Kind.DIRECTORY
        : number == 2 ? TreeEntry.Kind.SYMLINK : TreeEntry.Kind.FILE;
  }

  private static String name(TreeCursor cursor, int number) {
    try {
      return TreeText.text(cursor.text());
    } catch (CharacterCodingException e) {
      throw invalid(number, "the name is not UTF-8");
    }
  }

  private static StoreException.Invalid invalid(int number, String why) {
    return new StoreException.Invalid("tree, entry " + number, why);
  }
}
