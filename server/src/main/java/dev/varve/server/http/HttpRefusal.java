// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import java.util.Map;

/// A refusal that exists in HTTP only, for instance an unknown method or a missing token. Refusals
/// of the store are [dev.varve.StoreException]s.
public final class HttpRefusal extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final int status;
  private final transient Map<String, String> headers;

  public HttpRefusal(int status, String message) {
    this(status, message, Map.of());
  }

  public HttpRefusal(int status, String message, Map<String, String> headers) {
    super(message, null, false, false); // an answer and not a fault: the trace is not needed
    this.status = status;
    this.headers = Map.copyOf(headers);
  }

  public static HttpRefusal invalid(String message) {
    return new HttpRefusal(422, message);
  }

  public static HttpRefusal tooLarge(String what, long found, long limit) {
    return new HttpRefusal(413, what + ": " + found + " is over the limit of " + limit);
  }

  public int status() {
    return status;
  }

  Map<String, String> headers() {
    return headers;
  }
}
