// SPDX-License-Identifier: Apache-2.0
package dev.varve.blob;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.chunk.PendingChunk;
import dev.varve.hash.Blake3;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Hashes and compresses blobs on the threads of callers, so that the one thread that writes only
/// has to place them.
public final class BlobPreparation {

  private final Supplier<BlobPack> packs;
  private final int zstdLevel;

  /// @param packs gives the blobs that are there already; others after an erasure
  public BlobPreparation(Supplier<BlobPack> packs, int zstdLevel) {
    this.packs = packs;
    this.zstdLevel = zstdLevel;
  }

  /// Hashes and compresses a blob, unless an intact copy is there already.
  ///
  /// @throws StoreException.Erased if the blob was erased
  public PreparedBlob prepare(Payload payload) {
    return prepare(Blake3.hash(payload), payload);
  }

  /// Compresses a chunk or list, unless an intact copy is there already.
  public PreparedBlob prepare(PendingChunk piece) {
    return prepare(piece.hash(), piece.bytes());
  }

  private PreparedBlob prepare(BlobHash hash, Payload payload) {
    BlobPack pack = packs.get();
    pack.erased().refuse(hash);
    byte[] raw = payload.unsafeArray();
    long offset = pack.find(hash);
    if (offset >= 0 && pack.isWhole(hash, offset)) {
      return new PreparedBlob(hash, raw.length, Codec.NONE, null);
    }
    Optional<byte[]> compressed = Codec.compress(raw, zstdLevel);
    return compressed
        .map(bytes -> new PreparedBlob(hash, raw.length, Codec.ZSTD, bytes))
        .orElseGet(() -> new PreparedBlob(hash, raw.length, Codec.NONE, raw));
  }

  /// Makes the record of a blob ready whose chunks were just put.
  ///
  /// @param rootList stands for the content of `hash`
  /// @param pieces the chunks and lists that have to be placed first
  public PreparedBlob prepareChunked(
      BlobHash hash, long rawLength, Payload rootList, List<PreparedBlob> pieces) {
    BlobPack pack = packs.get();
    pack.erased().refuse(hash);
    byte[] list = rootList.unsafeArray();
    long offset = pack.find(hash);
    if (offset >= 0 && pack.reads().isIntact(offset)) {
      BlobRecord record = pack.reads().record(offset);
      if (!ChunkedBlobs.isChunked(record)) {
        if (pack.reads().isReadable(hash, offset, pack.rawBytesMax())) {
          return new PreparedBlob(hash, rawLength, Codec.NONE, null);
        }
      } else if (pack.chunked().has(list, offset, record)
          || pack.chunked().isWhole(offset, record)) {
        return new PreparedBlob(hash, rawLength, Codec.CHUNKS, null, pieces);
      }
    }
    return new PreparedBlob(hash, rawLength, Codec.CHUNKS, list, pieces);
  }
}
