// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.qwen;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A transcript of Qwen Code, record by record, each below the one before.
final class MadeQwenTranscript {

  private final String session;
  private final String forkedFrom;
  private final List<String> lines = new ArrayList<>();
  private @Nullable String last;

  MadeQwenTranscript(String session) {
    this(session, "");
  }

  MadeQwenTranscript(String session, String forkedFrom) {
    this.session = session;
    this.forkedFrom = forkedFrom;
  }

  static String id(int n) {
    return "00000000-0000-4000-8000-00000000000" + n;
  }

  MadeQwenTranscript user(String uuid, String text) {
    return record(
        uuid, "user", "\"message\":{\"role\":\"user\",\"parts\":[{\"text\":\"" + text + "\"}]}");
  }

  MadeQwenTranscript answer(String uuid, String parts) {
    return record(
        uuid,
        "assistant",
        "\"message\":{\"role\":\"model\",\"parts\":["
            + parts
            + "]},\"usageMetadata\":{\"promptTokenCount\":9,\"candidatesTokenCount\":4,"
            + "\"thoughtsTokenCount\":1,\"totalTokenCount\":13,\"cachedContentTokenCount\":2}");
  }

  MadeQwenTranscript result(String uuid, String call) {
    return record(
        uuid,
        "tool_result",
        "\"message\":{\"role\":\"user\",\"parts\":[{\"functionResponse\":{\"id\":\""
            + call
            + "\",\"response\":{\"output\":\"ok\"}}}]}");
  }

  MadeQwenTranscript system(String uuid, String subtype, String payload) {
    return record(
        uuid, "system", "\"subtype\":\"" + subtype + "\",\"systemPayload\":{" + payload + "}");
  }

  /// The next record stands below another one.
  MadeQwenTranscript below(@Nullable String parent) {
    last = parent;
    return this;
  }

  MadeQwenTranscript raw(String line) {
    lines.add(line);
    return this;
  }

  private MadeQwenTranscript record(String uuid, String type, String more) {
    String fork =
        forkedFrom.isEmpty()
            ? ""
            : ",\"forkedFrom\":{\"sessionId\":\"%s\",\"messageUuid\":\"%s\"}"
                .formatted(forkedFrom, uuid);
    lines.add(
        "{\"uuid\":\"%s\",\"parentUuid\":%s,\"sessionId\":\"%s\",\"timestamp\":\"2026-11-28T17:00:00.000Z\",\"type\":\"%s\",\"cwd\":\"/src/shop\",%s%s}"
            .formatted(uuid, last == null ? "null" : '"' + last + '"', session, type, more, fork));
    last = uuid;
    return this;
  }

  String text() {
    return String.join("\n", lines) + "\n";
  }

  Path write(Path home) throws IOException {
    Path file = home.resolve("projects/-src-shop/chats").resolve(session + ".jsonl");
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text());
  }
}
