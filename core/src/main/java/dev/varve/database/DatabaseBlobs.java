// SPDX-License-Identifier: Apache-2.0
package dev.varve.database;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.PutOutcome;
import dev.varve.StoreException;
import dev.varve.StoreLimits;
import dev.varve.StoreOptions;
import dev.varve.chunk.ChunkList;
import dev.varve.chunk.ChunkSizes;
import dev.varve.chunk.ChunkedPut;
import dev.varve.chunk.ChunkedStream;
import dev.varve.chunk.PendingChunk;
import dev.varve.hash.Blake3;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Blobs of any size on top of a table: content of more than 64 KiB is kept as chunks, as in a
/// store on the local disk.
public final class DatabaseBlobs {

  /// The sizes of chunks and lists.
  public static final ChunkSizes SIZES = ChunkSizes.DEFAULTS;

  private final BlobRows rows;
  private final StoreLimits limits;
  private final int zstdLevel;

  public DatabaseBlobs(BlobRows rows, StoreOptions options) {
    this.rows = rows;
    this.limits = options.limits();
    this.zstdLevel = options.zstdLevel();
  }

  // ---- to keep

  /// Returns whether a blob is small enough for one row.
  public boolean isInOnePiece(Payload content) {
    return content.sizeBytes() <= SIZES.maxBytes();
  }

  /// The row of a blob in one piece.
  public EncodedBlob encoded(Payload content) {
    return EncodedBlob.of(Blake3.hash(content), content, zstdLevel);
  }

  public PutOutcome put(Payload content) {
    limits.checkPayload(content.sizeBytes());
    return rows.keep(encodedRows(content)).getLast();
  }

  /// Keeps blobs of any number and size at once.
  public List<BlobHash> putAll(List<Payload> contents) {
    contents.forEach(content -> limits.checkPayload(content.sizeBytes()));
    List<EncodedBlob> all = new ArrayList<>();
    List<BlobHash> hashes = new ArrayList<>();
    for (Payload content : contents) {
      all.addAll(encodedRows(content));
      hashes.add(all.getLast().hash());
    }
    if (!all.isEmpty()) {
      rows.keep(all);
    }
    return hashes;
  }

  /// The rows of one blob; its own row is the last.
  private List<EncodedBlob> encodedRows(Payload content) {
    if (isInOnePiece(content)) {
      return List.of(encoded(content));
    }
    List<EncodedBlob> own = new ArrayList<>();
    ChunkedPut.Target target =
        new ChunkedPut.Target() {
          @Override
          public void putAll(List<PendingChunk> pieces) {
            pieces.forEach(
                piece -> own.add(EncodedBlob.of(piece.hash(), piece.bytes(), zstdLevel)));
          }

          @Override
          public BlobHash assemble(BlobHash whole, long sizeBytes, Payload rootList) {
            own.add(EncodedBlob.chunked(whole, sizeBytes, rootList));
            return whole;
          }
        };
    try {
      new ChunkedPut(SIZES, target).put(new ByteArrayInputStream(content.unsafeArray()), null);
    } catch (IOException e) {
      throw new AssertionError("an array cannot fail", e);
    }
    return own;
  }

  public PutOutcome put(InputStream content, @Nullable BlobHash expected) throws IOException {
    StreamTarget target = new StreamTarget();
    BlobHash hash = new ChunkedPut(SIZES, target).put(content, expected);
    return new PutOutcome(hash, target.newest.contains(new PutOutcome(hash, true)));
  }

  /// The target of one blob that comes as a stream: each batch of chunks counts at once.
  private final class StreamTarget implements ChunkedPut.Target {
    private final int since = rows.erasures();
    private List<PutOutcome> newest = List.of();

    @Override
    public void putAll(List<PendingChunk> pieces) {
      pieces.forEach(piece -> limits.checkPayload(piece.bytes().sizeBytes()));
      newest =
          rows.keep(
              pieces.stream()
                  .map(piece -> EncodedBlob.of(piece.hash(), piece.bytes(), zstdLevel))
                  .toList());
    }

