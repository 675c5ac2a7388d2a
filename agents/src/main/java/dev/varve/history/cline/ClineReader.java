// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.cline;

import dev.varve.history.HistoryFile;
import dev.varve.history.HistoryTurn;
import dev.varve.history.RecordSink;
import dev.varve.history.RecordTime;
import dev.varve.history.RecordValue;
import dev.varve.history.SessionFacts;
import dev.varve.history.TranscriptLine;
import dev.varve.history.TranscriptReader;
import dev.varve.history.TranscriptTitle;
import dev.varve.history.UsageEvidence;
import dev.varve.history.records.MessageBlocks;
import dev.varve.imports.LineReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads a conversation of Cline: each message is a turn below the one before it.
///
/// Cline writes the whole document anew. A document that was cut back and went on elsewhere shares
/// the turns before the cut with the version before.
final class ClineReader implements TranscriptReader {

  /// The list of the extension's tasks, with their titles and folders.
  static final String TASKS = "taskHistory.json";

  /// Roo Code's description of one task.
  static final String TASK = "history_item.json";

  private static final int TASK_BYTES_MAX = 1 << 20;

  /// The element that Cline puts around a prompt. The end of a long prompt is not at hand.
  private static final Pattern WRAPPED =
      Pattern.compile(
          "<(task|user_input|user_message|feedback)[^>]*>(.*?)(?:</\\1>.*)?", Pattern.DOTALL);

  private final boolean main;
  private final String name;
  private final RecordTime time = new RecordTime();
  private final TranscriptTitle title = new TranscriptTitle();
  private final Map<String, UsageEvidence> usage = new LinkedHashMap<>();
  private String session = "";
  private String folder = "";
  private String link = "";
  private String last = "";
  private long number;

  /// @param slot of the conversation
  ClineReader(String slot) {
    main = slot.equals(HistoryFile.MAIN);
    name = slot.replace(".messages.json", "");
  }

  @Override
  public void describe(String key, String slot, byte[] content) {
    session = session.isEmpty() ? key : session;
    if (slot.equals(TASKS)) {
      tasks(key, content);
    } else if (slot.equals(TASK)) {
      RecordValue.object(content).ifPresent(this::task);
    } else {
      RecordValue.object(content).ifPresent(this::manifest);
    }
  }

  private void manifest(RecordValue manifest) {
    session = manifest.text("session_id").isEmpty() ? session : manifest.text("session_id");
    folder = manifest.text("cwd");
    if (main) {
      title.given(manifest.get("metadata").text("title"));
    }
  }

  private void task(RecordValue task) {
    title.given(task.text("task"));
    folder = task.text("workspace");
    link = task.text("parentTaskId");
  }

  private void tasks(String key, byte[] content) {
    try (LineReader items =
        new LineReader(
                new ByteArrayInputStream(content), content.length, TASK_BYTES_MAX, -1, _ -> {})
            .items()) {
      while (items.next()) {
        byte[] bytes = Arrays.copyOfRange(items.buffer(), items.from(), items.to());
        RecordValue.object(bytes)
            .filter(task -> !items.between() && task.text("id").equals(key))
            .ifPresent(
                task -> {
                  title.given(task.text("task"));
                  folder = task.text("cwdOnTaskInitialization");
                });
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e); // an array does not fail
    }
  }

  @Override
  public void record(RecordValue record, TranscriptLine line, RecordSink sink) {
    String role = record.text("role");
    Instant at = time.takeUnixMs(record.get("ts").count());
    if (!role.equals("user") && !role.equals("assistant")) {
      sink.unknown();
      return;
    }
    if (role.equals("user")) {
      prompt(record);
    }
    usage(record);
    String id = Long.toString(number++);
    List<String> parents = last.isEmpty() ? List.of() : List.of(last);
    last = id;
    sink.turn(new HistoryTurn(id, parents, kind(record, role), at, line.kept()));
  }

  private static String kind(RecordValue record, String role) {
    if (record.get("metadata").text("displayRole").equals("error")) {
      return "error";
    }
    return MessageBlocks.kind(role, record.get("content"));
  }

  private void prompt(RecordValue message) {
    String text = MessageBlocks.firstText(message.get("content"));
    Matcher wrapped = WRAPPED.matcher(text.strip());
    title.prompt(wrapped.matches() ? wrapped.group(2) : text);
  }

  private void usage(RecordValue message) {
    RecordValue spent = message.get("metrics");
    String id = message.text("id");
    if (spent.isObject() && !id.isEmpty()) {
      String key = session + " " + id;
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
    return SessionFacts.of(
        main ? session : name, title, folder, main ? link : session, time, usage.values());
  }
}
