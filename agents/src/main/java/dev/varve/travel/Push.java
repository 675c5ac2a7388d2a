// SPDX-License-Identifier: Apache-2.0
package dev.varve.travel;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// Sends branches to where they are wanted: first it is asked what the target lacks, then only that
/// is sent, root first. A push that breaks off goes on with the next blob the next time.
public final class Push {

  private final BlobTarget target;
  private final Consumer<Parcel> progress;

  /// @param progress is told each blob before it is sent
  public Push(BlobTarget target, Consumer<Parcel> progress) {
    this.target = target;
    this.progress = progress;
  }

  /// What was sent.
  ///
  /// @param blobs how many there are
  public record Report(int blobs, int blobsSent, long bytesSent) {}

  /// Sends what the target lacks of `chain`. When it returns, the target has all of it.
  ///
  /// @throws StoreException.Io if the target cannot be asked, or refuses
  public Report chain(Chain chain) {
    int sent = 0;
    long bytes = 0;
    try {
      List<BlobHash> hashes = chain.parcels().stream().map(Parcel::hash).toList();
      Set<BlobHash> missing = target.missing(hashes);
      for (Parcel parcel : chain.parcels()) {
        if (missing.contains(parcel.hash())) {
          progress.accept(parcel);
          target.put(parcel);
          sent++;
          bytes += parcel.sizeBytes();
        }
      }
    } catch (IOException e) {
      throw new StoreException.Io(target.describe(), String.valueOf(e.getMessage()), e);
    } catch (UncheckedIOException e) {
      throw new StoreException.Io(target.describe(), String.valueOf(e.getMessage()), e);
    }
    return new Report(chain.parcels().size(), sent, bytes);
  }
}
