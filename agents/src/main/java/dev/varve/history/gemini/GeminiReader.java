// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.gemini;

import dev.varve.history.RecordSink;
import dev.varve.history.RecordTime;
import dev.varve.history.RecordValue;
import dev.varve.history.SessionFacts;
import dev.varve.history.TranscriptLine;
import dev.varve.history.TranscriptReader;
import dev.varve.history.TranscriptTitle;
import dev.varve.history.UsageEvidence;
import dev.varve.history.gemini.MessageReplay.Message;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads a session of Gemini CLI: a log of edits, or the one document that older versions wrote.
///
/// A line adds a message or a later version of one, takes messages back (`$rewindTo`), or sets
/// fields (`$set`), among them the list of all messages. Each message of a list is a record, beside
/// the line itself.
final class GeminiReader implements TranscriptReader {

  private static final String CONTEXT = "<session_context>";
  private static final String SUMMARY = "<state_snapshot>";
  private static final Set<String> NOTICES = Set.of("info", "warning", "error");

  /// The longest document that is read.
  private static final int DOCUMENT_BYTES_MAX = 63 << 20;

  private final MessageReplay replay = new MessageReplay();
  private final RecordTime time = new RecordTime();
  private final TranscriptTitle title = new TranscriptTitle();
  private final Map<String, UsageEvidence> usage = new LinkedHashMap<>();
  private final String parent;

  private @Nullable ByteArrayOutputStream document;
  private String session = "";
  private String projectHash = "";
  private String folder = "";
  private String link = "";

  /// @param parent the session whose sub-agent wrote the transcript; empty for none
  GeminiReader(String parent) {
    this.parent = parent;
    this.link = parent;
  }

  @Override
  public void line(TranscriptLine line, RecordSink sink) {
    ByteArrayOutputStream open = document;
    if (open == null && line.number() == 1 && isOpening(line.raw())) {
      open = new ByteArrayOutputStream();
      document = open;
    }
    if (open == null) {
      TranscriptReader.super.line(line, sink);
    } else if (open.size() + line.raw().length < DOCUMENT_BYTES_MAX) {
      open.writeBytes(line.raw());
      open.write('\n');
    }
  }

  /// A document is laid out over many lines, the first of which is a brace.
  private static boolean isOpening(byte[] line) {
    int to = line.length;
    while (to > 0 && (line[to - 1] == '\r' || line[to - 1] == ' ')) {
      to--;
    }
    return to == 1 && line[0] == '{';
  }

  @Override
  public void end(RecordSink sink) {
    ByteArrayOutputStream whole = document;
    if (whole == null) {
      return;
    }
    byte[] bytes = whole.toByteArray();
    Optional<RecordValue> record = RecordValue.object(bytes);
    record.ifPresent(this::describe);
    if (messages(bytes, sink)) {
      sink.bookkeeping();
    } else {
      sink.unreadable("the document is damaged, torn or too long");
    }
  }

  @Override
  public void record(RecordValue record, TranscriptLine line, RecordSink sink) {
    RecordValue set = record.get("$set");
    if (record.get("$rewindTo").isString()) {
      replay.rewind(record.text("$rewindTo"));
      sink.bookkeeping();
    } else if (record.has("$set")) {
      describe(set);
      sink.bookkeeping();
      if (set.has("messages")) {
        boolean _ = messages(line.raw(), sink);
      }
    } else if (isMessage(record)) {
      message(record, line.raw(), sink);
    } else if (record.has("sessionId")) {
      describe(record);
      sink.bookkeeping();
      if (record.has("messages")) {
        boolean _ = messages(line.raw(), sink);
      }
    } else {
      sink.unknown();
    }
  }

  private static boolean isMessage(RecordValue record) {
    return !record.text("id").isEmpty() && record.has("type");
  }

  private void message(RecordValue record, byte[] bytes, RecordSink sink) {
    Message message = read(record, bytes);
    if (isEmptyAnswer(record)) {
      sink.bookkeeping();
    } else if (message.kind().equals("context")) {
      replay.begin(message, sink);
    } else {
      replay.add(message, sink);
    }
  }