    @Override
    public BlobHash assemble(BlobHash whole, long sizeBytes, Payload rootList) {
      newest = List.of(rows.keepRoot(EncodedBlob.chunked(whole, sizeBytes, rootList), since));
      return whole;
    }
  }

  /// Keeps a root list from elsewhere, once all that it stands for was read.
  public void assemble(BlobHash hash, Payload rootList) {
    int since = rows.erasures();
    ChunkList root = ChunkList.root(rootList.unsafeArray(), SIZES);
    ChunkedStream.Place place = new ChunkedStream.Place(hash, "root list", 0);
    try (ChunkedStream stream =
        new ChunkedStream(place, SIZES, root, this::piece, 0, root.sizeBytes())) {
      stream.drain();
    } catch (StoreException.Corrupt e) {
      if (e.file().equals(place.file())) {
        throw new StoreException.Invalid("root list", String.valueOf(e.getMessage()));
      }
      throw e;
    }
    if (!rows.has(hash)) {
      rows.keepRoot(EncodedBlob.chunked(hash, root.sizeBytes(), rootList), since);
    }
  }

  // ---- to read

  /// The row of a blob.
  ///
  /// @throws StoreException.NotFound if it is not in the store
  public EncodedBlob row(BlobHash hash) {
    return rows.find(hash).orElseThrow(() -> rows.absent(hash));
  }

  /// Returns whether a blob is in the table.
  public boolean has(BlobHash hash) {
    return rows.has(hash);
  }

  /// A chunk or a list of chunks.
  public Payload piece(BlobHash hash, int bytesMax) {
    EncodedBlob row = row(hash);
    if (row.isChunked() || row.rawBytes() > bytesMax) {
      throw new StoreException.Invalid(
          "blob " + hash, "expected at most " + bytesMax + " bytes in one piece, found more");
    }
    return row.content(bytesMax);
  }

  public Payload get(BlobHash hash) {
    return content(row(hash));
  }

  /// The content of a row, whatever its form.
  public Payload content(EncodedBlob row) {
    if (!row.isChunked()) {
      return row.content(SIZES.maxBytes());
    }
    limits.checkPayload(row.rawBytes());
    byte[] all = new byte[(int) row.rawBytes()];
    ChunkedStream stream = stream(row, 0, row.rawBytes());
    for (int done = 0; done < all.length; ) {
      done += stream.read(all, done, all.length - done);
    }
    return Payload.wrap(all);
  }

  public InputStream read(BlobHash hash, long offset, long length) {
    EncodedBlob row = row(hash);
    if (offset < 0 || length < 0 || offset > row.rawBytes() - length) {
      throw new StoreException.Invalid(
          "range", "expected bytes of " + row.rawBytes() + ", found " + length + " from " + offset);
    }
    if (row.isChunked()) {
      return stream(row, offset, offset + length);
    }
    byte[] content = row.content(SIZES.maxBytes()).unsafeArray();
    return new ByteArrayInputStream(content, (int) offset, (int) length);
  }

  private ChunkedStream stream(EncodedBlob row, long from, long end) {
    return new ChunkedStream(place(row), SIZES, root(row), this::piece, from, end);
  }

  public static ChunkedStream.Place place(EncodedBlob row) {
    return new ChunkedStream.Place(row.hash(), "table blob, row " + row.hash(), 0);
  }

  /// The root list of a blob that is kept as chunks.
  public static ChunkList root(EncodedBlob row) {
    try {
      ChunkList root = ChunkList.root(row.data(), SIZES);
      if (root.sizeBytes() == row.rawBytes()) {
        return root;
      }
      throw row.corrupt("a root list of " + row.rawBytes() + " bytes", "one of another size");
    } catch (StoreException.Invalid e) {
      throw row.corrupt("a root list", String.valueOf(e.getMessage()));
    }
  }
}
