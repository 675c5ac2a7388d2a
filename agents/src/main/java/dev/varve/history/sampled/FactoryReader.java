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
import dev.varve.history.records.MessageBlocks;
import dev.varve.history.records.RecordChain;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/// Reads a transcript of Factory's droid: messages that name their parents, and states.
final class FactoryReader implements TranscriptReader {

  /// The end of the name of the file with the tokens of the whole session.
  static final String SETTINGS = ".settings.json";

  private static final Set<String> BOOKKEEPING =
      Set.of("session_start", "todo_state", "compaction_state");

  private final RecordChain chain = new RecordChain();
  private final RecordTime time = new RecordTime();
  private final TranscriptTitle title = new TranscriptTitle();
  private List<UsageEvidence> usage = List.of();
  private String session = "";
  private String folder = "";

  @Override
  public void describe(String key, String slot, byte[] content) {
    RecordValue spent =
        RecordValue.object(content).map(settings -> settings.get("tokenUsage")).orElse(null);
    if (spent != null && spent.isObject()) {
      long cached = spent.get("cacheReadTokens").count();
      long input =
          spent.get("inputTokens").count() + cached + spent.get("cacheCreationTokens").count();
      usage = List.of(new UsageEvidence(key, input, cached, spent.get("outputTokens").count()));
    }
  }

  @Override
  public void record(RecordValue record, TranscriptLine line, RecordSink sink) {
    String type = record.text("type");
    String id = record.text("id");
    String parent = record.text("parentId");
    Instant at = time.take(record.text("timestamp"));
    if (type.equals("message")) {
      RecordValue message = record.get("message");
      String kind = MessageBlocks.kind(message.text("role"), message.get("content"));
      if (kind.equals("user")) {
        title.prompt(MessageBlocks.firstText(message.get("content")));
      }
      chain.turn(id, parent, kind, at, line.kept(), sink);
      return;
    }
    if (type.equals("session_start")) {
      session = id;
      folder = record.text("cwd");
      title.made(record.text("title"));
    } else {
      chain.skip(id, parent);
    }
    if (BOOKKEEPING.contains(type)) {
      sink.bookkeeping();
    } else {
      sink.unknown();
    }
  }

  @Override
  public SessionFacts facts() {
    return SessionFacts.of(session, title, folder, "", time, usage);
  }
}
