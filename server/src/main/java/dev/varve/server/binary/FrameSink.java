// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import dev.varve.server.load.Budget;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.concurrent.locks.ReentrantLock;

/// Writes whole frames to a peer, one at a time. For any number of threads, which wait for the
/// peer: nothing is queued.
final class FrameSink {

  private static final int STEP_BYTES = Budget.STEP_BYTES;

  private final Socket socket;
  private final OutputStream out;
  private final long patienceNanos;
  private final ReentrantLock writing = new ReentrantLock(); // one frame at a time
  private volatile long deadlineNanos;
  private volatile long lastStepNanos = System.nanoTime();
  private volatile boolean busy;
  private boolean ended; // guarded by writing

  FrameSink(Socket socket, BinaryLimits limits) throws IOException {
    this.socket = socket;
    this.out = socket.getOutputStream();
    this.patienceNanos = limits.write().toNanos();
  }

  /// Whether the peer has taken nothing for too long.
  boolean isLate(long nowNanos) {
    return busy && nowNanos - deadlineNanos > 0;
  }

  /// When the peer last took as much as it must lest it give way to others, or was first asked to.
  long lastStepNanos() {
    return lastStepNanos;
  }

  /// Tells the peer that nothing more comes. What is written from then on is dropped.
  void end() throws IOException {
    writing.lock();
    try {
      ended = true;
      socket.shutdownOutput();
    } finally {
      writing.unlock();
    }
  }

  /// Writes the first `length` bytes of `frame`. In steps, because each that the peer took gives it
  /// new patience.
  void write(byte[] frame, int length) throws IOException {
    writing.lock();
    try {
      if (ended) {
        return;
      }
      deadlineNanos = System.nanoTime() + patienceNanos;
      lastStepNanos = System.nanoTime();
      busy = true;
      for (int at = 0; at < length; ) {
        int step = Math.min(STEP_BYTES, length - at);
        out.write(frame, at, step);
        at += step;
        lastStepNanos = System.nanoTime();
        deadlineNanos = lastStepNanos + patienceNanos;
      }
    } finally {
      busy = false;
      writing.unlock();
    }
  }
}
