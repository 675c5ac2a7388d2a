// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.records;

import dev.varve.history.RecordValue;
import java.util.List;

/// The content of a message: a text, or an array of blocks.
public final class MessageBlocks {

  private MessageBlocks() {}

  /// The text of a content, or of its first block of text; empty if there is none.
  public static String firstText(RecordValue content) {
    String text = content.text();
    for (RecordValue block : content.items()) {
      text = text.isEmpty() && block.text("type").equals("text") ? block.text("text") : text;
    }
    return text;
  }

  /// The kind of a message's turn: its role, but `tool` for a message of the user that begins with
  /// the result of a tool.
  public static String kind(String role, RecordValue content) {
    List<RecordValue> blocks = content.items();
    boolean result = !blocks.isEmpty() && blocks.getFirst().text("type").equals("tool_result");
    return result && role.equals("user") ? "tool" : role;
  }
}
