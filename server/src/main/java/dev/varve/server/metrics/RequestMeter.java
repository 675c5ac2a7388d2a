// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.metrics;

/// Is told by both ports what they do. For any number of threads.
///
/// A port's name is `http` or `binary`. An operation is one of a fixed list, never what a client
/// sent: the kind of message, or the route; `none` where there is none.
public interface RequestMeter {

  /// What is counted of requests that mean nothing.
  String NO_OPERATION = "none";

  /// Measures nothing.
  RequestMeter NONE =
      new RequestMeter() {
        @Override
        public void answered(String port, String operation, int status, long nanos) {}

        @Override
        public void failed(Failure failure) {}

        @Override
        public void moved(String port, String operation, long receivedBytes, long sentBytes) {}

        @Override
        public void connected(String port) {}

        @Override
        public void turnedAway(String port, Why why) {}
      };

  /// Why a connection was not wanted.
  enum Why {
    /// There were as many as there may be.
    LIMIT,
    /// Its peer was too slow, or silent for too long.
    SLOW,
    /// What it sent cannot be read on.
    GARBAGE
  }

  /// One request was answered.
  ///
  /// @param status 200 and the like for done, else the code of the refusal
  /// @param nanos from the request, read, to its answer, not yet sent
  void answered(String port, String operation, int status, long nanos);

  /// One request was refused, or could not be done. It is told by [#answered] too.
  void failed(Failure failure);

  /// Bytes of requests that came and of answers that went, without what carries them.
  void moved(String port, String operation, long receivedBytes, long sentBytes);

  /// A connection was made.
  void connected(String port);

  /// A connection was ended by us.
  void turnedAway(String port, Why why);
}
