// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.BlobHash;
import dev.varve.Limits;
import dev.varve.Payload;
import dev.varve.blob.BlobPack;
import dev.varve.chunk.ChunkSizes;
import dev.varve.chunk.ChunkedPut;
import dev.varve.chunk.Piece;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Puts several blobs with one commit, and large ones chunk by chunk. Hashes and compresses on the caller's thread.
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
