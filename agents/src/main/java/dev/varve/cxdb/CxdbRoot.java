// SPDX-License-Identifier: Apache-2.0
package dev.varve.cxdb;

import dev.varve.BlobHash;
import java.nio.ByteBuffer;

/// A record of `fs/roots.idx`: the file tree of a turn.
record CxdbRoot(long turn, BlobHash root) {

  static final int SIZE_BYTES = 44;

  static CxdbRoot read(ByteBuffer slot) {
    byte[] hash = new byte[BlobHash.SIZE_BYTES];
    slot.get(8, hash);
    return new CxdbRoot(slot.getLong(0), BlobHash.of(hash));
  }
}
