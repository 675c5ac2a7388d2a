// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.exchange;

import dev.varve.BlobHash;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/// A source of blobs. The caller verifies the bytes that a source returns.
public interface BlobSource extends AutoCloseable {

  /// The bytes of a blob from `offset` on, or from an earlier one: all of them, as a source can.
  ///
  /// @return empty if it does not have the blob
  /// @throws IOException if it cannot be asked, or refuses to answer
  Optional<Rest> open(BlobHash hash, long offset) throws IOException;

  /// Names it in messages.
  String describe();

  @Override
  void close();

  /// The bytes of a blob from somewhere on.
  ///
  /// @param offset where they begin
  record Rest(InputStream bytes, long offset) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      bytes.close();
    }
  }
}
