// SPDX-License-Identifier: Apache-2.0
package dev.varve.blob;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.chunk.ChunkSizes;
import dev.varve.chunk.ChunkedPut;
import dev.varve.chunk.PendingChunk;
import dev.varve.hash.Blake3;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
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

  /// The name of content, and those of the pieces that it is cut into.
  public static Set<BlobHash> withWhole(Payload content, ChunkSizes sizes) {
    Set<BlobHash> names = new LinkedHashSet<>();
    names.add(Blake3.hash(content));
    names.addAll(of(new ByteArrayInputStream(content.unsafeArray()), sizes).keySet());
    return names;
  }

  /// The size in bytes of each piece of content, by its name.
  ///
  /// @param content from blobs or from memory, which do not fail like files
  public static Map<BlobHash, Integer> of(InputStream content, ChunkSizes sizes) {
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
