// SPDX-License-Identifier: Apache-2.0
package dev.varve.chunk;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.hash.Blake3;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Part or all of a large blob, chunk by chunk. Only the lists and chunks that the part touches are
/// asked for; one of each is held.
///
/// Nothing is given out that was not verified: each chunk by its hash, and, if the stream is of the
/// whole blob, the last chunk only once the hash of all is right.
public final class ChunkedStream extends InputStream {

  /// Which blob is read, and where a refusal says that the damage is.
  ///
  /// @param offset of the blob's record in `file`
  public record Place(BlobHash blob, String file, long offset) {

    StoreException.Corrupt corrupt(String expected, String found) {
      return new StoreException.Corrupt(file, offset, expected, found);
    }
  }

  private final Place place;
  private final ChunkSizes sizes;
  private final ChunkList root;
  private final ChunkSource pieces;
  private final @Nullable Blake3 whole;
  private final long end;
  private long position;
  private int listIndex = -1;
  private @Nullable ChunkList list;
  private byte[] chunk = {};
  private int chunkPosition;

  /// @param root of `place.blob()`
  /// @param from the first byte to give
  /// @param end the byte behind the last to give; at most the blob's size
  public ChunkedStream(
      Place place, ChunkSizes sizes, ChunkList root, ChunkSource pieces, long from, long end) {
    this(
        place,
        sizes,
        root,
        pieces,
        from,
        end,
        from == 0 && end == root.sizeBytes() ? new Blake3() : null);
  }

  /// @param whole takes what is read, and must have taken what is before; null if only chunks are
  ///   verified
  ChunkedStream(
      Place place,
      ChunkSizes sizes,
      ChunkList root,
      ChunkSource pieces,
      long from,
      long end,
      @Nullable Blake3 whole) {
    if (from < 0 || end < from || end > root.sizeBytes()) {
      throw new IllegalArgumentException(
          "bytes " + from + " to " + end + " of " + root.sizeBytes());
    }
    this.place = place;
    this.sizes = sizes;
    this.root = root;
    this.pieces = pieces;
    this.position = from;
    this.end = end;
    this.whole = whole;
  }

  /// @throws StoreException.Corrupt if what is stored is not what was put
  @Override
  public int read() {
    if (!isReady()) {
      return -1;
    }
    position++;
    return chunk[chunkPosition++] & 0xff;
  }

  /// @throws StoreException.Corrupt if what is stored is not what was put
  @Override
  public int read(byte[] bytes, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (length == 0) {
      return 0;
    }
    if (!isReady()) {
      return -1;
    }
    int size = Math.min(length, available());
    System.arraycopy(chunk, chunkPosition, bytes, offset, size);
    position += size;
    chunkPosition += size;
    return size;
  }

  /// Reads the whole blob that a root list from elsewhere stands for.
  ///
  /// @return the size of the blob in bytes
  /// @throws StoreException.Invalid if the list stands for no blob of this name
  public static long verify(BlobHash hash, byte[] rootList, ChunkSizes sizes, ChunkSource pieces) {
    ChunkList root = ChunkList.root(rootList, sizes);
    Place place = new Place(hash, "root list", 0);
    try (ChunkedStream stream =
        new ChunkedStream(place, sizes, root, pieces, 0, root.sizeBytes())) {
      stream.drain();
    } catch (StoreException.Corrupt e) {
      if (e.file().equals(place.file())) {
        throw new StoreException.Invalid("root list", String.valueOf(e.getMessage()));
      }
      throw e;
    }
    return root.sizeBytes();
  }

  /// Reads to the end for the verification alone.
  public void drain() {
    while (isReady()) {
      position += available();
      chunkPosition = chunk.length;
    }
  }

  @Override
  public void close() {
    chunk = new byte[0]; // the memory; a closed stream may be read on
    chunkPosition = 0;
  }

  /// The number of bytes left of the present chunk.
  @Override
  public int available() {
    return (int) Math.min(chunk.length - chunkPosition, end - position);
  }

  /// Sees to it that there is a byte to give, unless the end is reached.
  private boolean isReady() {
    if (position >= end) {
      return false;
    }
    if (chunkPosition == chunk.length) {
      load();
    }
    return true;
  }

  private void load() {
    int index = root.at(position);
    ChunkList chunks = list;
    if (chunks == null || listIndex != index) {
      chunks = list(index);
      list = chunks;
      listIndex = index;
    }
    long within = position - root.start(index);
    int at = chunks.at(within);
    BlobHash hash = chunks.hash(at);
    byte[] loaded = piece(hash, "chunk", (int) chunks.chunkBytes(at)).unsafeArray();
    if (loaded.length != chunks.chunkBytes(at)) {
      throw place.corrupt(
          "chunk " + hash + " of " + chunks.chunkBytes(at) + " bytes", loaded.length + " bytes");
    }
    if (chunks.lineFeed(at)) {
      loaded = Arrays.copyOf(loaded, loaded.length + 1);
      loaded[loaded.length - 1] = '\n';
    }
    if (whole != null) {
      verify(whole, loaded);
    }
    chunk = loaded;
    chunkPosition = (int) (within - chunks.start(at));
  }

  private void verify(Blake3 hasher, byte[] loaded) {
    hasher.update(loaded);
    // At least: who asks again after a refusal has the last chunk loaded again, and is refused
    // again.
    if (hasher.sizeBytes() >= root.sizeBytes() && !hasher.digest().equals(place.blob())) {
      throw place.corrupt(
          "chunks with the hash " + place.blob(), "chunks with the hash " + hasher.digest());
    }
  }

  private ChunkList list(int index) {
    BlobHash hash = root.hash(index);
    ChunkList found;
    try {
      byte[] bytes = piece(hash, "list", ChunkList.bytesMax(sizes)).unsafeArray();
      found = ChunkList.chunks(bytes, sizes);
    } catch (StoreException.Invalid e) {
      throw place.corrupt("list " + hash, String.valueOf(e.getMessage()));
    }
    if (found.sizeBytes() != root.length(index)) {
      throw place.corrupt(
          "list " + hash + " of " + root.length(index) + " bytes", found.sizeBytes() + " bytes");
    }
    return found;
  }

  private Payload piece(BlobHash hash, String kind, int bytesMax) {
    try {
      return pieces.get(hash, bytesMax);
    } catch (StoreException.NotFound | StoreException.Invalid e) {
      throw place.corrupt(
          kind + " " + hash + " of blob " + place.blob(), String.valueOf(e.getMessage()));
    }
  }
}
