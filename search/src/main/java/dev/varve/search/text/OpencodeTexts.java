// SPDX-License-Identifier: Apache-2.0
package dev.varve.search.text;

/// The texts of a row of opencode's database: a message, or a part of a message.
///
/// The kind of a turn has the role of a text (`opencode.user`, `opencode.assistant`). One part
/// holds a call of a tool together with the result; a call that still runs has no result.
final class OpencodeTexts {

  private OpencodeTexts() {}

  /// Reads a row.
  ///
  /// @param kind the type of the turn behind `opencode.`
  static void read(String kind, PayloadNode row, TextSink sink) {
    switch (kind) {
      case "user" -> sink.add(TextKind.PROMPT, row.textOf("text"));
      case "assistant" -> sink.add(TextKind.ANSWER, row.textOf("text"));
      case "reasoning" -> sink.add(TextKind.THINKING, row.textOf("text"));
      case "tool" -> tool(row, sink);
      case "subtask" -> sink.add(TextKind.PROMPT, row.textOf("prompt"));
      case "file" -> sink.add(TextKind.PATH, row.textOf("filename"));
      case "message", "retry" -> error(row.get("error"), sink);
      default -> {
        // Kinds of parts without words.
      }
    }
  }

  private static void tool(PayloadNode part, TextSink sink) {
    PayloadNode state = part.get("state");
    String tool = part.textOf("tool");
    String id = part.textOf("callID");
    sink.call(tool, id, state.get("input"));
    boolean failed = state.textOf("status").equals("error");
    String said = state.textOf("output", "error");
    if (failed || !said.isEmpty()) {
      sink.result(tool, id, said, failed, state.get("metadata").get("exit").text());
    }
  }

  private static void error(PayloadNode error, TextSink sink) {
    String said = error.get("data").textOf("message");
    sink.add(TextKind.TEXT, said.isEmpty() ? error.textOf("message", "name") : said);
  }
}
