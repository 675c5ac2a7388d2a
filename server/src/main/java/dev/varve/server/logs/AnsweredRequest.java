// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.logs;

/// A request of either port that was answered. Holds no payload, no token and no query.
///
/// @param port `http` or `binary`
/// @param who the principal's name; `-` or `nobody` for an unknown client
/// @param peer the client's `address:port`
/// @param what the name of the operation, or of the kind of message
/// @param target the object of the operation, for instance a path; may be empty
/// @param writes whether the operation changes the store
/// @param status 200 or similar for success, otherwise the code of the refusal
public record AnsweredRequest(
    String port,
    String who,
    String peer,
    String what,
    String target,
    boolean writes,
    int status,
    Cost cost) {

  /// A client decides how long a path is, and log lines wait in memory.
  static final int TARGET_CHARACTERS_MAX = 512;

  /// The bytes and the time of a request.
  ///
  /// @param receivedBytes of the body or the frame, as far as they were read
  /// @param nanos from the complete request to its answer, before the answer is sent
  public record Cost(long receivedBytes, long sentBytes, long nanos) {

    public static final Cost NONE = new Cost(0, 0, 0);
  }

  public AnsweredRequest {
    if (target.length() > TARGET_CHARACTERS_MAX) {
      target = target.substring(0, TARGET_CHARACTERS_MAX) + "…";
    }
  }
}
