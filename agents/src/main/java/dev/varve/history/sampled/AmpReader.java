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
import dev.varve.history.records.DocumentOutline;
import dev.varve.history.records.MessageBlocks;
import dev.varve.history.records.RecordChain;
import java.net.URI;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Reads a thread of Amp: the messages of a document, one below the other. A thread that was cut
/// back and went on elsewhere shares the turns before the cut with the version before.
final class AmpReader implements TranscriptReader {

  private final DocumentOutline outline = new DocumentOutline();
  private final RecordChain chain = new RecordChain();
  private final RecordTime time = new RecordTime();
  private final TranscriptTitle title = new TranscriptTitle();
  private final Map<String, RecordValue> usage = new LinkedHashMap<>();
  private int nameless;

  @Override
  public void between(TranscriptLine piece, RecordSink sink) {
    outline.piece(piece.raw());
    TranscriptReader.super.between(piece, sink);
  }

  @Override
  public void record(RecordValue record, TranscriptLine line, RecordSink sink) {
    outline.item();
    String role = record.text("role");
    if (!role.equals("user") && !role.equals("assistant")) {
      sink.unknown();
      return;
    }
    RecordValue spent = record.get("usage");
    Instant at = time.take(spent.text("timestamp"));
    if (spent.isObject()) {
      String message = record.text("messageId");
      usage.put(message.isEmpty() ? "without id " + nameless++ : message, spent);
    }
    String kind = MessageBlocks.kind(role, record.get("content"));
    if (kind.equals("user")) {
      title.prompt(MessageBlocks.firstText(record.get("content")));
    }
    chain.turn("", "", kind, at, line.kept(), sink);
  }

  @Override
  public SessionFacts facts() {
    RecordValue thread = outline.value();
    time.takeUnixMs(thread.get("created").count());
    title.made(thread.text("title"));
    String id = thread.text("id");
    List<UsageEvidence> counted =
        usage.entrySet().stream().map(each -> usage(id, each.getKey(), each.getValue())).toList();
    List<RecordValue> trees = thread.get("env").get("initial").get("trees").items();
    String folder = trees.isEmpty() ? "" : path(trees.getFirst().text("uri"));
    return SessionFacts.of(id, title, folder, "", time, counted);
  }

  private static UsageEvidence usage(String thread, String message, RecordValue spent) {
    return new UsageEvidence(
        thread + " " + message,
        spent.get("totalInputTokens").count(),
        spent.get("cacheReadInputTokens").count(),
        spent.get("outputTokens").count());
  }

  private static String path(String uri) {
    try {
      String path = uri.startsWith("file:") ? URI.create(uri).getPath() : null;
      return path == null ? "" : path;
    } catch (IllegalArgumentException e) {
      return "";
    }
  }
}
