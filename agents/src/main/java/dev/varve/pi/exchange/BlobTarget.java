// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.exchange;

import dev.varve.BlobHash;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/// A target to which blobs are sent.
public interface BlobTarget extends BlobSource {

  /// The hashes of `hashes` whose blobs the target lacks.
  Set<BlobHash> missing(List<BlobHash> hashes) throws IOException;

  /// Gives it a blob. When it returns, the target has it and has verified it.
  void put(OutgoingBlob parcel) throws IOException;
}
