// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import dev.varve.StoreException;
import dev.varve.server.load.Budget;
import dev.varve.server.load.Intake;
import dev.varve.wire.Frame;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/// Reads frames from a peer that may be slow, or lie about lengths. For one thread; [#isLate] for
/// any.
///
/// No memory is taken for a length that is only declared ([Intake]).
final class FrameSource {

  /// So that a frame of 10 KB comes with one call to the system. An idle connection keeps it.
  private static final int BUFFER_BYTES = 16 << 10;

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
  Body body(int length, Budget.Lease lease) throws IOException {
    awaitBody(length);
    int there = Math.min(length, end - start);
    Intake intake = new Intake(lease, buffer, start, there);
    start += there;
    try {
      if (!intake.fill(this::read, length)) {
        throw new IOException("the peer left within a frame");
      }
    } catch (StoreException.Busy e) {
      return new Body(null, length - intake.taken(), e);
    }
    awaitNext();
    return new Body(intake.bytes(), 0, null);
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
