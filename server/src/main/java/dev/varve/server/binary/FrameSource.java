// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import dev.varve.StoreException;
import dev.varve.wire.Frame;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads frames from a peer that may be slow, or lie about lengths. For one thread; [#isLate] for any.
///
/// No memory is taken for a length that is only declared: a large payload's array grows as its bytes come.
final class FrameSource {

  private static final int BUFFER_BYTES = 8 << 10;

  /// A slower peer than this is too slow; see [BinaryLimits#body()].
  private static final int BODY_BYTES_PER_SECOND = 64 << 10;

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
    this.deadlineNanos = System.nanoTime() + limits.firstFrame().toNanos();
  }

  /// Whether the peer has kept the reader waiting for too long.
  boolean isLate(long nowNanos) {
    return waiting && nowNanos - deadlineNanos > 0;
  }

  /// The next header; null if the peer has ended the connection, between frames or within a header.
  Frame.@Nullable Header header() throws IOException {
    if (start == end && !fill()) {
      return null;
    }
    deadlineNanos = System.nanoTime() + limits.header().toNanos();
    while (end - start < Frame.HEADER_BYTES) {
      if (!fill()) {
        return null;
      }
    }
    Frame.Header header = Frame.Header.read(buffer, start);
    start += Frame.HEADER_BYTES;
    return header;
  }

  /// The payload that the header told of.
  ///
  /// @throws StoreException.Busy if there is no memory for it; what was not read of it must be skipped
  Body body(int length, Budget.Lease lease) throws IOException {
    awaitBody(length);
    byte[] payload = new byte[Math.min(length, Budget.FREE_BYTES)];
    int filled = Math.min(length, end - start);
    if (filled > payload.length) {
      payload = new byte[filled]; // never more than the buffer
    }
    System.arraycopy(buffer, start, payload, 0, filled);
    start += filled;
    while (filled < length) {
      if (filled == payload.length) {
        int grown = (int) Math.min(length, 2L * payload.length);
        long asked = System.nanoTime();
        try {
          lease.growTo(grown);
        } catch (StoreException.Busy e) {
          return new Body(null, length - filled, e);
        }
        long extended = deadlineNanos + System.nanoTime() - asked; // that was not the peer's fault
        deadlineNanos = extended;
        payload = Arrays.copyOf(payload, grown);
      }
      int read = read(payload, filled, payload.length - filled);
      if (read < 0) {
        throw new IOException("the peer left within a frame");
      }
      filled += read;
    }
    awaitNext();
    return new Body(payload, 0, null);
  }

  /// A payload, or why there is none and how much of it is still to be skipped.
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Body(byte @Nullable [] payload, long unread, StoreException.@Nullable Busy refusal) {}

  /// Reads over what is not wanted.
  ///
  /// @return false if the peer left
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
        System.nanoTime()
            + limits.body().toNanos()
            + length * (1_000_000_000L / BODY_BYTES_PER_SECOND);
  }

  private void awaitNext() {
    deadlineNanos = System.nanoTime() + limits.idle().toNanos();
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
