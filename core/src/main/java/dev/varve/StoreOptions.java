// SPDX-License-Identifier: Apache-2.0
package dev.varve;

/// Options of a store on a local disk. No option changes the format of a file.
///
/// @param blobCacheBytes how many bytes of decompressed blobs to keep in memory; 0 for none
/// @param zstdLevel compression level, 1 to 19; spec 001 suggests 1 to 3
public record StoreOptions(
    Durability durability, long blobCacheBytes, int zstdLevel, StoreLimits limits) {

  /// Grouped force, a cache of 32 MiB, zstd level 1.
  public static final StoreOptions DEFAULTS =
      new StoreOptions(Durability.FORCE_GROUPED, 32L << 20, 1, StoreLimits.DEFAULTS);

  public StoreOptions {
    if (blobCacheBytes < 0 || zstdLevel < 1 || zstdLevel > 19) {
      throw new IllegalArgumentException("options: " + blobCacheBytes + ", " + zstdLevel);
    }
  }

  public StoreOptions withDurability(Durability value) {
    return new StoreOptions(value, blobCacheBytes, zstdLevel, limits);
  }

  public StoreOptions withBlobCacheBytes(long value) {
    return new StoreOptions(durability, value, zstdLevel, limits);
  }

  public StoreOptions withZstdLevel(int value) {
    return new StoreOptions(durability, blobCacheBytes, value, limits);
  }

  public StoreOptions withLimits(StoreLimits value) {
    return new StoreOptions(durability, blobCacheBytes, zstdLevel, value);
  }
}
