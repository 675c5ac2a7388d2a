// SPDX-License-Identifier: Apache-2.0
package dev.varve.turn;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.IdempotencyKey;
import dev.varve.hash.Blake3;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// The name under which a turn is found by its idempotency key: BLAKE3 of the context's number (8
/// bytes, little-endian) and the key.
///
/// Page: `docs/format/turns-meta.md`.
public final class KeyHash {

  private KeyHash() {}

  public static BlobHash of(ContextId context, IdempotencyKey key) {
    byte[] bytes = key.bytes().unsafeArray();
    ByteBuffer scoped = ByteBuffer.allocate(8 + bytes.length).order(ByteOrder.LITTLE_ENDIAN);
    scoped.putLong(context.value()).put(bytes);
    return Blake3.hash(scoped.array());
  }
}
