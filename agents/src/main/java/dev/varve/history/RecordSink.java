// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

/// Takes the records of a transcript, each once.
public interface RecordSink {

  /// A record that becomes a turn.
  void turn(HistoryTurn record);

  /// A record of the agent's own that is no turn: it keeps its place in the bytes.
  void bookkeeping();

  /// A record that the profile does not know. It keeps its place in the bytes.
  void unknown();

  /// A record that repeats one before it: the same turn, if perhaps in other bytes.
  void duplicate();

  /// Bytes that are no record.
  ///
  /// @param why the reason, in one line
  void unreadable(String why);
}
