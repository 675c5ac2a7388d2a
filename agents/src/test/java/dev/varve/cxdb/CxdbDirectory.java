// SPDX-License-Identifier: Apache-2.0
package dev.varve.cxdb;

import com.github.luben.zstd.ZstdOutputStream;
import dev.varve.BlobHash;
import dev.varve.hash.Blake3;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32;

/// Writes a data directory as the reference server does, record by record, from the tables of its
/// layout.
final class CxdbDirectory {

  final ByteArrayOutputStream pack = new ByteArrayOutputStream();
  final ByteArrayOutputStream log = new ByteArrayOutputStream();
  final ByteArrayOutputStream meta = new ByteArrayOutputStream();
  final ByteArrayOutputStream heads = new ByteArrayOutputStream();
  final ByteArrayOutputStream roots = new ByteArrayOutputStream();

  /// What a server does for an append: blob, turn, meta, head.
  CxdbDirectory append(long context, long turn, long parent, int depth, String payload, long atMs) {
    BlobHash hash = blob(payload.getBytes(StandardCharsets.UTF_8));
    turn(turn, parent, depth, hash, atMs);
    meta(turn, "com.example.Message", 3, 1, 1, payload.length());
    return head(context, turn, depth, atMs);
  }

  BlobHash blob(byte[] raw) {
    byte[] compressed = compress(raw);
    return compressed.length < raw.length ? blob(raw, 1, compressed) : blob(raw, 0, raw);
  }

  /// A record that says `stored` is `raw` in the codec.
  BlobHash blob(byte[] raw, int codec, byte[] stored) {
    BlobHash hash = Blake3.hash(raw);
    blob(codec, raw.length, stored, hash);
    return hash;
  }

  void blob(int codec, int rawLength, byte[] stored, BlobHash hash) {
    ByteBuffer record = buffer(48 + stored.length + 4);
    record.put(new byte[] {0x42, 0x4C, 0x53, 0x42}).putShort((short) 1).putShort((short) codec);
    record.putInt(rawLength).putInt(stored.length).put(hash.bytes()).put(stored);
    pack.writeBytes(sealed(record));
  }

  /// As the server compresses: in a stream, so that the frame does not say how much comes out.
  static byte[] compress(byte[] raw) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ZstdOutputStream zstd = new ZstdOutputStream(out, 1)) {
      zstd.write(raw);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return out.toByteArray();
  }

  CxdbDirectory turn(long id, long parent, int depth, BlobHash payload, long atMs) {
    ByteBuffer record = buffer(80);
    record.putLong(id).putLong(parent).putInt(depth).putInt(1).putLong(0).put(payload.bytes());
    record.putInt(0).putLong(atMs);
    log.writeBytes(sealed(record));
    return this;
  }

  CxdbDirectory meta(
      long turn, String type, int version, int encoding, int compression, int length) {
    byte[] id = type.getBytes(StandardCharsets.UTF_8);
    ByteBuffer record = buffer(28 + id.length);
    record
        .putLong(turn)
        .putInt(id.length)
        .put(id)
        .putInt(version)
        .putInt(encoding)
        .putInt(compression)
        .putInt(length);
    meta.writeBytes(record.array());
    return this;
  }

  CxdbDirectory head(long context, long turn, int depth, long atMs) {
    ByteBuffer record = buffer(36);
    record.putLong(context).putLong(turn).putInt(depth).putInt(0).putLong(atMs);
    heads.writeBytes(sealed(record));
    return this;
  }

  CxdbDirectory root(long turn, BlobHash root) {
    ByteBuffer record = buffer(44);
    record.putLong(turn).put(root.bytes());
    roots.writeBytes(sealed(record));
    return this;
  }

  private static ByteBuffer buffer(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static byte[] sealed(ByteBuffer record) {
    CRC32 crc = new CRC32();
    crc.update(record.array(), 0, record.capacity() - 4);
    return record.putInt(record.capacity() - 4, (int) crc.getValue()).array();
  }

  Path write(Path folder) throws IOException {
    Files.createDirectories(folder.resolve("blobs"));
    Files.createDirectories(folder.resolve("turns"));
    Files.createDirectories(folder.resolve("fs"));
    Files.write(folder.resolve("blobs/blobs.pack"), pack.toByteArray());
    Files.write(folder.resolve("turns/turns.log"), log.toByteArray());
    Files.write(folder.resolve("turns/turns.meta"), meta.toByteArray());
    Files.write(folder.resolve("turns/heads.tbl"), heads.toByteArray());
    Files.write(folder.resolve("fs/roots.idx"), roots.toByteArray());
    return folder;
  }
}
