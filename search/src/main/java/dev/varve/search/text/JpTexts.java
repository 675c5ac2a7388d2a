// SPDX-License-Identifier: Apache-2.0
package dev.varve.search.text;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/// The texts of an event of JP. JP writes the arguments and the results of tools in base64.
final class JpTexts {

  private JpTexts() {}

  static void read(PayloadNode event, TextSink sink) {
    switch (event.textOf("type")) {
      case "chat_request", "inquiry_response" -> {
        sink.add(TextKind.PROMPT, event.textOf("content"));
        event.get("resources").eachString(text -> sink.add(TextKind.TEXT, text));
      }
      case "chat_response", "inquiry_request" -> {
        sink.add(TextKind.THINKING, event.textOf("reasoning"));
        sink.add(TextKind.ANSWER, event.textOf("message", "content"));
      }
      case "tool_call_request" ->
          sink.call(event.textOf("name"), event.textOf("id"), decoded(event.get("arguments")));
      case "tool_call_response" ->
          sink.result(
              "",
              event.textOf("id"),
              decoded(event.get("content")).joinedText(),
              event.get("is_error").text().equals("true"),
              "");
      default -> event.get("summary").eachString(text -> sink.add(TextKind.ANSWER, text));
    }
  }

  private static PayloadNode decoded(PayloadNode node) {
    if (node.string()) {
      return PayloadNode.ofString(decoded(node.text()));
    }
    Map<String, PayloadNode> members = PayloadNode.noMembers();
    node.members().forEach((name, value) -> members.put(name, decoded(value)));
    List<PayloadNode> items = node.items().stream().map(JpTexts::decoded).toList();
    return new PayloadNode(node.text(), false, members, items);
  }

  private static String decoded(String text) {
    try {
      byte[] bytes = Base64.getDecoder().decode(text);
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return text; // written as it is
    }
  }
}