  private boolean messages(byte[] json, RecordSink sink) {
    MessageReplay.NewList list = replay.newList();
    boolean whole =
        MessageList.read(
            json,
            bytes -> {
              Optional<RecordValue> record = RecordValue.object(bytes);
              if (record.filter(GeminiReader::isMessage).isEmpty()) {
                sink.unknown();
              } else if (isEmptyAnswer(record.get())) {
                sink.bookkeeping();
              } else {
                list.add(
                    read(record.get(), bytes),
                    message -> message.kind().equals("compaction"),
                    sink);
              }
            });
    list.end();
    return whole;
  }

  private Message read(RecordValue record, byte[] bytes) {
    Instant at = time.take(record.text("timestamp"));
    String kind = kind(record);
    String text = text(record);
    switch (kind) {
      case "user" -> {
        if (!text.startsWith("<")) { // what begins so was put in by the program
          title.prompt(text);
        }
      }
      case "context" -> folder(text);
      case "assistant" -> usage(record);
      case "info" -> {
        if (link.isEmpty() && record.text("id").startsWith("import-")) {
          link = text;
        }
      }
      default -> {}
    }
    boolean leftOut = kind.equals("context") || NOTICES.contains(kind);
    return new Message(record.text("id"), kind, at, bytes, leftOut);
  }

  private static String kind(RecordValue message) {
    String type = message.text("type");
    String text = text(message);
    return switch (type) {
      case "gemini" -> "assistant";
      case "user" ->
          text.startsWith(CONTEXT)
              ? "context"
              : text.startsWith(SUMMARY) ? "compaction" : isResult(message) ? "result" : "user";
      default -> NOTICES.contains(type) ? type : "message";
    };
  }

  private static String text(RecordValue message) {
    RecordValue content = message.get("content");
    String text = content.text();
    for (RecordValue part : content.items()) {
      text = text.isEmpty() ? part.text("text") : text;
    }
    return text;
  }

  private static boolean isResult(RecordValue message) {
    return message.get("content").items().stream().anyMatch(part -> part.has("functionResponse"));
  }

  /// An answer of which only the tokens are known yet, because its calls still run.
  private static boolean isEmptyAnswer(RecordValue message) {
    RecordValue content = message.get("content");
    return message.text("type").equals("gemini")
        && content.text().isBlank()
        && content.items().isEmpty()
        && message.get("thoughts").items().isEmpty()
        && message.get("toolCalls").items().isEmpty();
  }

  private void describe(RecordValue fields) {
    session = session.isEmpty() ? fields.text("sessionId") : session;
    projectHash = projectHash.isEmpty() ? fields.text("projectHash") : projectHash;
    Instant _ = time.take(fields.text("lastUpdated"));
    Instant _ = time.take(fields.text("startTime"));
    for (RecordValue directory : fields.get("directories").items()) {
      folder = folder.isEmpty() ? directory.text() : folder;
    }
    if (parent.isEmpty()) { // that of a sub-agent is its result
      title.made(fields.text("summary"));
    }
  }

  /// Takes the folder from the description of the surroundings: of all the folders in the text, the
  /// one that the project's hash was made of.
  private void folder(String text) {
    folder = folder.isEmpty() ? ProjectFolder.find(text, projectHash) : folder;
  }

  /// Keeps the last version of each answer: the agent counts each response for itself.
  private void usage(RecordValue answer) {
    RecordValue tokens = answer.get("tokens");
    if (tokens.isObject()) {
      String key = answer.text("id");
      long output = tokens.get("output").count() + tokens.get("thoughts").count();
      usage.put(
          key,
          new UsageEvidence(
              key, tokens.get("input").count(), tokens.get("cached").count(), output));
    }
  }

  @Override
  public SessionFacts facts() {
    return SessionFacts.of(session, title, folder, link, time, usage.values());
  }
}
