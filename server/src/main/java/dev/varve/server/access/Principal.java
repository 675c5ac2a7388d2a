// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.access;

/// Who a client is, as the [Authenticator] made it out. Kept as long as the client is connected, so
/// what may change meanwhile (a revocation, a rate) is asked for with each request.
public interface Principal {

  /// May do anything. What a client on the same machine is when no tokens are set up.
  Principal ANYBODY =
      new Principal() {
        @Override
        public String name() {
          return "anybody";
        }

        @Override
        public Verdict admit(Scope needed) {
          return Verdict.ADMITTED;
        }
      };

  /// For the audit log and for people; no secret.
  String name();

  /// Whether a request that needs `needed` may go on, and counts it against the rate. Quick; called
  /// for each request.
  Verdict admit(Scope needed);

  /// What becomes of a request.
  enum Verdict {
    ADMITTED,
    /// The token is no longer good: 401.
    REVOKED,
    /// The token does not reach so far: 403.
    FORBIDDEN,
    /// Too many requests in too short a time: 429.
    TOO_MANY
  }
}
