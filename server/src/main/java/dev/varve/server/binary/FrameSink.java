// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import dev.varve.server.limits.MemoryBudget;
import dev.varve.socket.PeerStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.locks.ReentrantLock;

/// Writes whole frames to a peer, one at a time. For any number of threads, which wait for the
/// peer: nothing is queued.
final class FrameSink {

  private static final int STEP_BYTES = MemoryBudget.STEP_BYTES;

  private final PeerStream stream;
  private final OutputStream out;
  private final long timeoutNanos;
  private final ReentrantLock writing = new ReentrantLock(); // one frame at a time
  private volatile long deadlineNanos;
  private volatile long lastStepNanos = System.nanoTime();
  private volatile boolean busy;
  private boolean ended; // guarded by writing

  FrameSink(PeerStream stream, BinaryLimits limits) {
    this.stream = stream;
    this.out = stream.out();
    this.timeoutNanos = limits.timeouts().write().toNanos();
  }

  /// Returns whether the peer has read nothing for too long.
  boolean isLate(long nowNanos) {
    return busy && nowNanos - deadlineNanos > 0;
  }

  /// When the peer last read enough to keep its memory, or when it was first asked to.
  long lastStepNanos() {
    return lastStepNanos;
  }

  /// Tells the peer that nothing follows. Later frames are dropped.
  void end() throws IOException {
    writing.lock();
    try {
      ended = true;
      stream.endOutput();
    } finally {
      writing.unlock();
    }
  }

  /// Writes the first `length` bytes of `frame`, in steps, because each step that the peer reads
  /// starts its timeout again.
  void write(byte[] frame, int length) throws IOException {
    writing.lock();
    try {
      if (ended) {
        return;
      }
      deadlineNanos = System.nanoTime() + timeoutNanos;
      lastStepNanos = System.nanoTime();
      busy = true;
      for (int at = 0; at < length; ) {
        int step = Math.min(STEP_BYTES, length - at);
        out.write(frame, at, step);
        at += step;
        lastStepNanos = System.nanoTime();
        deadlineNanos = lastStepNanos + timeoutNanos;
      }
    } finally {
      busy = false;
      writing.unlock();
    }
  }
}
