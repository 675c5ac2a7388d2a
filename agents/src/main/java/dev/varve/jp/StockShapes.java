// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import dev.varve.jp.json.JsonKind;
import dev.varve.jp.json.JsonText;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The shapes of JSON that JP as released reads: the types of `jp_conversation`, as serde derives
/// their reading.
///
/// Of two members of one name the last counts, as it does for JP. Members that a shape does not
/// know are dropped when JP next writes.
final class StockShapes {

  private static final Pattern TIME =
      Pattern.compile(
          "([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})[ Tt]([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})"
              + "(?:[.][0-9]+)?(Z|z|[+-][0-9]{2}:[0-9]{2})?");

  /// The shape that a value must have.
  sealed interface Shape {}

  /// Values without parts that matter.
  enum Leaf implements Shape {
    ANY("anything"),
    TEXT("a string"),
    FLAG("true or false"),
    COUNT("a whole number, not negative"),
    TIME("a time"),
    MAP("an object"),
    TEXTS("an object of strings");

    private final String words;

    Leaf(String words) {
      this.words = words;
    }
  }

  record Word(String word) implements Shape {}

  record ListOf(Shape element) implements Shape {}

  record Fields(Map<String, Field> members) implements Shape {}

  /// An object that says of which kind it is, in the member `tag`.
  record Tagged(String tag, Map<String, Fields> kinds) implements Shape {}

  /// The need for a member; `null` stands for an absent member only where the need is `OPTION`.
  enum Need {
    REQUIRED,
    DEFAULT,
    OPTION
  }

  record Field(Shape shape, Need need) {}

  private final JsonText text;
  private final List<String> wrong = new ArrayList<>();
  private final List<String> dropped = new ArrayList<>();

  StockShapes(JsonText text) {
    this.text = text;
  }

  /// Why values were not of their shapes, each with its place.
  List<String> wrong() {
    return wrong;
  }

  /// Members that are lost, each with its place.
  List<String> dropped() {
    return dropped;
  }

  static Field required(Shape shape) {
    return new Field(shape, Need.REQUIRED);
  }

  static Field orDefault(Shape shape) {
    return new Field(shape, Need.DEFAULT);
  }

  static Field option(Shape shape) {
    return new Field(shape, Need.OPTION);
  }

  /// @param namesAndFields a name, its field, and so on
  static Fields fields(Object... namesAndFields) {
    Map<String, Field> members = new LinkedHashMap<>();
    for (int i = 0; i < namesAndFields.length; i += 2) {
      members.put((String) namesAndFields[i], (Field) namesAndFields[i + 1]);
    }
    return new Fields(members);
  }

  void look(int value, String name, Shape shape) {
    switch (shape) {
      case Leaf leaf -> {
        if (!is(value, leaf)) {
          wrong(value, name, leaf.words);
        }
      }
      case Word(String word) -> {
        if (!text.text(value).filter(word::equals).isPresent()) {
          wrong(value, name, '"' + word + '"');
        }
      }
      case ListOf(Shape element) -> {
        if (text.is(value, JsonKind.ARRAY)) {
          text.each(value, each -> look(each, name, element));
        } else {
          wrong(value, name, JsonKind.ARRAY.words());
        }
      }
      case Fields fields -> members(value, name, fields, Set.of());
      case Tagged tagged -> {
        String kind =
            last(value, tagged.tag).stream()
                .mapToObj(text::text)
                .findFirst()
                .flatMap(found -> found)
                .orElse("");
        Fields fields = tagged.kinds.get(kind);
        if (fields == null) {
          wrong(value, name, "an object of a known " + tagged.tag);
        } else {
          members(value, name, fields, Set.of(tagged.tag));
        }
      }
    }
  }

  /// @param known members besides those of `fields`
  void members(int object, String name, Fields fields, Set<String> known) {
    if (!text.is(object, JsonKind.OBJECT)) {
      wrong(object, name, JsonKind.OBJECT.words());
      return;
    }
    fields.members.forEach(
        (member, field) -> {
          OptionalInt found = last(object, member);
          if (found.isEmpty()) {
            if (field.need == Need.REQUIRED) {
              wrong.add(at(object) + "no " + member);
            }
          } else if (field.need != Need.OPTION || !text.is(found.getAsInt(), JsonKind.NULL)) {
            look(found.getAsInt(), member, field.shape);
          }
        });
    Set<String> seen = new HashSet<>();
    text.each(
        object,
        value -> {
          String member = text.name(value);
          if (!seen.add(member)) {
            dropped.add(at(value) + member + ": there twice; the first is dropped");
          } else if (!fields.members.containsKey(member) && !known.contains(member)) {
            dropped.add(at(value) + member + ": dropped when JP next writes");
          }
        });
  }

  /// The member that counts.
  OptionalInt last(int object, String name) {
    int[] found = {-1};
    if (text.is(object, JsonKind.OBJECT)) {
      text.each(object, value -> found[0] = text.isNamed(value, name) ? value : found[0]);
    }
    return found[0] < 0 ? OptionalInt.empty() : OptionalInt.of(found[0]);
  }

  private boolean is(int value, Leaf leaf) {
    return switch (leaf) {
      case ANY -> true;
      case TEXT -> text.is(value, JsonKind.STRING);
      case FLAG -> text.is(value, JsonKind.TRUE) || text.is(value, JsonKind.FALSE);
      case COUNT -> text.is(value, JsonKind.NUMBER) && text.spelling(value).matches("[0-9]{1,19}");
      case TIME -> text.text(value).filter(StockShapes::isTime).isPresent();
      case MAP -> text.is(value, JsonKind.OBJECT);
      case TEXTS -> {
        boolean[] all = {text.is(value, JsonKind.OBJECT)};
        if (all[0]) {
          text.each(value, each -> all[0] &= text.is(each, JsonKind.STRING));
        }
        yield all[0];
      }
    };
  }

  /// As JP writes times, or as RFC 3339 does.
  static boolean isTime(String time) {
    Matcher matcher = TIME.matcher(time);
    boolean space = time.indexOf(' ') > 0;
    if (!matcher.matches() || !space && matcher.group(7) == null) {
      return false;
    }
    int[] parts = new int[6];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = Integer.parseInt(matcher.group(i + 1));
    }
    try {
      int second = Math.min(parts[5], 59); // a leap second is one
      LocalDateTime.of(parts[0], parts[1], parts[2], parts[3], parts[4], second);
      return parts[5] <= 60;
    } catch (DateTimeException e) {
      return false;
    }
  }

  private void wrong(int value, String name, String expected) {
    String found = text.kind(value).words();
    if (text.is(value, JsonKind.STRING) || text.is(value, JsonKind.NUMBER)) {
      String spelling = text.spelling(value);
      found = spelling.length() <= 40 ? spelling : found;
    }
    wrong.add(at(value) + name + ": expected " + expected + ", found " + found);
  }

  private String at(int value) {
    return text.position(value) + ": ";
  }
}
