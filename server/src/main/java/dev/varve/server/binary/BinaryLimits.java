// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import dev.varve.server.limits.PeerTimeouts;
import dev.varve.wire.Frame;
import java.time.Duration;

/// Bounds on what the peers of the binary port can cost.
///
/// @param frameBytes the largest payload of a frame, in both directions
/// @param drainBytes a frame above `frameBytes` and up to this size is skipped and refused, and its
///   connection stays open; a larger frame ends the connection
/// @param connections the most open connections; a further connection gets an error and is closed
/// @param inFlight the most requests of one connection that are processed at once; further ones
///   stay unread
/// @param bufferBytes the memory that all requests and answers above 16 KiB may take together
/// @param pageTurns the most turns in one answer to GET_LAST and similar messages
/// @param bufferWait how long a request waits for such memory before it is refused
/// @param timeouts how long a peer may be slow or silent
/// @param shutdown how long an orderly end waits for accepted requests
public record BinaryLimits(
    int frameBytes,
    int drainBytes,
    int connections,
    int inFlight,
    long bufferBytes,
    int pageTurns,
    Duration bufferWait,
    PeerTimeouts timeouts,
    Duration shutdown) {

  /// 64 MiB a frame, 1,024 connections, 32 requests in flight on each, a quarter of the heap but at
  /// most 256 MiB of buffers.
  public static final BinaryLimits DEFAULTS =
      new BinaryLimits(
          Frame.PAYLOAD_BYTES_MAX,
          256 << 20,
          1024,
          32,
          Math.clamp(Runtime.getRuntime().maxMemory() / 4, 16L << 20, 256L << 20),
          10_000,
          Duration.ofSeconds(5),
          new PeerTimeouts(
              Duration.ofSeconds(60),
              Duration.ofHours(24),
              Duration.ofSeconds(10),
              Duration.ofSeconds(30),
              Duration.ofSeconds(30)),
          Duration.ofSeconds(20));

  /// The smallest useful frame limit: every answer except a page or a blob fits.
  public static final int FRAME_BYTES_MIN = 4096;

  public BinaryLimits {
    if (frameBytes < FRAME_BYTES_MIN
        || drainBytes < 0
        || connections < 1
        || inFlight < 1
        || bufferBytes < 1
        || pageTurns < 1) {
      throw new IllegalArgumentException(
          "limits: %d %d %d %d %d %d"
              .formatted(frameBytes, drainBytes, connections, inFlight, bufferBytes, pageTurns));
    }
  }

  public BinaryLimits withFrameBytes(int value) {
    return new BinaryLimits(
        value,
        drainBytes,
        connections,
        inFlight,
        bufferBytes,
        pageTurns,
        bufferWait,
        timeouts,
        shutdown);
  }

  public BinaryLimits withConnections(int value) {
    return new BinaryLimits(
        frameBytes,
        drainBytes,
        value,
        inFlight,
        bufferBytes,
        pageTurns,
        bufferWait,
        timeouts,
        shutdown);
  }

  public BinaryLimits withInFlight(int value) {
    return new BinaryLimits(
        frameBytes,
        drainBytes,
        connections,
        value,
        bufferBytes,
        pageTurns,
        bufferWait,
        timeouts,
        shutdown);
  }

  public BinaryLimits withBuffers(long bytes, Duration wait) {
    return new BinaryLimits(
        frameBytes, drainBytes, connections, inFlight, bytes, pageTurns, wait, timeouts, shutdown);
  }

  public BinaryLimits withTimeouts(PeerTimeouts value) {
    return new BinaryLimits(
        frameBytes,
        drainBytes,
        connections,
        inFlight,
        bufferBytes,
        pageTurns,
        bufferWait,
        value,
        shutdown);
  }
}
