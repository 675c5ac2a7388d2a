// SPDX-License-Identifier: Apache-2.0
package dev.varve.search.text;

import java.util.Set;

/// The texts of a line in the transcript of an agent: a message with blocks, as the APIs of
/// language models have them, inside the envelope of the agent.
///
/// Pi: `{"type":"message","message":{"role":…,"content":[…]}}`; Claude Code:
/// `{"type":"user","message":{…}}`; Codex: `{"type":"response_item","payload":{…}}`; Gemini CLI:
/// `{"type":"gemini","content":…,"toolCalls":[…]}`; Qwen Code: `{"type":"user","message":{"parts":
/// […]}}`; others: `{"role":…,"content":…}`.
final class MessageTexts {

  /// Members of other JSON that name things and say nothing.
  private static final Set<String> NAMES =
      Set.of("id", "type", "uuid", "parentId", "parentUuid", "timestamp", "sessionId", "version");

  private final TextSink sink;

  private MessageTexts(TextSink sink) {
    this.sink = sink;
  }

  static void read(PayloadNode node, TextSink sink) {
    new MessageTexts(sink).line(node);
  }

  private void line(PayloadNode node) {
    PayloadNode message = node.get("message", "payload");
    String type = node.textOf("type");
    if (message.isObject()) {
      String exit = node.get("toolUseResult").get("exitCode", "exit_code").text();
      item(message, message.textOf("role").isEmpty() ? type : message.textOf("role"), exit);
    } else if (type.equals("session_info") || type.equals("custom-title")) {
      title(node);
    } else if (isItem(node, type) || PartTexts.isMessage(node, type)) {
      item(node, node.textOf("role").isEmpty() ? type : node.textOf("role"), "");
    } else {
      other(node);
    }
  }

  private void title(PayloadNode node) {
    sink.add(TextKind.TITLE, node.textOf("name", "title", "customTitle"));
  }

  private static boolean isItem(PayloadNode node, String type) {
    return !node.textOf("role").isEmpty()
        || type.startsWith("function_call")
        || type.startsWith("custom_tool_call")
        || type.startsWith("local_shell_call")
        || type.equals("reasoning")
        || type.equals("compaction")
        || type.equals("branch_summary");
  }

  private void item(PayloadNode node, String role, String exit) {
    if (role.equals("bashExecution")) {
      sink.call("bash", "", PayloadNode.ofString(node.textOf("command")));
      String status = node.get("exitCode").text();
      sink.result("bash", "", node.textOf("output"), false, status);
      return;
    }
    if (role.equals("toolResult")) {
      sink.result(
          node.textOf("toolName"),
          node.textOf("toolCallId"),
          node.get("content").joinedText(),
          node.get("isError").text().equals("true"),
          node.get("details").get("exitCode", "exit_code").text());
      return;
    }
    TextKind kind = kind(role);
    if (PartTexts.read(node, kind, sink)) {
      return;
    }
    if (!block(node, kind, exit)) {
      PayloadNode content = node.get("content", "text", "summary", "message");
      block(content, kind, exit);
      content.items().forEach(each -> block(each, kind, exit));
    }
  }

  private static TextKind kind(String role) {
    return switch (role) {
      case "user", "human", "prompt" -> TextKind.PROMPT;
      case "assistant", "model", "gemini", "compaction", "branch_summary", "compacted" ->
          TextKind.ANSWER;
      case "reasoning" -> TextKind.THINKING;
      case "tool", "function" -> TextKind.OUTPUT;
      default -> TextKind.TEXT;
    };
  }

  /// Reads a block of a message; false if the value is none.
  private boolean block(PayloadNode node, TextKind kind, String exit) {
    if (node.string()) {
      sink.add(kind, node.text());
      return true;
    }
    switch (node.textOf("type")) {
      case "text", "input_text", "output_text" -> sink.add(kind, node.textOf("text"));
      case "thinking" -> sink.add(TextKind.THINKING, node.textOf("thinking", "text"));
      case "reasoning" ->
          sink.add(TextKind.THINKING, node.get("summary", "content", "text").joinedText());
      case "toolCall", "tool_use" ->
          sink.call(node.textOf("name"), node.textOf("id"), node.get("arguments", "input"));
      case "function_call", "custom_tool_call" ->
          sink.call(node.textOf("name"), node.textOf("call_id"), node.get("arguments", "input"));
      case "local_shell_call" -> sink.call("shell", node.textOf("call_id"), node.get("action"));
      case "tool_result" ->
          sink.result(
              "",
              node.textOf("tool_use_id"),
              node.get("content").joinedText(),
              node.get("is_error").text().equals("true"),
              exit);
      case "function_call_output", "custom_tool_call_output" -> output(node);
      default -> {
        return false;
      }
    }
    return true;
  }

  private void output(PayloadNode node) {
    PayloadNode given = node.get("output");
    PayloadNode output = given.string() ? PayloadParser.nested(given.text()).orElse(given) : given;
    String exit = output.get("metadata").get("exit_code").text();
    PayloadNode said = output.isObject() ? output.get("output", "content") : output;
    boolean failed = output.get("success").text().equals("false");
    sink.result("", node.textOf("call_id"), said.joinedText(), failed, exit);
  }

  /// JSON of any other shape: its strings, but for names and numbers.
  private void other(PayloadNode node) {
    String type = node.textOf("type");
    TextKind kind = type.equals("message") ? TextKind.TEXT : kind(type);
    if (node.string()) {
      sink.add(kind, node.text());
    }
    node.members()
        .forEach(
            (name, value) -> {
              if (!NAMES.contains(name)) {
                TextKind own = name.equals("title") ? TextKind.TITLE : kind;
                value.eachString(text -> sink.add(own, text));
              }
            });
    node.items().forEach(each -> each.eachString(text -> sink.add(kind, text)));
  }
}
