// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.access;

/// Hears of every request that writes, on either port, once it has been answered.
@FunctionalInterface
public interface Audit {

  /// Writes nothing down.
  Audit NONE = entry -> {};

  /// One request.
  ///
  /// @param port `http` or `binary`
  /// @param who the principal's name
  /// @param peer `address:port` it came from
  /// @param what it asked for: an operation's name
  /// @param target what it asked it of, for instance a path; may be empty
  /// @param status 200 and the like for done, else the code of the refusal
  record Entry(String port, String who, String peer, String what, String target, int status) {}

  /// Called by any thread, several at a time. Must not throw.
  void wrote(Entry entry);
}
