// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.gemini;

import dev.varve.history.PathHash;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A session of Gemini CLI, line by line.
final class MadeLog {

  static final String ID = "0a1b2c3d-0000-4000-8000-000000000001";
  static final String FOLDER = "/src/shop";
  static final String NAME = "session-2026-11-28T17-31-0a1b2c3d";

  private final List<String> lines = new ArrayList<>();
  private int clock;

  /// A log that begins as every log does: with its fields, and the surroundings in a list.
  static MadeLog begun() {
    return new MadeLog().meta().list(surroundings());
  }

  static String surroundings() {
    return user(
        "ctx",
        "<session_context>\\n- **Workspace Directories:**\\n  - /elsewhere\\n  - "
            + FOLDER
            + "\\n");
  }

  static String user(String id, String text) {
    return "{\"id\":\"%s\",\"timestamp\":\"2026-11-28T17:31:01.000Z\",\"type\":\"user\",\"content\":[{\"text\":\"%s\"}]}"
        .formatted(id, text);
  }

  static String result(String id, String call) {
    return "{\"id\":\"%s\",\"type\":\"user\",\"content\":[{\"functionResponse\":{\"id\":\"%s\",\"response\":{\"output\":\"ok\"}}}]}"
        .formatted(id, call);
  }

  static String answer(String id, String text, String more) {
    return "{\"id\":\"%s\",\"timestamp\":\"2026-11-28T17:31:02.000Z\",\"type\":\"gemini\",\"content\":\"%s\",\"thoughts\":[],\"tokens\":{\"input\":9,\"output\":2,\"cached\":1,\"thoughts\":3,\"tool\":0,\"total\":14},\"model\":\"m\"%s}"
        .formatted(id, text, more);
  }

  static String calls(String call) {
    return ",\"toolCalls\":[{\"id\":\"%s\",\"name\":\"read_file\",\"args\":{},\"status\":\"success\"}]"
        .formatted(call);
  }

  static String rebuilt(String id, String text) {
    return "{\"id\":\"%s\",\"type\":\"gemini\",\"content\":[{\"text\":\"%s\"}]}"
        .formatted(id, text);
  }

  static String info(String id, String text) {
    return "{\"id\":\"%s\",\"type\":\"info\",\"content\":\"%s\"}".formatted(id, text);
  }

  MadeLog meta() {
    return line(
        "{\"sessionId\":\"%s\",\"projectHash\":\"%s\",\"startTime\":\"2026-11-28T17:31:00.%03dZ\",\"kind\":\"main\"}"
            .formatted(ID, PathHash.of(FOLDER), ++clock));
  }

  MadeLog list(String... messages) {
    return line("{\"$set\":{\"messages\":[" + String.join(",", messages) + "]}}");
  }

  MadeLog line(String line) {
    lines.add(line);
    return this;
  }

  /// A prompt, a step with a call, and a last answer, as the agent writes them: 2 + 4 records.
  MadeLog step(String n) {
    return line(user("u" + n, "ask " + n))
        .line(answer("c" + n, "", ""))
        .line(answer("c" + n, "", calls("k" + n)))
        .line(result("r" + n, "k" + n))
        .line(answer("a" + n, "said " + n, ""));
  }

  /// What a list holds of a step after a resume: rebuilt, and the result twice.
  static String[] rebuiltStep(String n) {
    return new String[] {
      user("u" + n, "ask " + n),
      rebuilt("c" + n, ""),
      result("c" + n + "_response", "k" + n),
      result("r" + n, "k" + n),
      rebuilt("a" + n, "said " + n)
    };
  }

  String text() {
    return String.join("\n", lines) + "\n";
  }

  Path write(Path home) throws IOException {
    Path file = home.resolve("tmp/shop/chats").resolve(NAME + ".jsonl");
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text());
  }
}
