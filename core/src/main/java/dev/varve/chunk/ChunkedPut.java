// SPDX-License-Identifier: Apache-2.0
package dev.varve.chunk;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.StoreLimits;
import dev.varve.hash.Blake3;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/// Stores content of unknown length: reads it once, cuts it, and hands over what is to be stored,
/// first chunks and lists, last the root list. Content no larger than one chunk is handed over as
/// it is.
///
/// Holds a few megabytes, however long the content is. Serves one put.
public final class ChunkedPut {

  /// A receiver of the parts of a large blob.
  public interface Target {

    /// Stores blobs, none of them larger than the largest chunk. They are durable when it returns.
    void putAll(List<PendingChunk> pieces);

    /// Makes `whole` the blob of `sizeBytes` that a root list stands for. All that the list names
    /// was put before.
    BlobHash assemble(BlobHash whole, long sizeBytes, Payload rootList);
  }

  private final ChunkSizes sizes;
  private final Target target;
  private final long bytesMax;
  private final ContentChunker lists;
  private final Blake3 whole;
  private final List<ListEntry> root = new ArrayList<>();
  private final List<ListEntry> list = new ArrayList<>();
  private final SequencedMap<BlobHash, PendingChunk> batch = new LinkedHashMap<>();
  private long listedBytes;
  private long batchBytes;

  /// The number of the next bytes that `whole` has taken already.
  private long takenBefore;

  public ChunkedPut(ChunkSizes sizes, Target target) {
    this(sizes, target, StoreLimits.BLOB_BYTES);
  }

  /// To store content that begins with what `whole` has taken.
  public ChunkedPut(ChunkSizes sizes, Target target, Blake3 whole) {
    this(sizes, target, StoreLimits.BLOB_BYTES, whole);
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
    this.lists = new ContentChunker(sizes);
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
    return cut(new JsonLineCutter(sizes, true), bytes, buffer, filled, expected);
  }

  /// Stores the content that a root list stands for, and what `added` gives behind it. Of the
  /// former only what lies behind its last line of JSON is read and cut again, or, where no line
  /// ends in its last lists, the last chunk. Where the other chunks are cut does not change.
  ///
  /// @param base its content is what the hasher has taken
  /// @param pieces where its lists and chunks are
  public BlobHash grow(
      ChunkList base, ChunkSource pieces, InputStream added, @Nullable BlobHash expected)
      throws IOException {
    int lastList = base.count() - 1;
    for (int i = 0; i < lastList; i++) {
      root.add(new ListEntry(base.hash(i), base.length(i)));
    }
    ChunkList chunks = list(base, lastList, pieces);
    int from = chunks.count();
    while (from > 0 && !chunks.lineFeed(from - 1)) {
      from--;
    }
    boolean atLineStart = from > 0 || lastList == 0 || endsLine(list(base, lastList - 1, pieces));
    if (!atLineStart) {
      from = chunks.count() - 1;
    }
    for (int i = 0; i < from; i++) {
      add(new ListEntry(chunks.hash(i), chunks.length(i), chunks.lineFeed(i)));
    }
    List<InputStream> parts = new ArrayList<>();
    for (int i = from; i < chunks.count(); i++) {
      parts.add(new ByteArrayInputStream(chunk(chunks, i, pieces)));
    }
    parts.add(added);
    takenBefore = chunks.sizeBytes() - listedBytes;
    if (from > 0) {
      endListBehind(chunks.hash(from - 1));
    }
    byte[] buffer = new byte[Math.max(1 << 16, 4 * sizes.maxBytes())];
    InputStream bytes = new SequenceInputStream(Collections.enumeration(parts));
    JsonLineCutter cutter = new JsonLineCutter(sizes, atLineStart);
    return cut(cutter, bytes, buffer, fill(bytes, buffer, 0), expected);
  }

  private ChunkList list(ChunkList base, int index, ChunkSource pieces) {
    ChunkList list =
        ChunkList.chunks(
            pieces.get(base.hash(index), ChunkList.bytesMax(sizes)).unsafeArray(), sizes);
    if (list.sizeBytes() != base.length(index)) {
      throw anotherSize();
    }
    return list;
  }

  private static boolean endsLine(ChunkList list) {
    return list.lineFeed(list.count() - 1);
  }

  private byte[] chunk(ChunkList chunks, int index, ChunkSource pieces) {
    byte[] chunk = pieces.get(chunks.hash(index), sizes.maxBytes()).unsafeArray();
    if (chunk.length != chunks.length(index)) {
      throw anotherSize();
    }
    return chunk;
  }

  private static StoreException.Invalid anotherSize() {
    return new StoreException.Invalid("root list", "its last list or chunk has another size");
  }

  private BlobHash cut(
      JsonLineCutter cutter,
      InputStream bytes,
      byte[] buffer,
      int first,
      @Nullable BlobHash expected)
      throws IOException {
    int lookahead = JsonLineCutter.lookaheadBytes(sizes);
    int filled = first;
    boolean more = filled == buffer.length;
    int from = 0;
    while (more || from < filled) {
      if (more && filled - from < lookahead) {
        System.arraycopy(buffer, from, buffer, 0, filled - from);
        filled = fill(bytes, buffer, filled - from);
        from = 0;
        more = filled == buffer.length;
      } else {
        int length = cutter.cut(buffer, from, filled - from);
        boolean lineFeed = cutter.takesLineFeed();
        take(Arrays.copyOfRange(buffer, from, from + length), lineFeed);
        from += length + (lineFeed ? 1 : 0);
      }
    }
    BlobHash hash = asExpected(expected);
    endList();
    hand();
    return target.assemble(hash, whole.sizeBytes(), Payload.wrap(ChunkList.write(root)));
  }

  private BlobHash putWhole(byte[] content, @Nullable BlobHash expected) {
    BlobHash hash = asExpected(expected);
    target.putAll(List.of(new PendingChunk(hash, Payload.wrap(content))));
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

  private void take(byte[] chunk, boolean lineFeed) {
    BlobHash hash = Blake3.hash(chunk);
    add(new ListEntry(hash, chunk.length + (lineFeed ? 1L : 0L), lineFeed));
    gather(hash, chunk);
    endListBehind(hash);
  }

  private void endListBehind(BlobHash chunk) {
    if (lists.endsList(chunk, list.size(), listedBytes)) {
      endList();
    }
  }

  private void endList() {
    if (!list.isEmpty()) {
      byte[] bytes = ChunkList.write(list);
      BlobHash hash = Blake3.hash(bytes);
      root.add(new ListEntry(hash, listedBytes));
      list.clear();
      listedBytes = 0;
      gather(hash, bytes);
    }
  }

  private void add(ListEntry entry) {
    list.add(entry);
    listedBytes += entry.length();
  }

  /// Takes each blob once into a batch.
  private void gather(BlobHash hash, byte[] bytes) {
    if (batch.putIfAbsent(hash, new PendingChunk(hash, Payload.wrap(bytes))) == null) {
      batchBytes += bytes.length;
    }
    if (batchBytes >= sizes.batchBytes()) {
      hand();
    }
  }

  private void hand() {
    if (!batch.isEmpty()) {
      target.putAll(List.copyOf(batch.values()));
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
