// SPDX-License-Identifier: Apache-2.0
package dev.varve.cxdb;

import dev.varve.BlobHash;
import java.nio.ByteBuffer;

/// A record of `turns.log`.
///
/// @param createdAtMs milliseconds since 1970
record CxdbTurn(long id, long parent, long depth, int codec, BlobHash payload, long createdAtMs) {

  static final int SIZE_BYTES = 80;

  static CxdbTurn read(ByteBuffer slot) {
    byte[] hash = new byte[BlobHash.SIZE_BYTES];
    slot.get(32, hash);
    return new CxdbTurn(
        slot.getLong(0),
        slot.getLong(8),
        Integer.toUnsignedLong(slot.getInt(16)),
        slot.getInt(20),
        BlobHash.of(hash),
        slot.getLong(68));
  }
}
