// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.sampled;

import dev.varve.history.RecordSink;
import dev.varve.history.RecordTime;
import dev.varve.history.RecordValue;
import dev.varve.history.SessionFacts;
import dev.varve.history.TranscriptLine;
import dev.varve.history.TranscriptReader;
import dev.varve.history.TranscriptTitle;
import dev.varve.history.records.RecordChain;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/// Reads a transcript of Kiro's command line: messages, one below the other.
final class KiroReader implements TranscriptReader {

  private static final Map<String, String> TURNS =
      Map.of("Prompt", "user", "AssistantMessage", "assistant", "ToolResults", "tool");

  private final RecordChain chain = new RecordChain();
  private final RecordTime time = new RecordTime();
  private final TranscriptTitle title = new TranscriptTitle();
  private String session = "";
  private String folder = "";

  @Override
  public void describe(String key, String slot, byte[] content) {
    RecordValue.object(content)
        .ifPresent(
            about -> {
              session = about.text("session_id");
              folder = about.text("cwd");
              title.made(about.text("title"));
              time.take(about.text("created_at"));
              time.take(about.text("updated_at"));
            });
  }

  @Override
  public void record(RecordValue record, TranscriptLine line, RecordSink sink) {
    String kind = TURNS.get(record.text("kind"));
    if (kind == null) {
      sink.unknown();
      return;
    }
    RecordValue data = record.get("data");
    Instant at = time.takeUnix(data.get("meta").get("timestamp").count());
    if (kind.equals("user")) {
      for (RecordValue block : data.get("content").items()) {
        if (block.text("kind").equals("text")) {
          title.prompt(block.text("data"));
        }
      }
    }
    chain.turn(data.text("message_id"), "", kind, at, line.kept(), sink);
  }

  @Override
  public SessionFacts facts() {
    return SessionFacts.of(session, title, folder, "", time, List.of());
  }
}
