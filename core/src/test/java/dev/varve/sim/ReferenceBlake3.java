// SPDX-License-Identifier: Apache-2.0
package dev.varve.sim;

import dev.varve.BlobHash;
import dev.varve.Payload;
import org.bouncycastle.crypto.digests.Blake3Digest;

/// BLAKE3 by somebody else, so that a fault in ours is not compared with itself.
public final class ReferenceBlake3 {

  private ReferenceBlake3() {}

  public static BlobHash hash(Payload bytes) {
    Blake3Digest digest = new Blake3Digest(BlobHash.SIZE_BYTES);
    digest.update(bytes.unsafeArray(), 0, bytes.sizeBytes());
    byte[] hash = new byte[BlobHash.SIZE_BYTES];
    digest.doFinal(hash, 0);
    return BlobHash.of(hash);
  }
}
