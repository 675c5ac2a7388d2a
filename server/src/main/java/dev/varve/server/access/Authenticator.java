// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.access;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Identifies a client by its token. Both ports use the same authenticator.
@FunctionalInterface
public interface Authenticator {

  /// Admits every client to everything: right for a port that only this machine reaches.
  Authenticator OPEN = token -> Optional.of(Principal.ANYBODY);

  /// The principal that a token belongs to; empty for an unknown token.
  ///
  /// @param token as the client sent it, null if it sent none. Not checked in any way: any length,
  ///   any text
  Optional<Principal> authenticate(@Nullable String token);

  /// The token that a one-time code is exchanged for; empty for a code that is unknown or used.
  default Optional<String> redeem(String code) {
    return Optional.empty();
  }
}
