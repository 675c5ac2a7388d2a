// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import dev.varve.jp.blobs.Sha256;
import dev.varve.jp.json.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;

/// The layout of the JSON around a member, so that a value put there looks as if its author had
/// written it.
///
/// @param lineEnd what ends a line, and begins the next; empty if the member's object stands on one
///   line
/// @param indent of the member
/// @param unit one more level
/// @param colon what stands between a name and its value
/// @param comma what stands between two members on one line
record JsonStyle(String lineEnd, String indent, String unit, String colon, String comma) {

  /// Of the member whose value is `value`.
  static JsonStyle around(JsonText text, int value) {
    String colon = slice(text, text.nameTo(value), text.from(value));
    String gap = gapBefore(text, text.nameFrom(value));
    int line = gap.lastIndexOf('\n');
    if (line < 0) {
      return new JsonStyle("", "", "", colon, comma(text, value, gap, colon));
    }
    String lineEnd = line > 0 && gap.charAt(line - 1) == '\r' ? "\r\n" : "\n";
    String indent = gap.substring(line + 1);
    String close = gapBefore(text, text.to(text.parent(value)) - 1);
    String outer = close.substring(close.lastIndexOf('\n') + 1);
    boolean indented =
        close.indexOf('\n') >= 0 && indent.startsWith(outer) && indent.length() > outer.length();
    String unit =
        indented ? indent.substring(outer.length()) : indent.startsWith("\t") ? "\t" : "  ";
    return new JsonStyle(lineEnd, indent, unit, colon, "," + lineEnd + indent);
  }

  private static String comma(JsonText text, int value, String gap, String colon) {
    if (text.previous(value).isPresent()) {
      return "," + gap;
    }
    OptionalInt next = text.next(value);
    if (next.isPresent()) {
      return "," + gapBefore(text, text.nameFrom(next.getAsInt()));
    }
    return colon.endsWith(" ") ? ", " : ",";
  }

  private static String gapBefore(JsonText text, int offset) {
    int from = offset;
    byte[] bytes = text.bytes();
    while (from > 0
        && (bytes[from - 1] == ' '
            || bytes[from - 1] == '\t'
            || bytes[from - 1] == '\n'
            || bytes[from - 1] == '\r')) {
      from--;
    }
    return slice(text, from, offset);
  }

  private static String slice(JsonText text, int from, int to) {
    return new String(text.bytes(), from, to - from, StandardCharsets.UTF_8);
  }

  /// `"$blob": "…", "size": …`, as the rest of the object is written.
  String reference(Sha256 hash, long sizeBytes) {
    return "\"$blob\"" + colon + "\"" + hash + "\"" + size(sizeBytes);
  }

  /// `, "size": …`
  String size(long sizeBytes) {
    return comma + "\"size\"" + colon + sizeBytes;
  }

  /// A reference as an object that is the member's value.
  String object(Sha256 hash, long sizeBytes) {
    return "{" + line(1) + deeper(1).reference(hash, sizeBytes) + line(0) + "}";
  }

  /// A list of one text block that refers, as the member's value.
  String block(Sha256 hash, long sizeBytes) {
    JsonStyle inside = deeper(2);
    return "["
        + line(1)
        + "{"
        + line(2)
        + "\"type\""
        + colon
        + "\"text\""
        + inside.comma
        + "\"content\""
        + colon
        + inside.object(hash, sizeBytes)
        + line(1)
        + "}"
        + line(0)
        + "]";
  }

  private String line(int levels) {
    return lineEnd.isEmpty() ? "" : lineEnd + indent + unit.repeat(levels);
  }

  private JsonStyle deeper(int levels) {
    if (lineEnd.isEmpty()) {
      return this;
    }
    String deep = indent + unit.repeat(levels);
    return new JsonStyle(lineEnd, deep, unit, colon, "," + lineEnd + deep);
  }
}
