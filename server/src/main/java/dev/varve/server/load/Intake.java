// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.load;

import dev.varve.StoreException;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Bytes that come from a peer and are kept in memory. The array grows as they come, never by what
/// is only declared, and is let go at once when its memory is needed elsewhere, even while the peer
/// is waited for.
public final class Intake {

  private static final int CHUNK_BYTES = 64 << 10;

  /// Where bytes come from.
  public interface Source {
    /// As [java.io.InputStream#read(byte[], int, int)].
    int read(byte[] into, int offset, int length) throws IOException;
  }

  private final Budget.Lease lease;
  private byte @Nullable [] bytes; // guarded by this; null once it was taken away
  private int filled;
  private int taken;
  private volatile long lastStepNanos = System.nanoTime();
  private int sinceStep;

  /// @param first what has come already; copied
  public Intake(Budget.Lease lease, byte[] first, int offset, int length) {
    this.lease = lease;
    this.bytes = Arrays.copyOfRange(first, offset, offset + length);
    this.filled = length;
    this.taken = length;
  }

  /// How many bytes have come, kept or not.
  public int taken() {
    return taken;
  }

  /// Reads until there are `most` bytes, or no more come.
  ///
  /// @return whether there are `most`
  /// @throws StoreException.Busy if there is no memory for them; those that have come are gone then
  public boolean fill(Source in, int most) throws IOException {
    byte[] chunk = new byte[Math.min(most - filled, CHUNK_BYTES)];
    lease.waits(() -> lastStepNanos, true, this::letGo);
    while (filled < most) {
      int read = in.read(chunk, 0, Math.min(chunk.length, most - filled));
      if (read < 0) {
        break;
      }
      taken += read;
      append(chunk, read, most);
    }
    lease.works();
    return filled == most;
  }

  private void append(byte[] chunk, int length, int most) {
    int needed = filled + length;
    int size = size();
    if (needed > size) {
      size = (int) Math.min(most, Math.max(needed, 2L * size));
      lease.growTo(size);
      lastStepNanos = System.nanoTime(); // waiting for memory was not the peer's fault
    }
    synchronized (this) {
      byte[] kept = bytes;
      if (kept != null) {
        bytes = kept.length < size ? Arrays.copyOf(kept, size) : kept;
        System.arraycopy(chunk, 0, bytes, filled, length);
      }
    }
    filled = needed;
    sinceStep += length;
    if (sinceStep >= Budget.STEP_BYTES) {
      sinceStep = 0;
      lastStepNanos = System.nanoTime();
    }
    if (lease.isEvicted()) {
      lease.works(); // throws
    }
  }

  private synchronized int size() {
    return bytes == null ? 0 : bytes.length;
  }

  private synchronized void letGo() {
    bytes = null;
  }

  /// What has come.
  public synchronized byte[] bytes() {
    byte[] kept = bytes;
    if (kept == null) {
      throw new AssertionError("whoever lost its memory was told so");
    }
    return kept.length == filled ? kept : Arrays.copyOf(kept, filled);
  }
}
