// SPDX-License-Identifier: Apache-2.0
package dev.varve.search.text;

/// The texts of cxdb's `ConversationItem`, whose members have tags for names. A member of JSON that
/// has the tag's name in place of the tag is found too.
final class ConversationItemTexts {

  private ConversationItemTexts() {}

  static void read(PayloadNode item, TextSink sink) {
    sink.add(TextKind.PROMPT, item.get("10", "user_input").textOf("1", "text"));
    PayloadNode turn = item.get("11", "turn");
    sink.add(TextKind.THINKING, turn.textOf("3", "reasoning"));
    sink.add(TextKind.ANSWER, turn.textOf("1", "text"));
    turn.get("2", "tool_calls").items().forEach(call -> call(call, sink));
    PayloadNode system = item.get("12", "system");
    sink.add(TextKind.TEXT, system.textOf("2", "title"));
    sink.add(TextKind.TEXT, system.textOf("3", "content"));
    PayloadNode handoff = item.get("13", "handoff");
    sink.add(TextKind.TEXT, handoff.textOf("4", "input"));
    sink.add(TextKind.TEXT, handoff.textOf("5", "reason"));
    PayloadNode assistant = item.get("20", "assistant");
    sink.add(TextKind.THINKING, assistant.textOf("2", "reasoning"));
    sink.add(TextKind.ANSWER, assistant.textOf("1", "text"));
    PayloadNode call = item.get("21", "tool_call");
    if (call.isObject()) {
      sink.call(call.textOf("2", "name"), call.textOf("1", "call_id"), call.get("3", "args"));
    }
    PayloadNode result = item.get("22", "tool_result");
    if (result.isObject()) {
      sink.result(
          "",
          result.textOf("1", "call_id"),
          result.textOf("2", "content"),
          result.get("3", "is_error").text().equals("true"),
          result.get("4", "exit_code").text());
    }
    sink.add(TextKind.TITLE, item.get("30", "context_metadata").textOf("2", "title"));
  }

  private static void call(PayloadNode call, TextSink sink) {
    String tool = call.textOf("2", "name");
    String id = call.textOf("1", "id");
    sink.call(tool, id, call.get("3", "args"));
    PayloadNode result = call.get("8", "result");
    PayloadNode error = call.get("9", "error");
    if (result.isObject()) {
      sink.result(
          tool,
          id,
          result.textOf("1", "content"),
          result.get("3", "success").text().equals("false"),
          result.get("4", "exit_code").text());
    }
    if (error.isObject()) {
      sink.result(tool, id, error.textOf("2", "message"), true, error.get("3", "exit_code").text());
    }
  }
}
