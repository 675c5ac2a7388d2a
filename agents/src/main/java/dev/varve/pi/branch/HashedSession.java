// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.branch;

import dev.varve.BlobHash;
import dev.varve.Payload;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The hash of a session file, and how it was come by.
///
/// @param hash of the file's first `sizeBytes` bytes, all there were
/// @param bytesRead how many bytes of the file were read for it, guards included
/// @param way how
/// @param endsLine whether the last byte is a line feed; if not, somebody is writing, or was
/// @param base what was resumed from, if the session grew
/// @param remarks why a state was not used or not kept; for people
public record HashedSession(
    BlobHash hash,
    long sizeBytes,
    long bytesRead,
    Way way,
    boolean endsLine,
    @Nullable Base base,
    List<String> remarks) {

  /// The session as it was when it was hashed before.
  ///
  /// @param state of the hasher after it, from [dev.varve.hash.Blake3#saveState()]
  record Base(BlobHash hash, long sizeBytes, Payload state) {}

  public HashedSession {
    remarks = List.copyOf(remarks);
  }

  /// The way in which a hash was found.
  public enum Way {
    /// From the first byte to the last.
    WHOLE,
    /// From where the last time ended.
    GROWN,
    /// Nothing was appended since last time.
    UNCHANGED
  }
}
