// SPDX-License-Identifier: Apache-2.0
package dev.varve.blob;

import dev.varve.BlobHash;
import dev.varve.Payload;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The most recently used blobs, decompressed and verified, up to a number of bytes (spec 001, *LRU
/// of decompressed blobs*).
///
/// Split by hash into shards, each an access-ordered map under its own lock, held for one look-up.
/// A quarter of the bytes is for blobs that are too large for a shard, so that a few of these are
/// kept and never drive out the many small ones.
final class BlobCache {

  private static final int SHARDS = 16;

  /// The approximate memory of an entry beside its bytes.
  private static final int ENTRY_BYTES = 160;

  private final Shard[] shards = new Shard[SHARDS];
  private final Shard large;

  BlobCache(long capacityBytes) {
    long largeBytes = capacityBytes / 4;
    large = new Shard(largeBytes, largeBytes / 2);
    long shardBytes = (capacityBytes - largeBytes) / SHARDS;
    for (int i = 0; i < SHARDS; i++) {
      shards[i] = new Shard(shardBytes, shardBytes / 4);
    }
  }

  @Nullable Payload find(BlobHash hash) {
    Payload found = shard(hash).find(hash);
    return found == null ? large.find(hash) : found;
  }

  void put(BlobHash hash, Payload bytes) {
    if (!shard(hash).put(hash, bytes)) {
      boolean _ = large.put(hash, bytes);
    }
  }

  private Shard shard(BlobHash hash) {
    return shards[(int) (hash.w1() & SHARDS - 1)];
  }

  private static final class Shard {
    private final long capacityBytes;
    private final long blobBytesMax;
    private final LinkedHashMap<BlobHash, Payload> entries = new LinkedHashMap<>(16, 0.75f, true);
    private long sizeBytes;

    /// @param blobBytesMax a larger blob must not drive out everything else
    Shard(long capacityBytes, long blobBytesMax) {
      this.capacityBytes = capacityBytes;
      this.blobBytesMax = blobBytesMax;
    }

    private static long cost(Payload bytes) {
      return (long) bytes.sizeBytes() + ENTRY_BYTES;
    }

    synchronized @Nullable Payload find(BlobHash hash) {
      return entries.get(hash);
    }

    /// @return whether the blob is kept
    synchronized boolean put(BlobHash hash, Payload bytes) {
      long cost = cost(bytes);
      if (cost > blobBytesMax) {
        return false;
      }
      if (entries.putIfAbsent(hash, bytes) != null) {
        return true;
      }
      sizeBytes += cost;
      Iterator<Map.Entry<BlobHash, Payload>> oldest = entries.entrySet().iterator();
      while (sizeBytes > capacityBytes && oldest.hasNext()) {
        sizeBytes -= cost(oldest.next().getValue());
        oldest.remove();
      }
      return true;
    }
  }
}
