// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import java.util.Map;

/// A refusal that only HTTP knows: a method that is not there, a token that is missing. What the
/// store refuses is a [dev.varve.StoreException].
final class HttpRefusal extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final int status;
  private final transient Map<String, String> headers;

  HttpRefusal(int status, String message) {
    this(status, message, Map.of());
  }

  HttpRefusal(int status, String message, Map<String, String> headers) {
    super(message, null, false, false); // an answer, not a fault: nobody needs the trace
    this.status = status;
    this.headers = Map.copyOf(headers);
  }

  static HttpRefusal invalid(String message) {
    return new HttpRefusal(422, message);
  }

  static HttpRefusal tooLarge(String what, long found, long limit) {
    return new HttpRefusal(413, what + ": " + found + " is over the limit of " + limit);
  }

  int status() {
    return status;
  }

  Map<String, String> headers() {
    return headers;
  }
}
