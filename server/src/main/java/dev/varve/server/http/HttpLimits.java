// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import dev.varve.server.limits.PeerTimeouts;
import java.time.Duration;

/// Bounds on what an HTTP client may ask for, checked before memory is taken.
///
/// @param sizes how large one request and its answer may be
/// @param connections the most open connections. Once nine tenths of them are taken, idle ones are
///   ended, silent peers first; beyond the limit, connections wait to be accepted
/// @param requests the most requests that are processed at once, event streams not counted; a
///   further request is answered with 503
/// @param subscribers the most open event streams; a further one is answered with 503
/// @param bufferBytes the memory that all bodies above 16 KiB may take together; the bytes of blobs
///   need none
/// @param timeouts how long a peer may be slow or silent
/// @param grace how long requests may continue after the server was asked to stop
public record HttpLimits(
    Sizes sizes,
    int connections,
    int requests,
    int subscribers,
    long bufferBytes,
    PeerTimeouts timeouts,
    Duration grace) {

  /// The largest sizes of one request and its answer.
  ///
  /// @param jsonBytes the largest JSON body
  /// @param payloadBytes the largest payload of an appended turn
  /// @param pageTurns the most turns or contexts in one answer
  /// @param batchTurns the most turns in one append-batch
  /// @param hashes the most hashes in one request for missing blobs
  public record Sizes(int jsonBytes, int payloadBytes, int pageTurns, int batchTurns, int hashes) {

    public Sizes {
      if (jsonBytes < 1 || payloadBytes < 1 || pageTurns < 1 || batchTurns < 1 || hashes < 1) {
        throw new IllegalArgumentException("sizes of HTTP requests: expected positive numbers");
      }
    }
  }

  /// The limits of cxdb where cxdb has one, and generous ones where it has none.
  public static final HttpLimits DEFAULTS =
      new HttpLimits(
          new Sizes(24 << 20, 16 << 20, 10_000, 256, 10_000),
          1024,
          256,
          256,
          Math.clamp(Runtime.getRuntime().maxMemory() / 8, 32L << 20, 256L << 20),
          new PeerTimeouts(
              Duration.ofSeconds(10),
              Duration.ofSeconds(60),
              Duration.ofSeconds(10),
              Duration.ofSeconds(30),
              Duration.ofSeconds(30)),
          Duration.ofSeconds(5));

  public HttpLimits {
    if (connections < 1
        || requests < 1
        || subscribers < 1
        || bufferBytes < 1
        || grace.isNegative()) {
      throw new IllegalArgumentException("limits of the HTTP port: expected positive numbers");
    }
  }

  public HttpLimits withTimeouts(PeerTimeouts value) {
    return new HttpLimits(sizes, connections, requests, subscribers, bufferBytes, value, grace);
  }

  public HttpLimits withConnections(int value) {
    return new HttpLimits(sizes, value, requests, subscribers, bufferBytes, timeouts, grace);
  }

  public HttpLimits withRequests(int value) {
    return new HttpLimits(sizes, connections, value, subscribers, bufferBytes, timeouts, grace);
  }
}
