// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.metrics;

import java.time.Instant;

/// A request that was refused or that failed.
///
/// @param port `http` or `binary`
/// @param status the code that the client received
/// @param message the message that the client received, shortened where it is long
/// @param path the path of the request, or the kind of message
public record RequestFailure(Instant at, String port, int status, String message, String path) {

  private static final int CHARACTERS_MAX = 500;

  public RequestFailure {
    message = cut(message);
    path = cut(path);
  }

  private static String cut(String text) {
    return text.length() <= CHARACTERS_MAX ? text : text.substring(0, CHARACTERS_MAX) + "…";
  }
}
