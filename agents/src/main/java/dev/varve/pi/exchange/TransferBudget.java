// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.exchange;

import dev.varve.StoreException;
import dev.varve.StoreLimits;
import java.time.Instant;
import java.time.InstantSource;

/// The bounds on what a source may send for one branch: parents, bytes and time.
public final class TransferBudget {

  /// The longest line of parents.
  public static final int DEPTH_MAX = 10_000;

  private final long bytesMax;
  private final Instant deadline;
  private final InstantSource clock;
  private final int depthMax;
  private long bytes;
  private int branches;

  /// @param bytesMax of all blobs together
  public TransferBudget(long bytesMax, Instant deadline, InstantSource clock) {
    this(bytesMax, deadline, clock, DEPTH_MAX);
  }

  TransferBudget(long bytesMax, Instant deadline, InstantSource clock, int depthMax) {
    this.depthMax = depthMax;
    this.bytesMax = bytesMax;
    this.deadline = deadline;
    this.clock = clock;
  }

  /// One more branch of the line.
  ///
  /// @throws StoreException.TooLarge if the line is too long
  void branch() {
    branches++;
    if (branches > depthMax) {
      throw new StoreException.TooLarge("line of parents", branches, depthMax);
    }
  }

  /// Some bytes more.
  ///
  /// @param ofBlob how many this blob has by now
  /// @throws StoreException.TooLarge if there are too many, or it takes too long
  void spend(int more, long ofBlob) {
    bytes += more;
    if (ofBlob > StoreLimits.BLOB_BYTES) {
      throw new StoreException.TooLarge("blob", ofBlob, StoreLimits.BLOB_BYTES);
    }
    if (bytes > bytesMax) {
      throw new StoreException.TooLarge("bytes received", bytes, bytesMax);
    }
    Instant now = clock.instant();
    if (now.isAfter(deadline)) {
      long late = now.getEpochSecond() - deadline.getEpochSecond();
      throw new StoreException.TooLarge("seconds beyond the time it may take", late, 0);
    }
  }

  /// The number of bytes that were received.
  public long bytes() {
    return bytes;
  }
}
