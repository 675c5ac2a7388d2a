// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.logs;

/// Receives every request of either port once it has been answered.
@FunctionalInterface
public interface RequestLog {

  /// Records nothing.
  RequestLog NONE = request -> {};

  /// Called by any thread, several at a time, before the answer is sent, or at the end of an answer
  /// that is produced while it is sent. Must be fast and must not throw.
  void answered(AnsweredRequest request);
}
