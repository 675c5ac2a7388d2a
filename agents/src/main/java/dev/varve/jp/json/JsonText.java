// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.json;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.IntConsumer;

/// A JSON text and where everything in it stands.
///
/// A value is known by its number, in the order in which values begin; 0 is the whole. Offsets
/// count bytes, the end is the first byte behind. A string's place includes its quotes.
public final class JsonText implements JsonReading {

  private final byte[] bytes;
  private final JsonParser.Tape tape;

  /// The place that was asked for last.
  private TextPosition last = new TextPosition(1, 1);

  private int lastOffset;

  JsonText(byte[] bytes, JsonParser.Tape tape) {
    this.bytes = bytes;
    this.tape = tape;
  }

  /// The bytes that were read; not a copy.
  public byte[] bytes() {
    return bytes;
  }

  public int size() {
    return tape.size();
  }

  public JsonKind kind(int value) {
    return tape.kind(value);
  }

  public boolean is(int value, JsonKind kind) {
    return tape.kind(value) == kind;
  }

  public int from(int value) {
    return tape.from(value);
  }

  public int to(int value) {
    return tape.to(value);
  }

  /// The place at which the name of a member begins, its quote included; -1 if the value is not a
  /// member.
  public int nameFrom(int value) {
    return tape.keyFrom(value);
  }

  public int nameTo(int value) {
    return tape.keyTo(value);
  }

  /// The object or array around a value; -1 for the whole.
  public int parent(int value) {
    return tape.parent(value);
  }

  /// The place at which a value begins, for people. Cheap if called in the order of the text.
  public TextPosition position(int value) {
    int offset = from(value);
    if (offset < lastOffset) {
      last = TextPosition.of(bytes, offset);
    } else {
      last = last.after(bytes, lastOffset, offset);
    }
    lastOffset = offset;
    return last;
  }

  /// Hands out the elements of an array or the values of an object's members, in order.
  public void each(int container, IntConsumer action) {
    for (int at = container + 1; at < tape.after(container); at = tape.after(at)) {
      action.accept(at);
    }
  }

  public int count(int container) {
    int count = 0;
    for (int at = container + 1; at < tape.after(container); at = tape.after(at)) {
      count++;
    }
    return count;
  }

  /// The value in front of `value` in its container.
  public OptionalInt previous(int value) {
    OptionalInt found = OptionalInt.empty();
    for (int at = parent(value) + 1; at < value; at = tape.after(at)) {
      found = OptionalInt.of(at);
    }
    return found;
  }

  /// The value behind `value` in its container.
  public OptionalInt next(int value) {
    int next = tape.after(value);
    return parent(value) >= 0 && next < tape.after(parent(value))
        ? OptionalInt.of(next)
        : OptionalInt.empty();
  }

  /// The first member of that name, escapes resolved.
  public OptionalInt member(int object, String name) {
    if (is(object, JsonKind.OBJECT)) {
      for (int at = object + 1; at < tape.after(object); at = tape.after(at)) {
        if (isNamed(at, name)) {
          return OptionalInt.of(at);
        }
      }
    }
    return OptionalInt.empty();
  }

  /// The text of the first member of that name, if it is a string with UTF-8.
  public Optional<String> memberText(int object, String name) {
    OptionalInt member = member(object, name);
    return member.isPresent() ? text(member.getAsInt()) : Optional.empty();
  }

  /// Returns whether the value is a member of that name. A name with escapes is the name that they
  /// spell.
  public boolean isNamed(int value, String name) {
    int from = nameFrom(value);
    if (from < 0) {
      return false;
    }
    int length = nameTo(value) - from - 2;
    if (length == name.length()) {
      int i = 0;
      while (i < length && bytes[from + 1 + i] == name.charAt(i)) {
        i++;
      }
      if (i == length) {
        return true;
      }
    }
    return length > name.length() && name.equals(name(value));
  }

  /// The name of a member, escapes resolved.
  public String name(int value) {
    return JsonStrings.decode(bytes, nameFrom(value), nameTo(value));
  }

  /// A name that two members of an object have, if there is one.
  public Optional<String> duplicate(int object) {
    Set<String> names = new HashSet<>();
    for (int at = object + 1; at < tape.after(object); at = tape.after(at)) {
      String name = name(at);
      if (!names.add(name)) {
        return Optional.of(name);
      }
    }
    return Optional.empty();
  }

  /// The text of a string, escapes resolved; empty if the value is another or has a lone surrogate.
  public Optional<String> text(int value) {
    if (!is(value, JsonKind.STRING)) {
      return Optional.empty();
    }
    String text = JsonStrings.decode(bytes, from(value), to(value));
    return JsonStrings.hasLoneSurrogate(text) ? Optional.empty() : Optional.of(text);
  }

  /// The bytes of a value as they stand in the text, as a string: for numbers and messages.
  public String spelling(int value) {
    return new String(bytes, from(value), to(value) - from(value), StandardCharsets.UTF_8);
  }

  /// The path of a value from the whole (RFC 6901).
  public String pointer(int value) {
    int parent = parent(value);
    if (parent < 0) {
      return "";
    }
    String step =
        is(parent, JsonKind.OBJECT)
            ? name(value).replace("~", "~0").replace("/", "~1")
            : Integer.toString(index(value));
    return pointer(parent) + "/" + step;
  }

  private int index(int value) {
    int index = 0;
    for (int at = parent(value) + 1; at < value; at = tape.after(at)) {
      index++;
    }
    return index;
  }
}
