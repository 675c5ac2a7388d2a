// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.access;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Tells who a client is. The same one stands before both ports.
@FunctionalInterface
public interface Authenticator {

  /// Lets everybody do everything: right for a port that only this machine reaches.
  Authenticator OPEN = token -> Optional.of(Principal.ANYBODY);

  /// Who shows this token; empty if nobody that is known.
  ///
  /// @param token as the client sent it, null if it sent none. Nothing has been looked at yet: any
  ///   length, any text
  Optional<Principal> authenticate(@Nullable String token);
}
