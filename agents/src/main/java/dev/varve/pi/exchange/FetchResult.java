// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.exchange;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.pi.branch.Sidecar;
import java.util.List;

/// The result of a [BranchFetch].
///
/// @param links the branch itself first, then its parents; all are in the store with their
///   sessions. Never empty
/// @param end how the line of parents ends
/// @param blobsNew how many blobs the store did not have
/// @param bytesReceived what the source sent
public record FetchResult(List<Link> links, End end, int blobsNew, long bytesReceived) {

  public FetchResult {
    links = List.copyOf(links);
  }

  /// A branch, its sidecar, and its bytes.
  public record Link(BlobHash hash, Sidecar sidecar, Payload bytes) {}

  /// The end of a line of parents.
  public sealed interface End {

    /// With a root: nothing is missing.
    record Root() implements End {}

    /// The source does not have this blob, nor the store.
    record Missing(BlobHash blob, BlobHash ofBranch) implements End {}

    /// The source has something else, or it cannot be had.
    record Failed(BlobHash ofBranch, String why) implements End {}
  }

  /// True if every parent is in the store.
  public boolean complete() {
    return end instanceof End.Root;
  }
}
