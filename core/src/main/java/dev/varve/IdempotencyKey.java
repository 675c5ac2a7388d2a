// SPDX-License-Identifier: Apache-2.0
package dev.varve;

/// A writer's name for one append, so that a retry does not append twice.
///
/// Scoped to a context and kept for ever with the turn. The same key with the same type, encoding
/// and content answers the first turn; the same key with other content is a
/// [StoreException.Conflict]; the same content under another key is a new turn. Any bytes, from 1
/// to 1,024 of them.
public record IdempotencyKey(Payload bytes) {

  /// The longest key.
  public static final int SIZE_BYTES_MAX = 1024;

  public IdempotencyKey {
    if (bytes.sizeBytes() == 0) {
      throw new StoreException.Invalid("idempotency key", "expected at least one byte");
    }
    if (bytes.sizeBytes() > SIZE_BYTES_MAX) {
      throw new StoreException.TooLarge("idempotency key", bytes.sizeBytes(), SIZE_BYTES_MAX);
    }
  }

  public static IdempotencyKey of(String key) {
    return new IdempotencyKey(Payload.utf8(key));
  }

  public static IdempotencyKey of(byte[] key) {
    return new IdempotencyKey(Payload.of(key));
  }
}
