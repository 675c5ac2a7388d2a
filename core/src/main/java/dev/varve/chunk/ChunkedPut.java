// SPDX-License-Identifier: Apache-2.0
package dev.varve.chunk;

import dev.varve.BlobHash;
import dev.varve.Limits;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.hash.Blake3;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Stores content of unknown length: reads it once, cuts it, and hands over what is to be stored,
/// first chunks and lists, last the root list. Content no larger than one chunk is handed over as
/// it is.
///
/// Holds a few megabytes, however long the content is. Serves one put.
public final class ChunkedPut {

  /// What takes the parts of a large blob.
  public interface Target {

    /// Stores blobs, none of them larger than the largest chunk. They are durable when it returns.
    void putAll(List<Piece> pieces);

    /// Makes `whole` the blob of `sizeBytes` that a root list stands for. All that the list names
    /// was put before.
    BlobHash assemble(BlobHash whole, long sizeBytes, Payload rootList);
  }

  private final ChunkSizes sizes;
  private final Target target;
  private final long bytesMax;
  private final Cutter cutter;
  private final Blake3 whole;
  private final List<ListEntry> root = new ArrayList<>();
  private final List<ListEntry> list = new ArrayList<>();
  private final List<Piece> batch = new ArrayList<>();
  private long batchBytes;

  /// How many of the next bytes `whole` has taken already.
  private long takenBefore;

  public ChunkedPut(ChunkSizes sizes, Target target) {
    this(sizes, target, Limits.BLOB_BYTES);
  }

  /// To store content that begins with what `whole` has taken.
  public ChunkedPut(ChunkSizes sizes, Target target, Blake3 whole) {
    this(sizes, target, Limits.BLOB_BYTES, whole);
  }

  /// @param bytesMax content of more bytes is refused
  ChunkedPut(ChunkSizes sizes, Target target, long bytesMax) {
    this(sizes, target, bytesMax, new Blake3());
  }

  private ChunkedPut(ChunkSizes sizes, Target target, long bytesMax, Blake3 whole) {
    this.whole = whole;
    this.sizes = sizes;
    this.target = target;
    this.bytesMax = bytesMax;
    this.cutter = new Cutter(sizes);
  }

  /// Stores what `bytes` gives up to its end. Closes nothing.
  ///
  /// @param expected what its hash must be, or null if any will do
  /// @throws StoreException.Invalid if the hash is another; no blob of that name is stored
  /// @throws StoreException.TooLarge if there are more bytes than a blob may have
  /// @throws IOException if `bytes` does
  public BlobHash put(InputStream bytes, @Nullable BlobHash expected) throws IOException {
    byte[] buffer = new byte[Math.max(1 << 16, 4 * sizes.maxBytes())];
    int filled = fill(bytes, buffer, 0);
    if (filled <= sizes.maxBytes()) {
      return putWhole(Arrays.copyOf(buffer, filled), expected);
    }
    return cut(bytes, buffer, filled, expected);
  }

  /// Stores the content that a root list stands for, and what `added` gives behind it. Of the
  /// former only the last chunk is read: where the others are cut does not change.
  ///
  /// @param base its content is what the hasher has taken
  /// @param pieces where its lists and chunks are
  public BlobHash grow(
      ChunkList base, Pieces pieces, InputStream added, @Nullable BlobHash expected)
      throws IOException {
    int lastList = base.count() - 1;
    for (int i = 0; i < lastList; i++) {
      root.add(new ListEntry(base.hash(i), base.length(i)));
    }
    ChunkList chunks =
        ChunkList.chunks(
            pieces.get(base.hash(lastList), ChunkList.bytesMax(sizes)).unsafeArray(), sizes);
    int lastChunk = chunks.count() - 1;
    for (int i = 0; i < lastChunk; i++) {
      list.add(new ListEntry(chunks.hash(i), chunks.length(i)));
    }
    byte[] end = pieces.get(chunks.hash(lastChunk), sizes.maxBytes()).unsafeArray();
    if (chunks.sizeBytes() != base.length(lastList) || end.length != chunks.length(lastChunk)) {
      throw new StoreException.Invalid("root list", "its last list or chunk has another size");
    }
    takenBefore = end.length;
    byte[] buffer = new byte[Math.max(1 << 16, 4 * sizes.maxBytes())];
    InputStream bytes = new SequenceInputStream(new ByteArrayInputStream(end), added);
    return cut(bytes, buffer, fill(bytes, buffer, 0), expected);
  }

  private BlobHash cut(InputStream bytes, byte[] buffer, int first, @Nullable BlobHash expected)
      throws IOException {
    int filled = first;
    boolean more = filled == buffer.length;
    int from = 0;
    while (more || from < filled) {
      if (more && filled - from < sizes.maxBytes()) {
        System.arraycopy(buffer, from, buffer, 0, filled - from);
        filled = fill(bytes, buffer, filled - from);
        from = 0;
        more = filled == buffer.length;
      } else {
        int length = cutter.cut(buffer, from, filled - from);
        take(Arrays.copyOfRange(buffer, from, from + length));
        from += length;
      }
    }
    BlobHash hash = asExpected(expected);
    endList();
    hand();
    return target.assemble(hash, whole.sizeBytes(), Payload.wrap(ChunkList.write(root)));
  }

  private BlobHash putWhole(byte[] content, @Nullable BlobHash expected) {
    BlobHash hash = asExpected(expected);
    target.putAll(List.of(new Piece(hash, Payload.wrap(content))));
    return hash;
  }

  /// Reads on until the buffer is full or the content ends, and hashes what came, but for what the
  /// hasher has taken before: in large pieces, which is faster than chunk by chunk.
  ///
  /// @return up to where the buffer is filled
  private int fill(InputStream bytes, byte[] buffer, int from) throws IOException {
    int count = bytes.readNBytes(buffer, from, buffer.length - from);
    int taken = (int) Math.min(takenBefore, count);
    takenBefore -= taken;
    if (whole.sizeBytes() + count - taken > bytesMax) {
      throw new StoreException.TooLarge("blob", whole.sizeBytes() + count - taken, bytesMax);
    }
    whole.update(buffer, from + taken, count - taken);
    return from + count;
  }

  private void take(byte[] chunk) {
    BlobHash hash = Blake3.hash(chunk);
    list.add(new ListEntry(hash, chunk.length));
    gather(hash, chunk);
    if (cutter.endsList(hash, list.size())) {
      endList();
    }
  }

  private void endList() {
    if (!list.isEmpty()) {
      byte[] bytes = ChunkList.write(list);
      long listed = list.stream().mapToLong(ListEntry::length).sum();
      BlobHash hash = Blake3.hash(bytes);
      root.add(new ListEntry(hash, listed));
      list.clear();
      gather(hash, bytes);
    }
  }

  private void gather(BlobHash hash, byte[] bytes) {
    batch.add(new Piece(hash, Payload.wrap(bytes)));
    batchBytes += bytes.length;
    if (batchBytes >= sizes.batchBytes()) {
      hand();
    }
  }

  private void hand() {
    if (!batch.isEmpty()) {
      target.putAll(List.copyOf(batch));
      batch.clear();
      batchBytes = 0;
    }
  }

  private BlobHash asExpected(@Nullable BlobHash expected) {
    BlobHash found = whole.digest();
    if (expected != null && !expected.equals(found)) {
      throw new StoreException.Invalid("content", "expected hash " + expected + ", found " + found);
    }
    return found;
  }
}
