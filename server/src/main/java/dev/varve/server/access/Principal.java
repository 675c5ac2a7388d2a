// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.access;

/// The identity of a client, as the [Authenticator] found it. It lives as long as the client is
/// connected; facts that may change meanwhile (a revocation, a rate) are checked at each request.
public interface Principal {

  /// May do everything. The identity of every client when no tokens are configured.
  Principal ANYBODY = anything("anybody");

  /// A principal that may do everything, under a name.
  static Principal anything(String name) {
    return new Principal() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public Admission admit(Scope needed) {
        return Admission.ADMITTED;
      }
    };
  }

  /// The name for the audit log and for people; not secret.
  String name();

  /// Returns whether a request that needs the scope `needed` may go on; counts the request against
  /// the rate. Fast, because it is called for each request.
  Admission admit(Scope needed);

  /// The decision about a request.
  enum Admission {
    ADMITTED,
    /// The token is no longer valid: 401.
    REVOKED,
    /// The token lacks the scope: 403.
    FORBIDDEN,
    /// Too many requests in too short a time: 429.
    TOO_MANY
  }
}
