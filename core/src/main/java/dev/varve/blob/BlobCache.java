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
final class BlobCache {

  private static final int SHARDS = 16;

  /// What an entry costs beside its bytes, roughly.
  private static final int ENTRY_BYTES = 160;

  private final Shard[] shards = new Shard[SHARDS];

  BlobCache(long capacityBytes) {
    for (int i = 0; i < SHARDS; i++) {
      shards[i] = new Shard(capacityBytes / SHARDS);
    }
  }

  @Nullable Payload find(BlobHash hash) {
    return shard(hash).find(hash);
  }

  void put(BlobHash hash, Payload bytes) {
    shard(hash).put(hash, bytes);
  }

  private Shard shard(BlobHash hash) {
    return shards[(int) (hash.w1() & SHARDS - 1)];
  }

  private static final class Shard {
    private final long capacityBytes;
    private final LinkedHashMap<BlobHash, Payload> entries = new LinkedHashMap<>(16, 0.75f, true);
    private long sizeBytes;

    Shard(long capacityBytes) {
      this.capacityBytes = capacityBytes;
    }

    private static long cost(Payload bytes) {
      return (long) bytes.sizeBytes() + ENTRY_BYTES;
    }

    synchronized @Nullable Payload find(BlobHash hash) {
      return entries.get(hash);
    }

    synchronized void put(BlobHash hash, Payload bytes) {
      long cost = cost(bytes);
      if (cost > capacityBytes / 4 || entries.putIfAbsent(hash, bytes) != null) {
        return; // one large blob must not drive out everything else
      }
      sizeBytes += cost;
      Iterator<Map.Entry<BlobHash, Payload>> oldest = entries.entrySet().iterator();
      while (sizeBytes > capacityBytes && oldest.hasNext()) {
        sizeBytes -= cost(oldest.next().getValue());
        oldest.remove();
      }
    }
  }
}
