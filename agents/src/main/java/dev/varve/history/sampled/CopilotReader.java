// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.sampled;

import dev.varve.history.RecordSink;
import dev.varve.history.RecordTime;
import dev.varve.history.RecordValue;
import dev.varve.history.SessionFacts;
import dev.varve.history.TranscriptLine;
import dev.varve.history.TranscriptReader;
import dev.varve.history.TranscriptTitle;
import dev.varve.history.UsageEvidence;
import dev.varve.history.records.GluedRecords;
import dev.varve.history.records.RecordChain;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/// Reads the log of Copilot CLI: each event has an id and stands below the event that `parentId`
/// names; in older logs, which name none, below the one before it.
final class CopilotReader implements TranscriptReader {

  /// The file beside the log that has the session's name.
  static final String WORKSPACE = "workspace.yaml";

  /// Every event begins so.
  private static final byte[] START = "{\"type\"".getBytes(StandardCharsets.US_ASCII);

  private static final Map<String, String> TURNS =
      Map.of(
          "user.message", "user",
          "assistant.message", "assistant",
          "system.message", "system",
          "tool.execution_start", "call",
          "tool.execution_complete", "tool");

  private static final Set<String> AREAS =
      Set.of("session", "assistant", "tool", "user", "system", "hook", "abort", "subagent");

  private final RecordChain chain = new RecordChain();
  private final RecordTime time = new RecordTime();
  private final TranscriptTitle title = new TranscriptTitle();
  private final Map<String, UsageEvidence> usage = new LinkedHashMap<>();
  private String session = "";
  private String folder = "";
  private long part;

  @Override
  public void describe(String key, String slot, byte[] content) {
    if (slot.equals(WORKSPACE)) {
      new String(content, StandardCharsets.UTF_8)
          .lines()
          .filter(line -> line.startsWith("name:"))
          .map(line -> line.substring("name:".length()).strip())
          .forEach(name -> title.given(name.replaceAll("^([\"'])(.*)\\1$", "$2")));
    }
  }

  @Override
  public void line(TranscriptLine line, RecordSink sink) {
    GluedRecords.read(
        line,
        START,
        Set.of(),
        (record, each) -> record(record, each, sink),
        each -> TranscriptReader.super.line(each, sink));
  }

  @Override
  public void record(RecordValue record, TranscriptLine line, RecordSink sink) {
    String type = record.text("type");
    RecordValue data = record.get("data");
    Instant at = time.take(record.text("timestamp"));
    String id = record.text("id");
    String parent = record.text("parentId");
    String kind = TURNS.get(type);
    if (kind != null) {
      if (kind.equals("user")) {
        title.prompt(data.text("content"));
      }
      chain.turn(id, parent, kind, at, line.kept(), sink);
      return;
    }
    switch (type) {
      case "session.start" -> {
        session = data.text("sessionId");
        folder = data.get("context").text("cwd");
      }
      case "session.resume" -> part++;
      case "session.shutdown" -> usage(data.get("modelMetrics"));
      default -> {}
    }
    chain.skip(id, parent);
    if (AREAS.contains(type.replaceFirst("\\..*", ""))) {
      sink.bookkeeping();
    } else {
      sink.unknown();
    }
  }

  /// Each shutdown reports the sum since the log was begun or resumed, so that the last one of each
  /// such part counts.
  private void usage(RecordValue models) {
    for (String model : models.names()) {
      RecordValue spent = models.get(model).get("usage");
      String key = session + " " + part + " " + model;
      usage.put(
          key,
          new UsageEvidence(
              key,
              spent.get("inputTokens").count(),
              spent.get("cacheReadTokens").count(),
              spent.get("outputTokens").count()));
    }
  }

  @Override
  public SessionFacts facts() {
    return SessionFacts.of(session, title, folder, "", time, usage.values());
  }
}
