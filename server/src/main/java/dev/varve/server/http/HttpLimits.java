// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import java.time.Duration;

/// Bounds on what an HTTP client may ask for, checked before memory is taken.
///
/// @param jsonBytes the largest JSON body
/// @param payloadBytes the largest payload of an appended turn
/// @param pageTurns the most turns or contexts in one answer
/// @param batchTurns the most turns of one append-batch
/// @param hashes the most hashes of one question what is missing
/// @param connections the most open connections; before there are so many, the one that was idle
///   longest is ended for each that comes, and later ones wait to be accepted
/// @param requests the most requests at work, listeners left out; later ones are answered 503
/// @param subscribers the most listeners to events; later ones are answered 503
/// @param bufferBytes how much memory all bodies over 16 KiB may take together; of blobs none is
///   needed
/// @param idle how long a connection may be silent between requests
/// @param header how long a header may take from its first byte on
/// @param body how long a peer may keep us waiting for its body, beyond a second for each
///   [#BYTES_PER_SECOND_MIN]
/// @param write how long it may take none of an answer, beyond the same
/// @param grace how long requests may go on after the server was told to stop
public record HttpLimits(
    int jsonBytes,
    int payloadBytes,
    int pageTurns,
    int batchTurns,
    int hashes,
    int connections,
    int requests,
    int subscribers,
    long bufferBytes,
    Duration idle,
    Duration header,
    Duration body,
    Duration write,
    Duration grace) {

  /// A slower peer than this is too slow.
  static final int BYTES_PER_SECOND_MIN = 64 << 10;

  /// What cxdb allows where it has a limit, and plenty where it has none.
  public static final HttpLimits DEFAULTS =
      new HttpLimits(
          24 << 20,
          16 << 20,
          10_000,
          256,
          10_000,
          1024,
          256,
          256,
          Math.clamp(Runtime.getRuntime().maxMemory() / 8, 32L << 20, 256L << 20),
          Duration.ofSeconds(60),
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofSeconds(30),
          Duration.ofSeconds(5));

  public HttpLimits {
    if (jsonBytes < 1
        || payloadBytes < 1
        || pageTurns < 1
        || batchTurns < 1
        || hashes < 1
        || connections < 1
        || requests < 1
        || subscribers < 1
        || bufferBytes < 1
        || idle.isNegative()
        || header.isNegative()
        || body.isNegative()
        || write.isNegative()
        || grace.isNegative()) {
      throw new IllegalArgumentException("limits of the HTTP port: expected positive numbers");
    }
  }

  /// One duration for everything that a peer may be slow at within a request.
  HttpLimits withPatience(Duration value) {
    return new HttpLimits(
        jsonBytes,
        payloadBytes,
        pageTurns,
        batchTurns,
        hashes,
        connections,
        requests,
        subscribers,
        bufferBytes,
        idle,
        value,
        value,
        value,
        grace);
  }

  HttpLimits withIdle(Duration value) {
    return new HttpLimits(
        jsonBytes,
        payloadBytes,
        pageTurns,
        batchTurns,
        hashes,
        connections,
        requests,
        subscribers,
        bufferBytes,
        value,
        header,
        body,
        write,
        grace);
  }

  HttpLimits withConnections(int value) {
    return new HttpLimits(
        jsonBytes,
        payloadBytes,
        pageTurns,
        batchTurns,
        hashes,
        value,
        requests,
        subscribers,
        bufferBytes,
        idle,
        header,
        body,
        write,
        grace);
  }

  HttpLimits withRequests(int value) {
    return new HttpLimits(
        jsonBytes,
        payloadBytes,
        pageTurns,
        batchTurns,
        hashes,
        connections,
        value,
        subscribers,
        bufferBytes,
        idle,
        header,
        body,
        write,
        grace);
  }
}
