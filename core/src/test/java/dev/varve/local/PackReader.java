// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import dev.varve.BlobHash;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/// A reader of `blobs.pack` that shares no code with the store: it follows the page of the format.
final class PackReader {

  private static final int MAGIC = 0x42534C42;

  private PackReader() {}

  /// A record, with what its stored bytes decode to; of a blob kept as chunks the root list.
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Stored(BlobHash hash, int codec, byte[] raw) {}

  static List<Stored> records(byte[] pack) {
    List<Stored> records = new ArrayList<>();
    ByteBuffer bytes = ByteBuffer.wrap(pack).order(ByteOrder.LITTLE_ENDIAN);
    while (bytes.remaining() >= 52 && bytes.getInt(bytes.position()) == MAGIC) {
      int at = bytes.position();
      int codec = bytes.getShort(at + 6);
      int rawLength = bytes.getInt(at + 8);
      byte[] hash = new byte[32];
      bytes.get(at + 16, hash);
      byte[] stored = new byte[bytes.getInt(at + 12)];
      bytes.get(at + 48, stored);
      records.add(
          new Stored(
              BlobHash.of(hash), codec, codec == 1 ? Zstd.decompress(stored, rawLength) : stored));
      bytes.position(at + 52 + stored.length);
    }
    return records;
  }

  /// Fails if anything of the blobs is left in any file: a record, or the beginning of a record
  /// wherever in a file.
  static void assertGone(DiskImage image, Iterable<BlobHash> erased) {
    List<BlobHash> left = records(image.file("blobs.pack")).stream().map(Stored::hash).toList();
    for (BlobHash hash : erased) {
      assertThat(left).doesNotContain(hash);
      ByteBuffer header = ByteBuffer.allocate(36).order(ByteOrder.LITTLE_ENDIAN);
      for (int codec = 0; codec <= 2; codec++) {
        header.clear().putInt(MAGIC).putShort((short) 1).putShort((short) codec);
        byte[] beginning = header.slice(0, 8).array();
        for (String name : image.names()) {
          byte[] file = image.file(name);
          for (int at = indexOf(file, hash.bytes(), 0); at >= 0; ) {
            boolean record =
                at >= 16 && matches(file, at - 16, java.util.Arrays.copyOf(beginning, 8));
            assertThat(record).as("a record of " + hash + " in " + name).isFalse();
            at = indexOf(file, hash.bytes(), at + 1);
          }
        }
      }
    }
  }

  /// Fails if the text stands in any file, as it is or in what a record decodes to.
  static void assertNowhere(DiskImage image, byte[] text) {
    for (String name : image.names()) {
      assertThat(indexOf(image.file(name), text, 0)).as(name).isNegative();
    }
    for (Stored record : records(image.file("blobs.pack"))) {
      assertThat(indexOf(record.raw(), text, 0)).as("blob " + record.hash()).isNegative();
    }
  }

  private static int indexOf(byte[] bytes, byte[] text, int from) {
    for (int at = from; at + text.length <= bytes.length; at++) {
      if (matches(bytes, at, text)) {
        return at;
      }
    }
    return -1;
  }

  private static boolean matches(byte[] bytes, int at, byte[] text) {
    for (int i = 0; i < text.length; i++) {
      if (bytes[at + i] != text[i]) {
        return false;
      }
    }
    return true;
  }
}
