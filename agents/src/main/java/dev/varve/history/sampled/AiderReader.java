// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.sampled;

import dev.varve.Payload;
import dev.varve.history.RecordSink;
import dev.varve.history.RecordTime;
import dev.varve.history.RecordValue;
import dev.varve.history.SessionFacts;
import dev.varve.history.TranscriptLine;
import dev.varve.history.TranscriptReader;
import dev.varve.history.TranscriptTitle;
import dev.varve.history.records.RecordChain;
import dev.varve.imports.StrictJson;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Reads the Markdown of aider. Lines of one kind that follow each other are a record: `#### ` the
/// user's, `> ` aider's own, all others the model's. Inside a block of code every line is the
/// model's. Each launch begins a tree of its own.
///
/// Aider puts an empty line before and behind each prompt, and before and behind each answer. So an
/// empty line ends a record, but an answer, which may have such lines, ends with two. The last
/// record is a turn as soon as aider will not go on with it: a turn never changes.
final class AiderReader implements TranscriptReader {

  private static final String LAUNCH = "# aider chat started at ";
  private static final String USER = "#### ";
  private static final String TOOL = "> ";
  private static final String FENCE = "```";

  /// The longest text of a turn. A longer record, such as a block of code that is never closed, is
  /// several turns.
  private static final int TEXT_CHARS_MAX = 1 << 20;

  private final RecordChain chain = new RecordChain();
  private final TranscriptTitle title = new TranscriptTitle();
  private final StringBuilder text = new StringBuilder();
  private String kind = "";
  private String fence = "";
  private String launch = "";
  private boolean torn;

  @Override
  public void line(TranscriptLine line, RecordSink sink) {
    torn = !line.ended();
    String said = new String(line.raw(), StandardCharsets.UTF_8).stripTrailing();
    if (said.startsWith(LAUNCH)) {
      flush(sink);
      fence = ""; // what was killed may have left one open
      launch = said.substring(LAUNCH.length());
      chain.restart();
      sink.bookkeeping();
    } else if (fence.isEmpty() && (said + " ").startsWith(USER)) {
      add("user", said.substring(Math.min(said.length(), USER.length())), sink);
    } else if (fence.isEmpty() && (said + " ").startsWith(TOOL)) {
      add("tool", said.substring(Math.min(said.length(), TOOL.length())), sink);
    } else if (said.isEmpty()) {
      empty(sink);
    } else {
      fence(said);
      add("assistant", said, sink);
    }
  }

  /// Notices the beginning and the end of a block of code.
  private void fence(String line) {
    if (fence.isEmpty() && line.startsWith(FENCE)) {
      fence = line.replaceFirst("[^`].*", "");
    } else if (line.equals(fence)) {
      fence = "";
    }
  }

  /// Takes an empty line.
  private void empty(RecordSink sink) {
    boolean goesOn = kind.equals("assistant") && !(fence.isEmpty() && isEnded());
    if (goesOn) {
      append("\n", sink);
    } else {
      flush(sink);
    }
  }

  /// Says whether an empty line stands behind the text.
  private boolean isEnded() {
    return text.length() > 1 && text.charAt(text.length() - 2) == '\n';
  }

  private void add(String of, String line, RecordSink sink) {
    if (!of.equals(kind)) {
      flush(sink);
      kind = of;
    }
    append(line + "\n", sink);
  }

  private void append(String more, RecordSink sink) {
    String of = kind;
    int from = 0;
    while (more.length() - from > TEXT_CHARS_MAX - text.length()) {
      int to = from + TEXT_CHARS_MAX - text.length();
      to -= to > from && Character.isHighSurrogate(more.charAt(to - 1)) ? 1 : 0;
      text.append(more, from, to);
      flush(sink);
      kind = of;
      from = to;
    }
    text.append(more, from, more.length());
  }

  private void flush(RecordSink sink) {
    String said = text.toString().strip();
    text.setLength(0);
    if (kind.isEmpty()) {
      return;
    }
    if (kind.equals("user")) {
      title.prompt(said);
    }
    byte[] bytes =
        StrictJson.write(
            json -> {
              json.writeStartObject();
              json.writeStringProperty("role", kind);
              json.writeStringProperty("text", said);
              json.writeStringProperty("launch", launch);
              json.writeEndObject();
            });
    chain.turn("", "", kind, null, Payload.wrap(bytes), sink);
    kind = "";
  }

  @Override
  public void record(RecordValue record, TranscriptLine line, RecordSink sink) {
    sink.unknown(); // a history of aider has no records of JSON
  }

  @Override
  public void end(RecordSink sink) {
    boolean ended = kind.equals("user") || kind.equals("assistant") && fence.isEmpty() && isEnded();
    if (ended && !torn) {
      flush(sink);
    } else if (!kind.isEmpty()) {
      sink.bookkeeping();
    }
  }

  @Override
  public SessionFacts facts() {
    return SessionFacts.of("", title, "", "", new RecordTime(), List.of());
  }
}
