// SPDX-License-Identifier: Apache-2.0
package dev.varve;

/// Bounds on what a caller may ask for, checked before memory is taken.
///
/// @param payloadBytes the largest payload, and the largest blob that is put or got at once
/// @param pageTurns the most turns in one page
/// @param types the most different declared types in one store
public record StoreLimits(int payloadBytes, int pageTurns, int types) {

  /// The most bytes of any blob, however it is put: what a record's 32-bit length can say. One over
  /// `payloadBytes` is read and written as a stream only.
  public static final long BLOB_BYTES = (1L << 32) - 1;

  /// 256 MiB a payload, 100,000 turns a page, 100,000 types.
  public static final StoreLimits DEFAULTS = new StoreLimits(256 << 20, 100_000, 100_000);

  public StoreLimits {
    if (payloadBytes < 0 || pageTurns < 1 || types < 1) {
      throw new IllegalArgumentException(
          "limits: " + payloadBytes + ", " + pageTurns + ", " + types);
    }
  }

  /// Refuses a payload of `sizeBytes` if it is over the bound.
  public void checkPayload(long sizeBytes) {
    if (sizeBytes > payloadBytes) {
      throw new StoreException.TooLarge("payload", sizeBytes, payloadBytes);
    }
  }

  /// Refuses a page of `turns` turns if that is negative or over the bound.
  public void checkPage(int turns) {
    if (turns < 0) {
      throw new StoreException.Invalid("limit", "expected 0 or more, found " + turns);
    }
    if (turns > pageTurns) {
      throw new StoreException.TooLarge("limit", turns, pageTurns);
    }
  }
}
