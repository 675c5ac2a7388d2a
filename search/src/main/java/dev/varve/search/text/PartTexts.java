// SPDX-License-Identifier: Apache-2.0
package dev.varve.search.text;

/// The texts of a message in the words of Gemini's API: parts that are a text, a thought, a call of
/// a function, or the response of one.
///
/// Gemini CLI keeps the text of an answer, its thoughts and its calls beside each other. The result
/// of a call is left out there, because the next message has it.
final class PartTexts {

  private PartTexts() {}

  /// Says whether the outermost object is a message of Gemini CLI.
  static boolean isMessage(PayloadNode node, String type) {
    return type.equals("gemini")
        || !node.textOf("id").isEmpty()
            && !node.get("content").equals(PayloadNode.NOTHING)
            && (type.equals("user") || type.equals("info"));
  }

  /// Reads a message; false if it has no parts.
  static boolean read(PayloadNode message, TextKind kind, TextSink sink) {
    PayloadNode parts = message.get("parts", "content");
    boolean any = false;
    for (PayloadNode part : parts.items()) {
      any |= part(part, kind, sink);
    }
    PayloadNode calls = message.get("toolCalls");
    PayloadNode thoughts = message.get("thoughts");
    if (calls.items().isEmpty() && thoughts.items().isEmpty()) {
      return any;
    }
    if (parts.string()) {
      sink.add(kind, parts.text());
    }
    for (PayloadNode thought : thoughts.items()) {
      sink.add(TextKind.THINKING, thought.textOf("subject") + "\n" + thought.textOf("description"));
    }
    for (PayloadNode call : calls.items()) {
      sink.call(call.textOf("name"), call.textOf("id"), call.get("args"));
    }
    return true;
  }

  /// Reads a part; false if it is one of another API.
  private static boolean part(PayloadNode part, TextKind kind, TextSink sink) {
    if (!part.textOf("type").isEmpty()) {
      return false;
    }
    PayloadNode call = part.get("functionCall");
    PayloadNode response = part.get("functionResponse");
    if (call.isObject()) {
      sink.call(call.textOf("name"), call.textOf("id"), call.get("args"));
    } else if (response.isObject()) {
      PayloadNode said = response.get("response");
      boolean failed = !said.textOf("error").isEmpty();
      String text = said.textOf("output", "error");
      sink.result(
          response.textOf("name"),
          response.textOf("id"),
          text.isEmpty() ? said.joinedText() : text,
          failed,
          "");
    } else if (!part.textOf("text").isEmpty()) {
      boolean thought = part.get("thought").text().equals("true");
      sink.add(thought ? TextKind.THINKING : kind, part.textOf("text"));
    } else {
      return false;
    }
    return true;
  }
}
