// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.exchange;

import dev.varve.BlobHash;
import java.io.IOException;
import java.io.InputStream;

/// A blob that is about to be sent.
///
/// @param contents opens it, each time from its first byte
public record OutgoingBlob(BlobHash hash, long sizeBytes, Contents contents) {

  /// The bytes of a blob.
  @FunctionalInterface
  public interface Contents {
    InputStream open() throws IOException;
  }
}
