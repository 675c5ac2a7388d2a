// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.limits;

import dev.varve.StoreException;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A buffer for bytes that arrive from a peer. The array grows with the bytes that arrived and
/// never with a declared length. It is released at once when its memory is needed elsewhere, even
/// while the peer is waited for.
public final class ReceiveBuffer {

  private static final int CHUNK_BYTES = 64 << 10;

  /// A source of bytes.
  public interface ByteSource {
    /// As [java.io.InputStream#read(byte[], int, int)].
    int read(byte[] into, int offset, int length) throws IOException;
  }

  private final MemoryBudget.Lease lease;
  private byte @Nullable [] bytes; // guarded by this; null once it was taken away
  private int filled;
  private int taken;
  private volatile long lastStepNanos = System.nanoTime();
  private int sinceStep;

  /// @param first bytes that have arrived already; copied
  public ReceiveBuffer(MemoryBudget.Lease lease, byte[] first, int offset, int length) {
    this.lease = lease;
    this.bytes = Arrays.copyOfRange(first, offset, offset + length);
    this.filled = length;
    this.taken = length;
  }

  /// The number of bytes that have arrived, whether or not they were kept.
  public int taken() {
    return taken;
  }

  /// Reads until the buffer holds `most` bytes, or the source ends.
  ///
  /// @return whether the buffer holds `most` bytes
  /// @throws StoreException.Busy if there is no memory; the bytes that have arrived are then lost
  public boolean fill(ByteSource in, int most) throws IOException {
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
      lastStepNanos = System.nanoTime(); // the peer is not to blame for the wait
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
    if (sinceStep >= MemoryBudget.STEP_BYTES) {
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

  /// The bytes that have arrived.
  public synchronized byte[] bytes() {
    byte[] kept = bytes;
    if (kept == null) {
      throw new AssertionError("a lease that lost its memory was in use");
    }
    return kept.length == filled ? kept : Arrays.copyOf(kept, filled);
  }
}
