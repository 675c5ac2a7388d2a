// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.PutOutcome;
import dev.varve.StoreException;
import dev.varve.StoreLimits;
import dev.varve.blob.BlobPack;
import dev.varve.blob.BlobPreparation;
import dev.varve.blob.PreparedBlob;
import dev.varve.chunk.ChunkList;
import dev.varve.chunk.ChunkSizes;
import dev.varve.chunk.ChunkedPut;
import dev.varve.chunk.PendingChunk;
import dev.varve.hash.Blake3;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Puts several blobs with one commit, and large ones chunk by chunk. Hashes and compresses on the
/// caller's thread.
final class BlobWriter {

  private final StoreFiles files;
  private final BlobPreparation preparation;
  private final Committer committer;
  private final StoreLimits limits;
  private final ChunkSizes chunkSizes;
  private final Runnable checkOpen;

  /// @param checkOpen refuses if the store is closed
  BlobWriter(
      StoreFiles files,
      BlobPreparation preparation,
      Committer committer,
      StoreLimits limits,
      ChunkSizes chunkSizes,
      Runnable checkOpen) {
    this.files = files;
    this.preparation = preparation;
    this.committer = committer;
    this.limits = limits;
    this.chunkSizes = chunkSizes;
    this.checkOpen = checkOpen;
  }

  List<BlobHash> put(List<Payload> payloads) {
    payloads.forEach(bytes -> limits.checkPayload(bytes.sizeBytes()));
    return commit(payloads.stream(), this::prepare).stream().map(PutOutcome::hash).toList();
  }

  /// Hashes and compresses a blob, unless an intact copy is there already. A blob that is larger
  /// than the largest chunk is cut as a stream is, so that it shares chunks with other blobs, and
  /// is placed with its chunks by one commit.
  PreparedBlob prepare(Payload payload) {
    if (payload.sizeBytes() <= chunkSizes.maxBytes()) {
      return preparation.prepare(payload);
    }
    PreparedPieces pieces = new PreparedPieces();
    try {
      new ChunkedPut(chunkSizes, pieces).put(new ByteArrayInputStream(payload.unsafeArray()), null);
    } catch (IOException e) {
      throw new AssertionError("an array cannot fail", e);
    }
    return pieces.whole();
  }

  PutOutcome put(InputStream bytes, @Nullable BlobHash expected) throws IOException {
    committer.enterStream();
    try {
      return putStream(bytes, expected);
    } finally {
      committer.leaveStream();
    }
  }

  private PutOutcome putStream(InputStream bytes, @Nullable BlobHash expected) throws IOException {
    checkOpen.run();
    if (expected != null) {
      files.blobs.erased().refuse(expected);
    }
    Pieces pieces = new Pieces();
    BlobHash hash = new ChunkedPut(chunkSizes, pieces).put(bytes, expected);
    return new PutOutcome(hash, pieces.newest.contains(new PutOutcome(hash, true)));
  }

  BlobHash putGrown(BlobHash base, byte[] state, InputStream added, @Nullable BlobHash expected)
      throws IOException {
    committer.enterStream();
    try {
      return putGrownStream(base, state, added, expected);
    } finally {
      committer.leaveStream();
    }
  }

  private BlobHash putGrownStream(
      BlobHash base, byte[] state, InputStream added, @Nullable BlobHash expected)
      throws IOException {
    checkOpen.run();
    BlobPack blobs = files.blobs;
    Blake3 whole = Blake3.restoreState(state);
    if (whole.sizeBytes() != blobs.rawBytes(base) || !whole.digest().equals(base)) {
      throw new StoreException.Invalid(
          "hash state", "expected that of blob " + base + ", found that of " + whole.digest());
    }
    Optional<Payload> rootList = blobs.findChunkList(base);
    if (rootList.isEmpty()) {
      InputStream start = new ByteArrayInputStream(blobs.get(base).unsafeArray());
      return putStream(new SequenceInputStream(start, added), expected).hash();
    }
    ChunkList list = ChunkList.root(rootList.get().unsafeArray(), chunkSizes);
    return new ChunkedPut(chunkSizes, new Pieces(), whole).grow(list, this::piece, added, expected);
  }

  private Payload piece(BlobHash hash, int bytesMax) {
    BlobPack blobs = files.blobs;
    if (blobs.rawBytes(hash) > bytesMax) {
      throw new StoreException.Invalid(
          "blob " + hash, "expected at most " + bytesMax + " bytes, found more");
    }
    return blobs.get(hash);
  }

  /// Verifies that a root list from elsewhere stands for `hash`, and keeps the list.
  BlobHash assembleVerified(BlobHash hash, Payload rootList) {
    committer.enterStream();
    try {
      checkOpen.run();
      return new Pieces().assemble(hash, files.blobs.verifyChunked(hash, rootList), rootList);
    } finally {
      committer.leaveStream();
    }
  }

  /// The pieces of one blob that is put as a stream.
  private final class Pieces implements ChunkedPut.Target {

    /// Outcome of the newest commit. After the last put, that commit has the blob itself.
    private List<PutOutcome> newest = List.of();

    @Override
    public void putAll(List<PendingChunk> pieces) {
      pieces.forEach(piece -> limits.checkPayload(piece.bytes().sizeBytes()));
      newest = commit(pieces.stream(), preparation::prepare);
    }

    @Override
    public BlobHash assemble(BlobHash whole, long sizeBytes, Payload rootList) {
      newest =
          commit(
              Stream.of(rootList),
              list -> preparation.prepareChunked(whole, sizeBytes, list, List.of()));
      return whole;
    }
  }

  /// The pieces of one blob that is placed by one commit.
  private final class PreparedPieces implements ChunkedPut.Target {

    private final List<PreparedBlob> pieces = new ArrayList<>();
    private @Nullable PreparedBlob whole;

    @Override
    public void putAll(List<PendingChunk> chunks) {
      chunks.stream().map(preparation::prepare).filter(PreparedBlob::isNew).forEach(pieces::add);
    }

    @Override
    public BlobHash assemble(BlobHash hash, long sizeBytes, Payload rootList) {
      whole = preparation.prepareChunked(hash, sizeBytes, rootList, List.copyOf(pieces));
      return hash;
    }

    PreparedBlob whole() {
      return Objects.requireNonNull(whole, "a large blob ends with its root list");
    }
  }

  private <T> List<PutOutcome> commit(Stream<T> given, Function<? super T, PreparedBlob> prepare) {
    committer.enter();
    try {
      checkOpen.run();
      List<PreparedBlob> prepared = given.map(prepare).toList();
      List<PutOutcome> outcomes = new ArrayList<>();
      if (prepared.stream().noneMatch(blob -> blob.isNew() || !blob.pieces().isEmpty())) {
        return prepared.stream().map(blob -> new PutOutcome(blob.hash(), false)).toList();
      }
      committer.commit(
          draft -> {
            prepared.forEach(blob -> outcomes.add(new PutOutcome(blob.hash(), draft.put(blob))));
            return 0;
          });
      return outcomes;
    } finally {
      committer.leave();
    }
  }
}
