// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.opencode;

import dev.varve.history.HistoryTurn;
import dev.varve.history.RecordSink;
import dev.varve.history.RecordValue;
import dev.varve.history.TranscriptLine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The messages and parts that were taken out of a session, as the log of events has them: their
/// last versions are turns below what stood before them at the time.
///
/// Ids sort by time, so what stood before is what has the greatest lesser id of all that was there.
final class RemovedRows {

  /// A row that was taken out.
  private static final class Gone {
    private final long created;
    private long removed = Long.MAX_VALUE;
    private @Nullable TranscriptLine line;
    private String type = "";

    Gone(long created) {
      this.created = created;
    }
  }

  private final TreeSet<String> kept = new TreeSet<>();
  private final TreeMap<String, Gone> gone = new TreeMap<>();
  private final Map<String, String> roles = new HashMap<>();

  /// Takes the key of a turn that was not taken out: the ids of its message and of its part.
  void keep(String key) {
    kept.add(key);
  }

  /// Takes an event about a message or a part that was taken out. The last one about each is held
  /// until the end.
  void take(
      RecordValue record,
      String type,
      long seq,
      RecordValue row,
      TranscriptLine line,
      RecordSink sink) {
    if (type.startsWith("message.updated")) {
      String id = id(record, row, "id");
      roles.put(id, record.text("role"));
      hold(id + (record.text("role").equals("user") ? "/" : "/~"), seq, "message", line, sink);
    } else if (type.startsWith("message.part.updated")) {
      String key = id(record, row, "messageID") + "/" + id(record, row, "id");
      hold(key, seq, record.text("type"), line, sink);
    } else {
      remove(record, row, seq);
      sink.bookkeeping();
    }
  }

  /// An id that was cut out of the content, or is in it.
  private static String id(RecordValue record, RecordValue row, String name) {
    for (RecordValue cut : row.get("cuts").items()) {
      int at = cut.text().indexOf("\"" + name + "\":\"");
      if (at >= 0) {
        String rest = cut.text().substring(at + name.length() + 4);
        return rest.substring(0, Math.max(0, rest.indexOf('"')));
      }
    }
    return record.text(name);
  }

  private void hold(String key, long seq, String type, TranscriptLine line, RecordSink sink) {
    Gone row = gone.computeIfAbsent(key, _ -> new Gone(seq));
    if (row.line != null) {
      sink.bookkeeping(); // a version before the last
    }
    row.line = line;
    row.type = type;
  }

  private void remove(RecordValue record, RecordValue row, long seq) {
    String message = id(record, row, "messageID");
    String part = id(record, row, "partID");
    gone.subMap(message + "/", true, message + "0", false)
        .forEach(
            (key, each) -> {
              if (part.isEmpty() || key.equals(message + "/" + part)) {
                each.removed = Math.min(each.removed, seq);
              }
            });
  }

  /// Hands over the rows, in the order of their ids.
  void end(RecordSink sink) {
    List<String> turns = new ArrayList<>();
    gone.forEach(
        (key, row) -> {
          TranscriptLine line = row.line;
          String role = roles.getOrDefault(key.substring(0, key.indexOf('/')), "assistant");
          String kind = row.type.equals("message") ? row.type : PartKind.of(row.type, role);
          if (line == null || kind.isEmpty() || PartKind.isBookkeeping(kind) || isPlain(key)) {
            sink.bookkeeping();
            return;
          }
          String before = kept.lower(key);
          for (String each : turns.reversed()) {
            Gone other = gone.get(each);
            if (other != null && other.removed > row.created) {
              before = before == null || each.compareTo(before) > 0 ? each : before;
              break;
            }
          }
          turns.add(key);
          List<String> parents = before == null ? List.of() : List.of(before);
          sink.turn(new HistoryTurn(key, parents, kind, null, line.kept()));
        });
  }

  /// The row of an answer says nothing that its parts do not.
  private static boolean isPlain(String key) {
    return key.endsWith("/~");
  }
}
