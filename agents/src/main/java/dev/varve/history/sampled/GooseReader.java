// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.sampled;

import dev.varve.history.RecordSink;
import dev.varve.history.RecordTime;
import dev.varve.history.RecordValue;
import dev.varve.history.SessionFacts;
import dev.varve.history.TranscriptLine;
import dev.varve.history.TranscriptReader;
import dev.varve.history.TranscriptTitle;
import dev.varve.history.records.MessageBlocks;
import dev.varve.history.records.RecordChain;
import dev.varve.history.rows.DatabaseRow;
import dev.varve.history.rows.RowLine;
import dev.varve.history.rows.RowPayload;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/// Reads a session of Goose, from rows or from a transcript: messages, one below the other. Their
/// times are seconds or milliseconds.
final class GooseReader implements TranscriptReader {

  private final RecordChain chain = new RecordChain();
  private final RecordTime time = new RecordTime();
  private final TranscriptTitle title = new TranscriptTitle();
  private String session = "";
  private String folder = "";
  private String link = "";

  @Override
  public void record(RecordValue record, TranscriptLine line, RecordSink sink) {
    if (record.has(RowLine.ROW)) {
      RowLine.find(line.raw())
          .ifPresentOrElse(row -> row(row, sink), () -> sink.unreadable("no row"));
    } else if (record.has("working_dir")) {
      session = record.text("id");
      folder = record.text("working_dir");
      title.made(record.text("description"));
      sink.bookkeeping();
    } else if (!record.text("role").isEmpty()) {
      prompt(record.text("role"), record.get("content"));
      Instant at = time.takeUnix(record.get("created").count());
      chain.turn("", "", record.text("role"), at, line.kept(), sink);
    } else {
      sink.unknown();
    }
  }

  private void row(DatabaseRow row, RecordSink sink) {
    switch (row.table()) {
      case "messages" -> {
        String role = row.text("role");
        String content = row.text("content_json");
        byte[] wrapped = ("{\"content\":" + content + "}").getBytes(StandardCharsets.UTF_8);
        RecordValue.object(wrapped).ifPresent(value -> prompt(role, value.get("content")));
        Instant at = time.takeUnix(row.number("created_timestamp"));
        chain.turn("", "", role, at, RowPayload.of(role, "content", content), sink);
      }
      case "sessions" -> {
        session = row.text("id");
        folder = row.text("working_dir");
        link = row.text("parent_session_id");
        title.made(row.text("description"));
        sink.bookkeeping();
      }
      default -> sink.bookkeeping();
    }
  }

  private void prompt(String role, RecordValue content) {
    if (role.equals("user")) {
      title.prompt(MessageBlocks.firstText(content));
    }
  }

  @Override
  public SessionFacts facts() {
    return SessionFacts.of(session, title, folder, link, time, List.of());
  }
}
