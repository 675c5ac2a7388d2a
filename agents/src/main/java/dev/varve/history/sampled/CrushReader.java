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
import dev.varve.history.records.RecordChain;
import dev.varve.history.rows.DatabaseRow;
import dev.varve.history.rows.RowLine;
import dev.varve.history.rows.RowPayload;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/// Reads the rows of a session of crush: messages, one below the other; then the versions of files,
/// which are bookkeeping; then the session itself.
final class CrushReader implements TranscriptReader {

  private final RecordChain chain = new RecordChain();
  private final RecordTime time = new RecordTime();
  private final TranscriptTitle title = new TranscriptTitle();
  private List<UsageEvidence> usage = List.of();
  private String session = "";
  private String link = "";

  @Override
  public void record(RecordValue record, TranscriptLine line, RecordSink sink) {
    if (record.has(RowLine.ROW)) {
      RowLine.find(line.raw())
          .ifPresentOrElse(row -> row(row, sink), () -> sink.unreadable("no row"));
    } else {
      sink.unknown();
    }
  }

  private void row(DatabaseRow row, RecordSink sink) {
    switch (row.table()) {
      case "messages" -> message(row, sink);
      case "sessions" -> {
        session = row.text("id");
        link = row.text("parent_session_id");
        title.made(row.text("title"));
        usage =
            List.of(
                new UsageEvidence(
                    session, row.number("prompt_tokens"), 0, row.number("completion_tokens")));
        sink.bookkeeping();
      }
      default -> sink.bookkeeping();
    }
  }

  private void message(DatabaseRow row, RecordSink sink) {
    String role = row.text("role");
    String parts = row.text("parts");
    if (role.equals("user")) {
      byte[] wrapped = ("{\"parts\":" + parts + "}").getBytes(StandardCharsets.UTF_8);
      RecordValue.object(wrapped)
          .ifPresent(
              value ->
                  value.get("parts").items().stream()
                      .filter(part -> part.text("type").equals("text"))
                      .forEach(part -> title.prompt(part.get("data").text("text"))));
    }
    Instant at = time.takeUnix(row.number("created_at"));
    String kind = row.number("is_summary_message") == 0 ? role : "compaction";
    chain.turn("", "", kind, at, RowPayload.of(role, "parts", parts), sink);
  }

  @Override
  public SessionFacts facts() {
    return SessionFacts.of(session, title, "", link, time, usage);
  }
}
