// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.gemini;

import dev.varve.Payload;
import dev.varve.history.HistoryTurn;
import dev.varve.history.RecordSink;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Replays a log of edits: each message once becomes a turn, below the message that it first stood
/// behind.
///
/// The ids decide what is the same message: a list that the agent writes anew holds the messages in
/// other words, without calls and notices, and with the results of calls once more.
final class MessageReplay {

  /// A message for the replay.
  ///
  /// @param id not empty
  /// @param kind the type of its turn
  /// @param leftOut whether the lists that the agent writes leave such messages out
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Message(String id, String kind, @Nullable Instant at, byte[] bytes, boolean leftOut) {}

  /// The end of the id of a message that repeats the results of the calls of another message.
  private static final String RESPONSE = "_response";

  private final ReplayedMessage root =
      new ReplayedMessage("", "", MessageVersion.of(new byte[0]), true);
  private final Map<String, Integer> names = new HashMap<>();

  /// The messages that count, in their order.
  private LinkedHashMap<String, ReplayedMessage> view = new LinkedHashMap<>();

  private ReplayedMessage last = root;

  /// Adds a message behind the last one, or takes it as a version of the one that has its id.
  void add(Message message, RecordSink sink) {
    ReplayedMessage known = view.get(message.id());
    if (known != null) {
      change(known, message, sink);
    } else {
      append(message, last.turn(), sink);
    }
  }

  /// Adds a message that begins a conversation.
  void begin(Message message, RecordSink sink) {
    if (view.containsKey(message.id())) {
      sink.duplicate();
    } else {
      clear();
      append(message, "", sink);
    }
  }

  /// Takes the message with this id, and all behind, out of what counts; all if there is none.
  void rewind(String id) {
    boolean keep = view.containsKey(id);
    LinkedHashMap<String, ReplayedMessage> before = view;
    clear();
    for (Map.Entry<String, ReplayedMessage> each : before.entrySet()) {
      keep &= !each.getKey().equals(id);
      if (keep) {
        take(each.getKey(), each.getValue());
      }
    }
  }

  /// Takes a list of messages as all that counts.
  final class NewList {
    private final LinkedHashMap<String, ReplayedMessage> before = view;
    private final ReplayedMessage lastBefore = last;

    private NewList() {
      clear();
    }

    /// Adds the next message of the list.
    ///
    /// @param summary says whether a message sums up all that counted before
    void add(Message message, Predicate<Message> summary, RecordSink sink) {
      String id = message.id();
      if (view.containsKey(id) || repeatsResults(id)) {
        sink.duplicate();
        return;
      }
      append(message, summary.test(message) ? lastBefore.turn() : last.turn(), sink);
    }

    private boolean repeatsResults(String id) {
      return id.endsWith(RESPONSE)
          && view.containsKey(id.substring(0, id.length() - RESPONSE.length()));
    }

    /// Ends the list. The notices behind its last message still count.
    void end() {
      boolean behind = false;
      for (Map.Entry<String, ReplayedMessage> each : before.entrySet()) {
        behind &= each.getValue().isLeftOut();
        if (behind) {
          take(each.getKey(), each.getValue());
        }
        behind |= each.getValue() == last;
      }
    }
  }

  NewList newList() {
    return new NewList();
  }

  private void clear() {
    view = new LinkedHashMap<>();
    last = root;
  }

  private void take(String id, ReplayedMessage message) {
    view.put(id, message);
    last = message;
  }

  private void append(Message message, String parent, RecordSink sink) {
    ReplayedMessage known = last.find(message.id());
    if (known != null) {
      take(message.id(), known);
      sink.duplicate();
      return;
    }
    ReplayedMessage placed =
        new ReplayedMessage(
            parent, name(message.id()), MessageVersion.of(message.bytes()), message.leftOut());
    turn(message, placed.turn(), parent, message.bytes(), sink);
    last.follow(message.id(), placed);
    take(message.id(), placed);
  }

  private void change(ReplayedMessage known, Message message, RecordSink sink) {
    MessageVersion later = MessageVersion.of(message.bytes());
    if (later.equals(known.version())) {
      sink.duplicate();
      return;
    }
    String name = name(message.id());
    boolean callsOnly = later.hasTextOf(known.version());
    turn(
        message,
        name,
        callsOnly ? known.textTurn() : known.before(),
        callsOnly && !known.textTurn().equals(known.before())
            ? MessageVersion.calls(message.bytes())
            : message.bytes(),
        sink);
    known.replace(later, name);
  }

  private static void turn(
      Message message, String name, String parent, byte[] payload, RecordSink sink) {
    sink.turn(
        new HistoryTurn(
            name,
            parent.isEmpty() ? List.of() : List.of(parent),
            message.kind(),
            message.at(),
            Payload.wrap(payload)));
  }

  /// A name for the next turn of a message.
  private String name(String id) {
    int used = names.merge(id, 1, Integer::sum);
    return used == 1 ? id : id + "#" + used;
  }
}
