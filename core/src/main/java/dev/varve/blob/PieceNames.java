// SPDX-License-Identifier: Apache-2.0
package dev.varve.blob;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.chunk.ChunkSizes;
import dev.varve.chunk.ChunkedPut;
import dev.varve.chunk.PendingChunk;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The pieces into which a blob would be cut if its content came back as a stream. Their names are
/// remembered with the blob's own: a stream is stored piece by piece before anybody knows its hash.
public final class PieceNames implements ChunkedPut.Target {

  private final Map<BlobHash, Integer> sizesBytes = new LinkedHashMap<>();

  private PieceNames() {}

  /// The size in bytes of each piece of a blob, by its name.
  public static Map<BlobHash, Integer> of(BlobPack blobs, BlobHash blob, ChunkSizes sizes) {
    return of(blobs.read(blob, 0, blobs.rawBytes(blob)), sizes);
  }

  /// The names of the pieces of content; of content that is not cut, its own name.
  public static Set<BlobHash> of(Payload content, ChunkSizes sizes) {
    return of(new ByteArrayInputStream(content.unsafeArray()), sizes).keySet();
  }

  private static Map<BlobHash, Integer> of(InputStream content, ChunkSizes sizes) {
    PieceNames names = new PieceNames();
    try (content) {
      new ChunkedPut(sizes, names).put(content, null);
    } catch (IOException e) {
      throw new AssertionError("neither blobs nor arrays fail like files", e);
    }
    return names.sizesBytes;
  }

  @Override
  public void putAll(List<PendingChunk> pieces) {
    pieces.forEach(piece -> sizesBytes.put(piece.hash(), piece.bytes().sizeBytes()));
  }

  @Override
  public BlobHash assemble(BlobHash whole, long sizeBytes, Payload rootList) {
    return whole;
  }
}
