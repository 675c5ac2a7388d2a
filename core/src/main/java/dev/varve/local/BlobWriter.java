// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.BlobHash;
import dev.varve.Limits;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.blob.BlobPack;
import dev.varve.chunk.ChunkList;
import dev.varve.chunk.ChunkSizes;
import dev.varve.chunk.ChunkedPut;
import dev.varve.chunk.Piece;
import dev.varve.hash.Blake3;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Puts several blobs with one commit, and large ones chunk by chunk. Hashes and compresses on the
/// caller's thread.
final class BlobWriter implements ChunkedPut.Target {

  private final BlobPack blobs;
  private final Committer committer;
  private final Limits limits;
  private final ChunkSizes chunkSizes;
  private final Runnable checkOpen;

  /// @param checkOpen refuses if the store is closed
  BlobWriter(
      BlobPack blobs,
      Committer committer,
      Limits limits,
      ChunkSizes chunkSizes,
      Runnable checkOpen) {
    this.blobs = blobs;
    this.committer = committer;
    this.limits = limits;
    this.chunkSizes = chunkSizes;
    this.checkOpen = checkOpen;
  }

  List<BlobHash> put(List<Payload> payloads) {
    payloads.forEach(bytes -> limits.checkPayload(bytes.sizeBytes()));
    return commit(payloads.stream(), blobs::prepare);
  }

  BlobHash put(InputStream bytes, @Nullable BlobHash expected) throws IOException {
    checkOpen.run();
    return new ChunkedPut(chunkSizes, this).put(bytes, expected);
  }

  BlobHash putGrown(BlobHash base, byte[] state, InputStream added, @Nullable BlobHash expected)
      throws IOException {
    checkOpen.run();
    Blake3 whole = Blake3.restoreState(state);
    if (whole.sizeBytes() != blobs.rawBytes(base) || !whole.digest().equals(base)) {
      throw new StoreException.Invalid(
          "hash state", "expected that of blob " + base + ", found that of " + whole.digest());
    }
    Optional<Payload> rootList = blobs.findChunkList(base);
    if (rootList.isEmpty()) {
      InputStream start = new ByteArrayInputStream(blobs.get(base).unsafeArray());
      return put(new SequenceInputStream(start, added), expected);
    }
    ChunkList list = ChunkList.root(rootList.get().unsafeArray(), chunkSizes);
    return new ChunkedPut(chunkSizes, this, whole).grow(list, this::piece, added, expected);
  }

  private Payload piece(BlobHash hash, int bytesMax) {
    if (blobs.rawBytes(hash) > bytesMax) {
      throw new StoreException.Invalid(
          "blob " + hash, "expected at most " + bytesMax + " bytes, found more");
    }
    return blobs.get(hash);
  }

  /// Verifies that a root list of somebody else's stands for `hash`, and keeps it.
  BlobHash assembleVerified(BlobHash hash, Payload rootList) {
    checkOpen.run();
    return assemble(hash, blobs.verifyChunked(hash, rootList), rootList);
  }

  @Override
  public void putAll(List<Piece> pieces) {
    pieces.forEach(piece -> limits.checkPayload(piece.bytes().sizeBytes()));
    commit(pieces.stream(), blobs::prepare);
  }

  @Override
  public BlobHash assemble(BlobHash whole, long sizeBytes, Payload rootList) {
    return commit(Stream.of(rootList), list -> blobs.prepareChunked(whole, sizeBytes, list))
        .getFirst();
  }

  private <T> List<BlobHash> commit(
      Stream<T> given, Function<? super T, BlobPack.Prepared> prepare) {
    committer.enter();
    try {
      checkOpen.run();
      List<BlobPack.Prepared> prepared = given.map(prepare).toList();
      if (prepared.stream().anyMatch(BlobPack.Prepared::isNew)) {
        committer.commit(
            draft -> {
              prepared.forEach(draft::put);
              return 0;
            });
      }
      return prepared.stream().map(BlobPack.Prepared::hash).toList();
    } finally {
      committer.leave();
    }
  }
}
