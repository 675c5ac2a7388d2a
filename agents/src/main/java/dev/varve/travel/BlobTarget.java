// SPDX-License-Identifier: Apache-2.0
package dev.varve.travel;

import dev.varve.BlobHash;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/// Where blobs are sent.
public interface BlobTarget extends AutoCloseable {

  /// Those of `hashes` that it does not have.
  Set<BlobHash> missing(List<BlobHash> hashes) throws IOException;

  /// Gives it a blob. When it returns, the target has it and has verified it.
  void put(Parcel parcel) throws IOException;

  /// Names it in messages.
  String describe();

  @Override
  void close();
}
