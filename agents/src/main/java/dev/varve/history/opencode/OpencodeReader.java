// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.opencode;

import dev.varve.history.HistoryTurn;
import dev.varve.history.RecordSink;
import dev.varve.history.RecordTime;
import dev.varve.history.RecordValue;
import dev.varve.history.SessionFacts;
import dev.varve.history.TranscriptLine;
import dev.varve.history.TranscriptReader;
import dev.varve.history.TranscriptTitle;
import dev.varve.history.UsageEvidence;
import dev.varve.history.rows.RowLine;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads the rows of a session: the turns are the prompts, and the parts of all messages, one after
/// the other.
///
/// The last answer may still be written. Its parts are turns as far as they are complete, so that a
/// turn never changes. Messages that were taken out stand in events at the end and are branches.
final class OpencodeReader implements TranscriptReader {

  /// A row, or the event that wrote it last.
  private record Held(
      RecordValue value, RecordValue columns, TranscriptLine line, @Nullable Instant at) {}

  private final boolean log;
  private final RecordTime time = new RecordTime();
  private final TranscriptTitle title = new TranscriptTitle();
  private final Map<String, UsageEvidence> usage = new LinkedHashMap<>();
  private final RemovedRows removed = new RemovedRows();
  private final List<Held> parts = new ArrayList<>();
  private @Nullable Held message;
  private String last = "";
  private String session = "";
  private String folder = "";
  private String link = "";

  /// @param log whether the rows are the log of events, which repeats the session's rows
  OpencodeReader(boolean log) {
    this.log = log;
  }

  @Override
  public void record(RecordValue record, TranscriptLine line, RecordSink sink) {
    RecordValue row = record.get(RowLine.ROW);
    RecordValue columns = row.get("columns");
    switch (row.text("table")) {
      case "message" -> {
        flush(true, sink);
        message = held(record, columns, line);
        usage(record);
      }
      case "part" -> {
        Held current = message;
        Held part = held(record, columns, line);
        if (current == null || !columns.text("message_id").equals(current.columns().text("id"))) {
          sink.bookkeeping(); // the part of a message that is gone
        } else {
          parts.add(part);
        }
      }
      case "event" -> {
        if (log) {
          sink.bookkeeping();
          return;
        }
        flush(true, sink);
        removed.take(record, columns.text("type"), columns.get("seq").count(), row, line, sink);
      }
      case "session" -> {
        session = columns.text("id");
        folder = columns.text("directory");
        link = columns.text("parent_id");
        title.given(columns.text("title"));
        sink.bookkeeping();
      }
      case "" -> sink.unknown();
      default -> sink.bookkeeping();
    }
  }

  private Held held(RecordValue record, RecordValue columns, TranscriptLine line) {
    RecordValue created = columns.get("time_created");
    Instant at = created.isString() ? time.take(created.text()) : time.takeUnixMs(created.count());
    return new Held(record, columns, line, at);
  }

  /// Passes on the message that was read, with its parts.
  ///
  /// @param followed whether the session continued behind the message
  private void flush(boolean followed, RecordSink sink) {
    Held current = message;
    if (current == null) {
      return;
    }
    message = null;
    String id = current.columns().text("id");
    String role = current.value().text("role");
    boolean done =
        followed
            || !role.equals("assistant")
            || current.value().get("time").has("completed")
            || current.value().has("error");
    boolean first = role.equals("user");
    if (first) {
      turn(id + "/", "message", current, sink);
    }
    for (Held part : parts) {
      String kind = PartKind.of(part.value().text("type"), role);
      if (kind.isEmpty()) {
        sink.unknown();
      } else if (PartKind.isBookkeeping(kind) || !done && !isComplete(part.value())) {
        sink.bookkeeping();
      } else {
        if (kind.equals("user")) {
          title.prompt(part.value().text("text"));
        }
        turn(id + "/" + part.columns().text("id"), kind, part, sink);
      }
    }
    parts.clear();
    if (!first && current.value().has("error")) {
      turn(id + "/~", "message", current, sink);
    } else if (!first) {
      sink.bookkeeping();
    }
  }

  private static boolean isComplete(RecordValue part) {
    String status = part.get("state").text("status");
    return part.text("type").equals("tool")
        ? status.equals("completed") || status.equals("error")
        : part.get("time").has("end");
  }

  private void turn(String key, String kind, Held held, RecordSink sink) {
    List<String> parents = last.isEmpty() ? List.of() : List.of(last);
    last = key;
    removed.keep(key);
    sink.turn(new HistoryTurn(key, parents, kind, held.at(), held.line().kept()));
  }

  /// A fork copies its parent's messages with other ids, but with their times.
  private void usage(RecordValue message) {
    RecordValue tokens = message.get("tokens");
    String created = message.get("time").text("created");
    if (!tokens.isObject() || created.isEmpty()) {
      return;
    }
    RecordValue cache = tokens.get("cache");
    long cached = cache.get("read").count();
    String key = message.text("modelID") + " " + created;
    usage.put(
        key,
        new UsageEvidence(
            key,
            tokens.get("input").count() + cached + cache.get("write").count(),
            cached,
            tokens.get("output").count() + tokens.get("reasoning").count()));
  }

  @Override
  public void end(RecordSink sink) {
    flush(false, sink);
    removed.end(sink);
  }

  @Override
  public SessionFacts facts() {
    return SessionFacts.of(session, title, folder, link, time, usage.values());
  }
}
