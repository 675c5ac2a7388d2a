// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import dev.varve.wire.Frame;
import java.time.Duration;

/// What peers of the binary port can cost at most.
///
/// @param frameBytes the largest payload of a frame, in both directions
/// @param drainBytes a frame that is too large, but not larger than this, is read over and refused,
///   and the connection lives; a larger one ends it
/// @param connections how many at a time; one more is told so and closed
/// @param inFlight how many requests of one connection are worked on at a time; more wait unread
/// @param bufferBytes how much memory all requests and answers over 16 KiB may take together
/// @param pageTurns the most turns that one answer to GET_LAST and its like has
/// @param bufferWait how long a request waits for such memory before it is refused
/// @param firstFrame how long a new connection may stay silent
/// @param idle how long a connection may stay silent between frames
/// @param header how long the 16 bytes of a header may take
/// @param body how long a payload may take, beyond a second for each 64 KiB
/// @param write how long a peer may take none of the bytes that are sent to it
/// @param shutdown how long an orderly end waits for what was accepted
public record BinaryLimits(
    int frameBytes,
    int drainBytes,
    int connections,
    int inFlight,
    long bufferBytes,
    int pageTurns,
    Duration bufferWait,
    Duration firstFrame,
    Duration idle,
    Duration header,
    Duration body,
    Duration write,
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
          Duration.ofSeconds(60),
          Duration.ofHours(24),
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofSeconds(30),
          Duration.ofSeconds(20));

  /// The smallest frame limit that makes sense: every answer that is no page and no blob fits.
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
        firstFrame,
        idle,
        header,
        body,
        write,
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
        firstFrame,
        idle,
        header,
        body,
        write,
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
        firstFrame,
        idle,
        header,
        body,
        write,
        shutdown);
  }

  public BinaryLimits withBuffers(long bytes, Duration wait) {
    return new BinaryLimits(
        frameBytes,
        drainBytes,
        connections,
        inFlight,
        bytes,
        pageTurns,
        wait,
        firstFrame,
        idle,
        header,
        body,
        write,
        shutdown);
  }

  /// One duration for everything that a peer may be slow at.
  public BinaryLimits withPatience(Duration value) {
    return new BinaryLimits(
        frameBytes,
        drainBytes,
        connections,
        inFlight,
        bufferBytes,
        pageTurns,
        bufferWait,
        value,
        value,
        value,
        value,
        value,
        shutdown);
  }
}
