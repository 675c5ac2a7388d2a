// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.claude;

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
import dev.varve.history.records.MessageBlocks;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Reads a transcript of Claude Code: the turns are the records with a `uuid`, each below the
/// record that its `parentUuid` names.
///
/// A summary that begins a new tree after a compaction is joined to the old tree by
/// `logicalParentUuid`. The results of tools that ran at the same time stand in one line, though
/// each names the call that it answers ([AnswerGroup]).
final class ClaudeReader implements TranscriptReader {

  private static final Set<String> BOOKKEEPING =
      Set.of(
          "agent-name",
          "ai-title",
          "api-request",
          "api-request-blob",
          "api-request-shape",
          "atis-latch",
          "cost-state",
          "custom-title",
          "file-history-delta",
          "file-history-snapshot",
          "last-prompt",
          "mode",
          "permission-mode",
          "pr-link",
          "progress",
          "queue-operation",
          "relocated",
          "result",
          "started",
          "summary",
          "tools-used",
          "worktree-state");

  private static final Set<String> TURNS = Set.of("user", "assistant", "attachment", "system");

  private final AnswerGroup group = new AnswerGroup();
  private final RecordTime time = new RecordTime();
  private final TranscriptTitle title = new TranscriptTitle();
  private final Map<String, UsageEvidence> usage = new LinkedHashMap<>();

  private String session = "";
  private String folder = "";
  private String link = "";
  private String last = "";

  @Override
  public void record(RecordValue record, TranscriptLine line, RecordSink sink) {
    String type = record.text("type");
    Instant at = time.take(record.text("timestamp"));
    facts(record, type);
    String uuid = record.text("uuid");
    if (!TURNS.contains(type) || uuid.isEmpty() && type.equals("system")) {
      if (BOOKKEEPING.contains(type)) {
        sink.bookkeeping();
      } else {
        sink.unknown();
      }
      return;
    }
    String id = uuid.isEmpty() ? "line " + line.number() : uuid;
    List<String> parents = parents(record, type, id);
    last = id;
    sink.turn(new HistoryTurn(id, parents, type, at, line.kept()));
  }

  private List<String> parents(RecordValue record, String type, String id) {
    if (record.text("uuid").isEmpty()) {
      return last.isEmpty() ? List.of() : List.of(last); // records of other tools, without a tree
    }
    String parent = record.text("parentUuid");
    String joined = record.text("logicalParentUuid");
    String chosen = parent.isEmpty() ? joined : group.parent(record, type, parent);
    group.take(record, type, id, chosen);
    List<String> parents = new ArrayList<>(2);
    if (!chosen.isEmpty()) {
      parents.add(chosen);
    }
    if (!parent.isEmpty() && !parent.equals(chosen)) {
      parents.add(parent);
    }
    return parents;
  }

  private void facts(RecordValue record, String type) {
    String id = record.text("sessionId");
    session = id.isEmpty() ? session : id;
    folder = folder.isEmpty() ? record.text("cwd") : folder;
    link(record);
    switch (type) {
      case "custom-title" -> title.given(record.text("customTitle"));
      case "ai-title" -> title.made(record.text("aiTitle"));
      case "summary" -> title.made(record.text("summary"));
      case "user" -> prompt(record);
      case "assistant" -> usage(record);
      default -> {}
    }
  }

  private void link(RecordValue record) {
    String from = record.get("forkedFrom").text("sessionId");
    if (from.isEmpty()) {
      from = record.text("requestSessionId");
    }
    if (from.isEmpty()) {
      from = record.text("session_id");
    }
    if (link.isEmpty() && !from.equals(record.text("sessionId"))) {
      link = from;
    }
  }

  private void prompt(RecordValue record) {
    if (record.get("isMeta").isTrue() || record.get("isCompactSummary").isTrue()) {
      return;
    }
    String text = MessageBlocks.firstText(record.get("message").get("content"));
    if (!text.isBlank() && !text.startsWith("<")) { // what begins so was put in by the program
      title.prompt(text);
    }
  }

  /// Keeps the greatest answer of each response: older versions wrote the first records of a
  /// response before it was complete.
  private void usage(RecordValue record) {
    RecordValue message = record.get("message");
    RecordValue spent = message.get("usage");
    String key = message.text("id");
    if (!spent.isObject() || key.isEmpty() || message.text("model").equals("<synthetic>")) {
      return;
    }
    long cached = spent.get("cache_read_input_tokens").count();
    long input =
        spent.get("input_tokens").count()
            + cached
            + spent.get("cache_creation_input_tokens").count();
    UsageEvidence found = new UsageEvidence(key, input, cached, spent.get("output_tokens").count());
    usage.merge(key, found, (a, b) -> b.output() > a.output() ? b : a);
  }

  @Override
  public Optional<ReaderState> state() {
    return group
        .state()
        .map(
            answer ->
                new ReaderState()
                    .with("answer", answer)
                    .with("time", time.state())
                    .with("title", title.state())
                    .with("names", List.of(session, folder, link, last)));
  }

  @Override
  public void resume(ReaderState state, List<UsageEvidence> known) {
    group.resume(state.list("answer"));
    time.resume(state.list("time"));
    title.resume(state.list("title"));
    List<String> names = state.list("names");
    session = names.get(0);
    folder = names.get(1);
    link = names.get(2);
    last = names.get(3);
    known.forEach(each -> usage.put(each.key(), each));
  }

  @Override
  public SessionFacts facts() {
    return SessionFacts.of(session, title, folder, link, time, usage.values());
  }
}
