// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.gemini;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A message at its place in the replay, with the messages that ever followed it there.
final class ReplayedMessage {

  private final Map<String, ReplayedMessage> next = new LinkedHashMap<>(2);
  private final boolean leftOut;
  private final String before;
  private String turn;
  private MessageVersion version;
  private String textTurn;

  /// @param before the turn before the message; empty for none
  /// @param turn the message's turn
  /// @param leftOut whether the lists that the agent writes leave such messages out: notices, and
  ///   the description of the surroundings
  ReplayedMessage(String before, String turn, MessageVersion version, boolean leftOut) {
    this.before = before;
    this.turn = turn;
    this.version = version;
    this.textTurn = version.hasCalls() ? before : turn;
    this.leftOut = leftOut;
  }

  /// The turn behind which the next message goes on.
  String turn() {
    return turn;
  }

  /// The turn before the message.
  String before() {
    return before;
  }

  /// The turn behind which the calls of the message have a turn of their own.
  String textTurn() {
    return textTurn;
  }

  MessageVersion version() {
    return version;
  }

  boolean isLeftOut() {
    return leftOut;
  }

  /// Takes a later version, with its turn.
  void replace(MessageVersion later, String itsTurn) {
    if (!later.hasTextOf(version)) {
      textTurn = later.hasCalls() ? before : itsTurn;
    }
    version = later;
    turn = itsTurn;
  }

  void follow(String id, ReplayedMessage message) {
    next.put(id, message);
  }

  /// The message with an id that once followed this one, perhaps behind messages that lists leave
  /// out.
  @Nullable ReplayedMessage find(String id) {
    Deque<ReplayedMessage> open = new ArrayDeque<>();
    open.add(this);
    while (!open.isEmpty()) {
      ReplayedMessage at = open.remove();
      ReplayedMessage found = at.next.get(id);
      if (found != null) {
        return found;
      }
      at.next.values().stream().filter(ReplayedMessage::isLeftOut).forEach(open::add);
    }
    return null;
  }
}
