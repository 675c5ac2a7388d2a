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
/// @param connections the most open connections; later ones wait to be accepted
/// @param requests the most requests at work; later ones are answered 503
/// @param subscribers the most listeners to events; later ones are answered 503
/// @param idle how long a connection may be silent within or between requests
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
    Duration idle,
    Duration grace) {

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
          Duration.ofSeconds(60),
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
        || idle.isNegative()
        || grace.isNegative()) {
      throw new IllegalArgumentException("limits of the HTTP port: expected positive numbers");
    }
  }
}
