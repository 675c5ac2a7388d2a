// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.cline;

import dev.varve.history.RecordSink;
import dev.varve.history.RecordTime;
import dev.varve.history.RecordValue;
import dev.varve.history.SessionFacts;
import dev.varve.history.TranscriptLine;
import dev.varve.history.TranscriptReader;
import dev.varve.history.UsageEvidence;
import dev.varve.imports.StrictJson;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// Reads what Cline's extension shows of a task: it repeats the conversation, so all of it is
/// bookkeeping, but it alone has the usage.
final class ClineDisplay implements TranscriptReader {

  static final String FILE = "ui_messages.json";

  private final RecordTime time = new RecordTime();
  private final Map<String, UsageEvidence> usage = new LinkedHashMap<>();

  @Override
  public void record(RecordValue record, TranscriptLine line, RecordSink sink) {
    time.takeUnixMs(record.get("ts").count());
    if (record.text("say").equals("api_req_started")) {
      RecordValue.object(text(line.raw()).getBytes(StandardCharsets.UTF_8))
          .filter(request -> request.has("tokensIn"))
          .ifPresent(request -> usage("request " + record.text("ts"), request));
    }
    sink.bookkeeping();
  }

  /// The whole text of a message: the usage stands at its end.
  private static String text(byte[] message) {
    try (JsonParser json = StrictJson.parser(message, 0, message.length)) {
      json.nextToken();
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        boolean text = json.currentName().equals("text");
        if (json.nextToken() == JsonToken.VALUE_STRING && text) {
          return json.getString();
        }
        json.skipChildren();
      }
    } catch (JacksonException e) {
      // the record itself was read: it has no such text
    }
    return "";
  }

  private void usage(String key, RecordValue request) {
    long cached = request.get("cacheReads").count();
    long input = request.get("tokensIn").count() + cached + request.get("cacheWrites").count();
    usage.put(key, new UsageEvidence(key, input, cached, request.get("tokensOut").count()));
  }

  @Override
  public SessionFacts facts() {
    return new SessionFacts("", "", "", "", time.first(), time.last(), List.copyOf(usage.values()));
  }
}
