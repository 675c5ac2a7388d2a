// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.metrics;

import java.time.Instant;

/// A request that was refused, or that could not be done.
///
/// @param port `http` or `binary`
/// @param status the code that its client was told
/// @param message what it was told; cut off where it is long
/// @param path what it was about: the path of the request, or the kind of message
public record Failure(Instant at, String port, int status, String message, String path) {

  private static final int CHARACTERS_MAX = 500;

  public Failure {
    message = cut(message);
    path = cut(path);
  }

  private static String cut(String text) {
    return text.length() <= CHARACTERS_MAX ? text : text.substring(0, CHARACTERS_MAX) + "…";
  }
}
