// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.claude;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A made-up transcript of Claude Code.
final class MadeTranscript {

  private final String session;
  private final List<String> lines = new ArrayList<>();

  MadeTranscript(String session) {
    this.session = session;
  }

  static String id(int number) {
    return "00000000-0000-4000-8000-" + String.format("%012d", number);
  }

  MadeTranscript line(String line) {
    lines.add(line);
    return this;
  }

  private MadeTranscript record(String uuid, String parent, String type, String rest) {
    return line(
        "{\"parentUuid\":"
            + (parent == null ? "null" : "\"" + parent + "\"")
            + ",\"isSidechain\":false,\"promptId\":\"p-"
            + session
            + "\",\"type\":\""
            + type
            + "\","
            + rest
            + ",\"uuid\":\""
            + uuid
            + "\",\"timestamp\":\"2026-11-28T10:00:"
            + String.format("%02d", lines.size() % 60)
            + ".000Z\",\"cwd\":\"/src/shop\",\"sessionId\":\""
            + session
            + "\",\"version\":\"2.1.0\"}");
  }

  MadeTranscript user(String uuid, String parent, String text) {
    return record(
        uuid, parent, "user", "\"message\":{\"role\":\"user\",\"content\":\"" + text + "\"}");
  }

  MadeTranscript attachment(String uuid, String parent, String text) {
    return record(
        uuid, parent, "attachment", "\"attachment\":{\"type\":\"date\",\"date\":\"" + text + "\"}");
  }

  MadeTranscript answer(String uuid, String parent, String message, String text, int output) {
    return block(uuid, parent, message, "{\"type\":\"text\",\"text\":\"" + text + "\"}", output);
  }

  MadeTranscript call(String uuid, String parent, String message, String tool) {
    return block(
        uuid,
        parent,
        message,
        "{\"type\":\"tool_use\",\"id\":\"" + tool + "\",\"name\":\"Bash\",\"input\":{}}",
        5);
  }

  private MadeTranscript block(
      String uuid, String parent, String message, String block, int output) {
    return record(
        uuid,
        parent,
        "assistant",
        "\"message\":{\"id\":\""
            + message
            + "\",\"role\":\"assistant\",\"model\":\"m\",\"content\":["
            + block
            + "],\"usage\":{\"input_tokens\":10,\"cache_read_input_tokens\":7,"
            + "\"output_tokens\":"
            + output
            + "}}");
  }

  MadeTranscript result(String uuid, String parent, String tool, String text) {
    return record(
        uuid,
        parent,
        "user",
        "\"message\":{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\","
            + "\"tool_use_id\":\""
            + tool
            + "\",\"content\":\""
            + text
            + "\"}]}");
  }

  MadeTranscript boundary(String uuid, String logicalParent) {
    return record(
        uuid,
        null,
        "system",
        "\"subtype\":\"compact_boundary\",\"logicalParentUuid\":\"" + logicalParent + "\"");
  }

  List<String> lines() {
    return lines;
  }

  /// The transcript in an agent's home.
  Path write(Path home) throws IOException {
    Path file = home.resolve("projects/-src-shop").resolve(session + ".jsonl");
    Files.createDirectories(file.getParent());
    Files.writeString(file, String.join("\n", lines) + "\n");
    return file;
  }
}
