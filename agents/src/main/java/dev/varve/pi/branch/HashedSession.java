// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.branch;

import dev.varve.BlobHash;
import dev.varve.Payload;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The hash of a session file, and the way in which the hash was computed.
///
/// @param hash the hash of the file's first `sizeBytes` bytes, which was the whole file
/// @param bytesRead the number of bytes of the file that were read for the hash, spot hashes
///   included
/// @param way the way in which the hash was computed
/// @param endsLine whether the last byte is a line feed; if not, a program is writing or was cut
///   off
/// @param base the earlier session from which the hash was resumed, if the session grew
/// @param remarks the reasons why a state was not used or not kept, for people
public record HashedSession(
    BlobHash hash,
    long sizeBytes,
    long bytesRead,
    Way way,
    boolean endsLine,
    @Nullable Base base,
    List<String> remarks) {

  /// The session at the time of its earlier hash.
  ///
  /// @param state the state of the hasher after this session, from
  ///   [dev.varve.hash.Blake3#saveState()]
  record Base(BlobHash hash, long sizeBytes, Payload state) {}

  public HashedSession {
    remarks = List.copyOf(remarks);
  }

  /// The way in which a hash was computed.
  public enum Way {
    /// The whole file was read.
    WHOLE,
    /// Only the appended bytes were read.
    GROWN,
    /// Nothing was appended since the last time.
    UNCHANGED
  }
}
