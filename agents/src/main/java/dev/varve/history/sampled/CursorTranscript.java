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
import java.util.List;

/// Reads a transcript of Cursor's command line: messages without ids and times, one below the
/// other.
final class CursorTranscript implements TranscriptReader {

  private final RecordChain chain = new RecordChain();
  private final TranscriptTitle title = new TranscriptTitle();

  @Override
  public void record(RecordValue record, TranscriptLine line, RecordSink sink) {
    String role = record.text("role");
    RecordValue content = record.get("message").get("content");
    if (role.equals("user") || role.equals("assistant")) {
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

  @Override
  public SessionFacts facts() {
    return SessionFacts.of("", title, "", "", new RecordTime(), List.of());
  }
}
