// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import dev.varve.StoreException;
import dev.varve.server.limits.MemoryBudget;
import dev.varve.server.limits.PeerTimeouts;
import dev.varve.server.limits.ReceiveBuffer;
import dev.varve.wire.Frame;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/// Reads frames from a peer that may be slow or declare wrong lengths. For one thread; [#isLate]
/// for any thread.
///
/// No memory is taken for a declared length ([ReceiveBuffer]).
final class FrameSource {

  /// Large enough to read a frame of 10 KB with one system call. An idle connection keeps this
  /// buffer.
  private static final int BUFFER_BYTES = 16 << 10;

  private final InputStream in;
  private final BinaryLimits limits;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int start;
  private int end;
  private volatile long deadlineNanos;
  private volatile boolean waiting;

  FrameSource(InputStream in, BinaryLimits limits) {
    this.in = in;
    this.limits = limits;
    this.deadlineNanos = System.nanoTime() + limits.timeouts().first().toNanos();
  }

  /// Returns whether the peer has kept the reader waiting for too long.
  boolean isLate(long nowNanos) {
    return waiting && nowNanos - deadlineNanos > 0;
  }

  /// The next header; null if the peer has ended the connection, between frames or within a header.
  Frame.@Nullable Header header() throws IOException {
    if (start == end && !fill()) {
      return null;
    }
    deadlineNanos = System.nanoTime() + limits.timeouts().header().toNanos();
    while (end - start < Frame.HEADER_BYTES) {
      if (!fill()) {
        return null;
      }
    }
    Frame.Header header = Frame.Header.read(buffer, start);
    start += Frame.HEADER_BYTES;
    return header;
  }

  /// The payload that belongs to a header.
  FramePayload body(int length, MemoryBudget.Lease lease) throws IOException {
    awaitBody(length);
    int there = Math.min(length, end - start);
    ReceiveBuffer intake = new ReceiveBuffer(lease, buffer, start, there);
    start += there;
    try {
      if (!intake.fill(this::read, length)) {
        throw new IOException("the peer left within a frame");
      }
    } catch (StoreException.Busy e) {
      return new FramePayload(null, length - intake.taken(), e);
    }
    awaitNext();
    return new FramePayload(intake.bytes(), 0, null);
  }

  /// A payload, or the reason for its absence and the number of bytes that are still to be skipped.
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record FramePayload(
      byte @Nullable [] payload, long unread, StoreException.@Nullable Busy refusal) {}

  /// Skips bytes.
  ///
  /// @return false if the peer disconnected
  boolean skip(long bytes) throws IOException {
    awaitBody(bytes);
    long left = bytes;
    while (left > 0) {
      if (start == end && !fill()) {
        return false;
      }
      int step = (int) Math.min(left, end - start);
      start += step;
      left -= step;
    }
    awaitNext();
    return true;
  }

  private int read(byte[] into, int offset, int length) throws IOException {
    waiting = true;
    try {
      return in.read(into, offset, length);
    } finally {
      waiting = false;
    }
  }

  private void awaitBody(long length) {
    deadlineNanos =
        System.nanoTime() + limits.timeouts().body().toNanos() + PeerTimeouts.nanosFor(length);
  }

  private void awaitNext() {
    deadlineNanos = System.nanoTime() + limits.timeouts().idle().toNanos();
  }

  private boolean fill() throws IOException {
    if (start == end) {
      start = 0;
      end = 0;
    } else if (end == buffer.length) {
      System.arraycopy(buffer, start, buffer, 0, end - start);
      end -= start;
      start = 0;
    }
    int read = read(buffer, end, buffer.length - end);
    if (read < 0) {
      return false;
    }
    end += read;
    return true;
  }
}
