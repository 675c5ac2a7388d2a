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
import dev.varve.history.UsageEvidence;
import dev.varve.history.records.MessageBlocks;
import dev.varve.history.records.RecordChain;
import dev.varve.history.rows.DatabaseRow;
import dev.varve.history.rows.RowLine;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Reads a conversation of Cursor: messages, one below the other. Those of a transcript have
/// neither ids nor times; those of a database stand before the row of the conversation.
final class CursorReader implements TranscriptReader {

  private final RecordChain chain = new RecordChain();
  private final RecordTime time = new RecordTime();
  private final TranscriptTitle title = new TranscriptTitle();
  private final Map<String, UsageEvidence> usage = new LinkedHashMap<>();
  private String session = "";

  @Override
  public void record(RecordValue record, TranscriptLine line, RecordSink sink) {
    String role = record.text("role");
    RecordValue content = record.get("message").get("content");
    if (record.has(RowLine.ROW)) {
      RowLine.find(line.raw())
          .ifPresentOrElse(row -> row(row, sink), () -> sink.unreadable("no row"));
    } else if (role.equals("user") || role.equals("assistant")) {
      String kind = MessageBlocks.kind(role, content);
      if (kind.equals("user")) {
        title.prompt(MessageBlocks.firstText(content));
      }
      chain.turn("", "", kind, null, line.kept(), sink);
    } else if (record.text("type").equals("turn_ended")) {
      sink.bookkeeping();
    } else {
      sink.unknown();
    }
  }

  private void row(DatabaseRow row, RecordSink sink) {
    byte[] bytes = bytes(row);
    RecordValue value = RecordValue.object(bytes).orElse(RecordValue.NONE);
    String key = row.text("key");
    if (key.startsWith("composerData:")) {
      session = key.substring("composerData:".length());
      title.given(value.text("name"));
      time.takeUnixMs(value.get("createdAt").count());
      time.takeUnixMs(value.get("lastUpdatedAt").count());
      sink.bookkeeping();
    } else if (!session.isEmpty() || !value.isObject()) {
      sink.bookkeeping(); // not listed, or deleted
    } else {
      message(key, value, bytes, sink);
    }
  }

  private void message(String key, RecordValue value, byte[] bytes, RecordSink sink) {
    boolean asked = value.get("type").count() == 1;
    if (asked) {
      title.prompt(value.text("text"));
    }
    RecordValue spent = value.get("tokenCount");
    if (spent.isObject()) {
      long input = spent.get("inputTokens").count();
      long output = spent.get("outputTokens").count();
      usage.put(key, new UsageEvidence(key, input, 0, output));
    }
    String kind = asked ? "user" : value.get("toolFormerData").isObject() ? "tool" : "assistant";
    chain.turn("", "", kind, null, Payload.wrap(bytes), sink);
  }

  private static byte[] bytes(DatabaseRow row) {
    return row.columns().get("value") instanceof byte[] blob
        ? blob
        : row.text("value").getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public SessionFacts facts() {
    return SessionFacts.of(session, title, "", "", time, List.copyOf(usage.values()));
  }
}
