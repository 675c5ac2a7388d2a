// SPDX-License-Identifier: Apache-2.0
package dev.varve.database;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import dev.varve.chunk.ChunkSizes;
import dev.varve.erasure.SurveyedBlobs;
import java.util.BitSet;
import java.util.function.LongConsumer;

/// The names and sizes of all blobs of a database, in the order of their hashes. Some 50 bytes of
/// memory for each; contents are read when they are asked for.
public abstract class NameSurvey implements SurveyedBlobs {

  /// The most rows of a table that memory has places for.
  private static final int ROWS_MAX = Integer.MAX_VALUE / 4;

  /// Four words for each hash, each so that their numeric order is that of the bytes.
  private final long[] words;

  private final long[] rawBytes;
  private final long[] ends;
  private final BitSet chunked = new BitSet();
  private int added;

  /// @param count blobs that are added before anything is asked
  protected NameSurvey(int count) {
    this.words = new long[Math.multiplyExact(4, count)];
    this.rawBytes = new long[count];
    this.ends = new long[count];
  }

  /// The number of rows to survey.
  ///
  /// @throws StoreException.TooLarge if there are more than memory can have places for
  public static int places(String table, long rows) {
    if (rows > ROWS_MAX) {
      throw new StoreException.TooLarge("rows of table " + table + " to survey", rows, ROWS_MAX);
    }
    return (int) rows;
  }

  /// Adds the blob with the next greater hash.
  ///
  /// @param storedBytes size of the blob as it is stored; of a blob in chunks, of its root list
  protected final void add(BlobHash hash, long rawBytes, long storedBytes, boolean chunked) {
    int at = added++;
    words[4 * at] = Long.reverseBytes(hash.w0());
    words[4 * at + 1] = Long.reverseBytes(hash.w1());
    words[4 * at + 2] = Long.reverseBytes(hash.w2());
    words[4 * at + 3] = Long.reverseBytes(hash.w3());
    this.rawBytes[at] = rawBytes;
    this.chunked.set(at, chunked);
    ends[at] = (at == 0 ? 0 : ends[at - 1]) + storedBytes;
  }

  @Override
  public final int blobCount() {
    return rawBytes.length;
  }

  @Override
  public final long endBytes() {
    return ends.length == 0 ? 0 : ends[ends.length - 1];
  }

  @Override
  public final ChunkSizes chunkSizes() {
    return DatabaseBlobs.SIZES;
  }

  protected final BlobHash hash(int ordinal) {
    return new BlobHash(
        Long.reverseBytes(words[4 * ordinal]),
        Long.reverseBytes(words[4 * ordinal + 1]),
        Long.reverseBytes(words[4 * ordinal + 2]),
        Long.reverseBytes(words[4 * ordinal + 3]));
  }

  @Override
  public final Blob blob(int ordinal) {
    long offset = ordinal == 0 ? 0 : ends[ordinal - 1];
    return new Blob(
        hash(ordinal), offset, rawBytes[ordinal], ends[ordinal] - offset, chunked.get(ordinal));
  }

  @Override
  public final boolean isLive(int ordinal) {
    return true;
  }

  @Override
  public final int ordinal(BlobHash hash) {
    long[] wanted = {
      Long.reverseBytes(hash.w0()),
      Long.reverseBytes(hash.w1()),
      Long.reverseBytes(hash.w2()),
      Long.reverseBytes(hash.w3())
    };
    int low = 0;
    int high = blobCount() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = compare(4 * middle, wanted);
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1;
  }

  private int compare(int at, long[] wanted) {
    for (int i = 0; i < wanted.length; i++) {
      int order = Long.compareUnsigned(words[at + i], wanted[i]);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  /// The verified content of a row; of a blob that is kept as chunks its root list.
  ///
  /// @throws StoreException.Corrupt if the row is damaged
  protected static byte[] content(EncodedBlob row) {
    if (row.isChunked()) {
      DatabaseBlobs.root(row); // refuses damage
      return row.data();
    }
    return row.content(DatabaseBlobs.SIZES.maxBytes()).unsafeArray();
  }

  @Override
  public final void requireWhole(LongConsumer reached) {
    BitSet all = new BitSet();
    all.set(0, blobCount());
    contents(all, (ordinal, _) -> reached.accept(ends[ordinal]));
  }

  @Override
  public final StoreException.Corrupt corrupt(int ordinal, String expected, String found) {
    return new StoreException.Corrupt("table blob, row " + hash(ordinal), 0, expected, found);
  }
}
