// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.qwen;

import dev.varve.history.HistoryTurn;
import dev.varve.history.RecordSink;
import dev.varve.history.RecordTime;
import dev.varve.history.RecordValue;
import dev.varve.history.SessionFacts;
import dev.varve.history.TranscriptLine;
import dev.varve.history.TranscriptReader;
import dev.varve.history.TranscriptTitle;
import dev.varve.history.UsageEvidence;
import dev.varve.history.marks.ReaderState;
import dev.varve.history.records.GluedRecords;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Reads a transcript of Qwen Code: every record has a `uuid` and stands below the record that its
/// `parentUuid` names.
///
/// Measurements and snapshots stand in the chain as well. They are bookkeeping; what stands below
/// such a record is joined to the turn above it. A rewind is such a record too: its parent is the
/// last record that still counts.
final class QwenReader implements TranscriptReader {

  private static final Set<String> BOOKKEEPING =
      Set.of(
          "ui_telemetry",
          "attribution_snapshot",
          "file_history_snapshot",
          "custom_title",
          "slash_command",
          "rewind");

  private static final Set<String> TURNS = Set.of("user", "assistant", "tool_result", "system");

  /// Every record begins so.
  private static final byte[] START = "{\"uuid\"".getBytes(StandardCharsets.US_ASCII);

  /// The most records that are no turns and that a state knows.
  private static final int ABOVE_KEPT_MAX = 32;

  private final RecordTime time = new RecordTime();
  private final TranscriptTitle title = new TranscriptTitle();
  private final Map<String, UsageEvidence> usage = new LinkedHashMap<>();

  /// The turns above the records that are no turns; empty where there is none.
  private final Map<String, String> above = new LinkedHashMap<>();

  private final Set<String> elided;
  private String session = "";
  private String folder = "";
  private String link = "";
  private String last = "";

  /// @param elided the members that a fork changes
  QwenReader(Set<String> elided) {
    this.elided = elided;
  }

  @Override
  public void line(TranscriptLine line, RecordSink sink) {
    GluedRecords.read(
        line,
        START,
        elided,
        (record, part) -> record(record, part, sink),
        part -> TranscriptReader.super.line(part, sink));
  }

  @Override
  public void record(RecordValue record, TranscriptLine line, RecordSink sink) {
    String type = record.text("type");
    Instant at = time.take(record.text("timestamp"));
    facts(record, type);
    String uuid = record.text("uuid");
    String parent = uuid.isEmpty() ? last : record.text("parentUuid");
    String turnAbove = above.getOrDefault(parent, parent);
    if (!TURNS.contains(type) || isBookkeeping(record, type)) {
      if (!uuid.isEmpty()) {
        above.put(uuid, turnAbove);
      }
      if (TURNS.contains(type)) {
        sink.bookkeeping();
      } else {
        sink.unknown();
      }
      return;
    }
    String id = uuid.isEmpty() ? "line " + line.number() : uuid;
    last = id;
    List<String> parents = turnAbove.isEmpty() ? List.of() : List.of(turnAbove);
    sink.turn(new HistoryTurn(id, parents, kind(record, type), at, line.kept()));
  }

  /// A sub-agent writes an answer without parts that has only the usage of the next one.
  private static boolean isBookkeeping(RecordValue record, String type) {
    return type.equals("system")
        ? BOOKKEEPING.contains(record.text("subtype"))
        : type.equals("assistant") && record.get("message").get("parts").items().isEmpty();
  }

  private static String kind(RecordValue record, String type) {
    return switch (type) {
      case "tool_result" -> "result";
      case "system" -> record.text("subtype").equals("chat_compression") ? "compaction" : "system";
      default -> type;
    };
  }

  private void facts(RecordValue record, String type) {
    String id = record.text("sessionId");
    String from = record.get("forkedFrom").text("sessionId");
    if (record.get("isSidechain").isTrue() && !record.text("agentId").isEmpty()) {
      from = id; // a sub-agent has its parent's
      id = record.text("agentId");
    }
    session = id.isEmpty() ? session : id;
    link = link.isEmpty() ? from : link;
    folder = folder.isEmpty() ? record.text("cwd") : folder;
    switch (type) {
      case "system" -> title.given(record.get("systemPayload").text("customTitle"));
      case "user" -> prompt(record);
      case "assistant" -> usage(record);
      default -> {}
    }
  }

  private void prompt(RecordValue record) {
    for (RecordValue part : record.get("message").get("parts").items()) {
      String text = part.text("text");
      if (!text.isBlank() && !text.startsWith("<")) { // what begins so was put in by the program
        title.prompt(text);
      }
    }
  }

  /// Measurements repeat the same numbers, and so do sums elsewhere: only the answers' own count.
  private void usage(RecordValue record) {
    RecordValue spent = record.get("usageMetadata");
    String key = record.text("uuid");
    if (spent.isObject() && !key.isEmpty()) {
      usage.put(
          key,
          new UsageEvidence(
              key,
              spent.get("promptTokenCount").count(),
              spent.get("cachedContentTokenCount").count(),
              spent.get("candidatesTokenCount").count()));
    }
  }

  @Override
  public Optional<ReaderState> state() {
    List<String> kept = new ArrayList<>();
    above.entrySet().stream()
        .skip(Math.max(0, above.size() - ABOVE_KEPT_MAX))
        .forEach(
            entry -> {
              kept.add(entry.getKey());
              kept.add(entry.getValue());
            });
    return Optional.of(
        new ReaderState()
            .with("above", kept)
            .with("time", time.state())
            .with("title", title.state())
            .with("names", List.of(session, folder, link, last)));
  }

  /// A record below a forgotten one that is no turn names a parent that nobody knows.
  @Override
  public void resume(ReaderState state, List<UsageEvidence> known) {
    List<String> kept = state.list("above");
    for (int i = 0; i < kept.size(); i += 2) {
      above.put(kept.get(i), kept.get(i + 1));
    }
    time.resume(state.list("time"));
    title.resume(state.list("title"));
    session = state.list("names").get(0);
    folder = state.list("names").get(1);
    link = state.list("names").get(2);
    last = state.list("names").get(3);
    known.forEach(each -> usage.put(each.key(), each));
  }

  @Override
  public SessionFacts facts() {
    return SessionFacts.of(session, title, folder, link, time, usage.values());
  }
}
