// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.exchange;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// Sends branches to where they are wanted: first it is asked what the target lacks, then only that
/// is sent, root first. A push that breaks off goes on with the next blob the next time.
public final class BranchPush {

  private final BlobTarget target;
  private final Consumer<OutgoingBlob> progress;

  private final Consumer<List<OutgoingBlob>> review;
  private final boolean verifying;

  /// @param progress receives each blob before it is sent
  public BranchPush(BlobTarget target, Consumer<OutgoingBlob> progress) {
    this(target, progress, _ -> {}, false);
  }

  /// @param review receives all blobs of a chain that are to be sent, before the first is. By an
  ///   exception it keeps all of them here
  /// @param verifying whether what the target says to have is read back from there, and sent again
  ///   if it is damaged
  public BranchPush(
      BlobTarget target,
      Consumer<OutgoingBlob> progress,
      Consumer<List<OutgoingBlob>> review,
      boolean verifying) {
    this.target = target;
    this.progress = progress;
    this.review = review;
    this.verifying = verifying;
  }

  /// The counts of a push.
  ///
  /// @param blobs how many there are
  public record Report(int blobs, int blobsSent, long bytesSent) {}

  /// Sends what the target lacks of `chain`. When it returns, the target has all of it.
  ///
  /// @throws StoreException.Io if the target cannot be asked, or refuses
  public Report chain(BranchChain chain) {
    int sent = 0;
    long bytes = 0;
    try {
      List<BlobHash> hashes = chain.parcels().stream().map(OutgoingBlob::hash).toList();
      Set<BlobHash> missing = new HashSet<>(target.missing(hashes));
      if (verifying) {
        for (BlobHash hash : hashes) {
          if (!missing.contains(hash) && !isReadable(hash)) {
            missing.add(hash);
          }
        }
      }
      List<OutgoingBlob> outgoing =
          chain.parcels().stream().filter(blob -> missing.contains(blob.hash())).toList();
      review.accept(outgoing);
      for (OutgoingBlob blob : outgoing) {
        progress.accept(blob);
        target.put(blob);
        sent++;
        bytes += blob.sizeBytes();
      }
    } catch (IOException e) {
      throw new StoreException.Io(target.describe(), String.valueOf(e.getMessage()), e);
    } catch (UncheckedIOException e) {
      throw new StoreException.Io(target.describe(), String.valueOf(e.getMessage()), e);
    }
    return new Report(chain.parcels().size(), sent, bytes);
  }

  /// True if the target gives the bytes of a blob. A target that breaks off in the middle of them
  /// has a copy that it cannot read; if the network broke off, sending says so.
  ///
  /// @throws IOException if the target does not answer, or refuses
  private boolean isReadable(BlobHash hash) throws IOException {
    Optional<BlobSource.Rest> rest;
    try {
      rest = target.open(hash, 0);
    } catch (StoreException.Corrupt | UnreadableCopyException e) {
      return false;
    }
    if (rest.isEmpty()) {
      return false;
    }
    try (BlobSource.Rest open = rest.get()) {
      return VerifiedCopy.hash(open.bytes()).equals(hash);
    } catch (StoreException.Corrupt | IOException e) {
      return false;
    }
  }
}
