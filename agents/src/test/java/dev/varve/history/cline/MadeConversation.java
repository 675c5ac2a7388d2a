// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.cline;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A made-up conversation of Cline.
final class MadeConversation {

  private final String id;
  private final List<String> messages = new ArrayList<>();

  MadeConversation(String id) {
    this.id = id;
  }

  MadeConversation message(String rest) {
    messages.add(
        "    {\n      \"id\": \"msg_"
            + messages.size()
            + "\",\n      \"ts\": "
            + (1795888000000L + messages.size() * 1000L)
            + ",\n      "
            + rest
            + "\n    }");
    return this;
  }

  MadeConversation user(String text) {
    return message(
        "\"role\": \"user\", \"content\": [{\"type\": \"text\", \"text\": \"<user_input"
            + " mode=\\\"act\\\">"
            + text
            + "</user_input>\"}]");
  }

  MadeConversation answer(String text, int output) {
    return message(
        "\"role\": \"assistant\", \"content\": [{\"type\": \"text\", \"text\": \""
            + text
            + "\"}], \"metrics\": {\"inputTokens\": 10, \"outputTokens\": "
            + output
            + ", \"cacheReadTokens\": 7}");
  }

  MadeConversation result(String text) {
    return message(
        "\"role\": \"user\", \"content\": [{\"type\": \"tool_result\", \"tool_use_id\": \"c1\","
            + " \"content\": \""
            + text
            + "\"}]");
  }

  /// Takes the conversation back to its first messages.
  MadeConversation cut(int kept) {
    messages.subList(kept, messages.size()).clear();
    return this;
  }

  String document() {
    return "{\n  \"version\": 1,\n  \"agent\": \"lead\",\n  \"sessionId\": \""
        + id
        + "\",\n  \"messages\": [\n"
        + String.join(",\n", messages)
        + "\n  ],\n  \"system_prompt\": \"You {are} [Cline].\"\n}";
  }

  static String legacy(String... messages) {
    return "[" + String.join(",", messages) + "]";
  }

  /// The conversation and its manifest in an agent's home.
  Path write(Path home) throws IOException {
    Path folder = Files.createDirectories(home.resolve("data/sessions").resolve(id));
    Files.writeString(
        folder.resolve(id + ".json"),
        "{\"session_id\": \""
            + id
            + "\", \"cwd\": \"/src/shop\", \"metadata\": {\"title\": \"Fix the shop\"},"
            + " \"messages_path\": \"x\"}");
    return Files.writeString(folder.resolve(id + ".messages.json"), document());
  }
}
