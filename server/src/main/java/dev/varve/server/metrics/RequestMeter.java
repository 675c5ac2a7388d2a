// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.metrics;

/// Receives reports of both ports about their requests. For any number of threads.
///
/// The name of a port is `http` or `binary`. An operation is one of a fixed list and never text
/// from a client: the kind of message, or the route; `none` for a request without either.
public interface RequestMeter {

  /// The operation of a request that cannot be interpreted.
  String NO_OPERATION = "none";

  /// Measures nothing.
  RequestMeter NONE =
      new RequestMeter() {
        @Override
        public void answered(String port, String operation, int status, long nanos) {}

        @Override
        public void failed(RequestFailure failure) {}

        @Override
        public void moved(String port, String operation, long receivedBytes, long sentBytes) {}

        @Override
        public void connected(String port) {}

        @Override
        public void turnedAway(String port, EndReason why) {}
      };

  /// The reason why this end closed a connection.
  enum EndReason {
    /// The limit of connections was reached.
    LIMIT,
    /// The peer was too slow, or silent for too long.
    SLOW,
    /// The bytes of the peer cannot be interpreted any further.
    GARBAGE
  }

  /// A request was answered.
  ///
  /// @param status 200 or similar for success, otherwise the code of the refusal
  /// @param nanos from the complete request to its answer, before the answer is sent
  void answered(String port, String operation, int status, long nanos);

  /// A request was refused or failed; [#answered] is called for the same request.
  void failed(RequestFailure failure);

  /// Bytes of requests arrived or bytes of answers were sent; framing is not counted.
  void moved(String port, String operation, long receivedBytes, long sentBytes);

  /// A connection was accepted.
  void connected(String port);

  /// This end closed a connection.
  void turnedAway(String port, EndReason why);
}
