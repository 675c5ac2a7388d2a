// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import dev.varve.server.access.Authenticator;
import dev.varve.server.access.Principal;
import dev.varve.server.access.Scope;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// The check of the token that a route requires, sent as `Authorization: Bearer …` (RFC 6750).
public record Authentication(Authenticator authenticator) {

  private static final String BEARER = "bearer ";
  private static final String REALM = "Bearer realm=\"varve\"";

  /// The principal behind a request. Refuses an unknown token; [#admit] checks the principal's
  /// scope.
  Principal known(Route.Access access, Optional<String> authorization) {
    if (access == Route.Access.OPEN) {
      return Principal.ANYBODY;
    }
    String token = authorization.map(Authentication::token).orElse(null);
    Optional<Principal> known = authenticator.authenticate(token);
    if (known.isEmpty()) {
      throw unknown(token == null ? "a token is needed" : "this token is not known");
    }
    return known.get();
  }

  /// Refuses a principal that may not use a route.
  public static void admit(Route.Access access, Principal principal) {
    if (access == Route.Access.OPEN) {
      return;
    }
    Scope scope = scope(access);
    switch (principal.admit(scope)) {
      case ADMITTED -> {}
      case REVOKED -> throw unknown("this token is not known");
      case FORBIDDEN ->
          throw new HttpRefusal(
              403,
              "this token does not reach so far: it has no scope "
                  + scope.name().toLowerCase(Locale.ROOT),
              Map.of("WWW-Authenticate", REALM + ", error=\"insufficient_scope\""));
      case TOO_MANY ->
          throw new HttpRefusal(
              429, "too many requests for this token", Map.of("Retry-After", "1"));
    }
  }

  private static HttpRefusal unknown(String why) {
    return new HttpRefusal(401, why, Map.of("WWW-Authenticate", REALM));
  }

  private static String token(String authorization) {
    String scheme = authorization.substring(0, Math.min(BEARER.length(), authorization.length()));
    return scheme.equalsIgnoreCase(BEARER)
        ? authorization.substring(BEARER.length()).strip()
        : ""; // another scheme: none of our tokens
  }

  private static Scope scope(Route.Access access) {
    return switch (access) {
      case OPEN, READ -> Scope.READ;
      case WRITE -> Scope.WRITE;
      case ADMIN -> Scope.ADMIN;
      case RESTORE -> Scope.RESTORE;
    };
  }
}
