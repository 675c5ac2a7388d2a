// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.types;

import dev.varve.StoreException;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The form of values in JSON.
///
/// @param bytes the form of bytes
/// @param u64 the form of unsigned 64-bit numbers, including ids
/// @param includeUnknown whether tags without a field are shown too
/// @param stringLimit the longest text, in UTF-8 bytes; longer ones are cut between characters.
///   Null for no limit
public record RenderOptions(
    Bytes bytes,
    U64 u64,
    Enums enums,
    Time time,
    boolean includeUnknown,
    @Nullable Integer stringLimit) {

  /// The form for a reader without special wishes.
  public static final RenderOptions DEFAULTS =
      new RenderOptions(Bytes.BASE64, U64.STRING, Enums.LABEL, Time.ISO, false, null);

  private static final int STRING_LIMIT_MAX = 65_536;

  public enum Bytes {
    BASE64,
    HEX,
    LEN_ONLY
  }

  public enum U64 {
    STRING,
    NUMBER
  }

  public enum Enums {
    LABEL,
    NUMBER,
    BOTH
  }

  public enum Time {
    ISO,
    UNIX_MS
  }

  /// Reads the parameters of a request: `bytes_render`, `u64_format`, `enum_render`, `time_render`,
  /// `include_unknown`, `string_limit`. Others are ignored; an absent or empty one has its default.
  ///
  /// @throws StoreException.Invalid if a parameter has an unknown value
  public static RenderOptions read(Map<String, String> parameters) {
    return new RenderOptions(
        choice(parameters, "bytes_render", DEFAULTS.bytes, Bytes.values()),
        choice(parameters, "u64_format", DEFAULTS.u64, U64.values()),
        choice(parameters, "enum_render", DEFAULTS.enums, Enums.values()),
        choice(parameters, "time_render", DEFAULTS.time, Time.values()),
        flag(parameters, "include_unknown"),
        stringLimit(parameters.getOrDefault("string_limit", "")));
  }

  /// One of an enum's constants, written in lower case.
  public static <E extends Enum<E>> E choice(
      Map<String, String> parameters, String name, E otherwise, E[] choices) {
    String text = parameters.getOrDefault(name, "");
    if (text.isEmpty()) {
      return otherwise;
    }
    for (E choice : choices) {
      if (written(choice).equals(text)) {
        return choice;
      }
    }
    String known = Stream.of(choices).map(RenderOptions::written).collect(Collectors.joining(", "));
    throw new StoreException.Invalid(name, "expected one of " + known + ", found '" + text + "'");
  }

  private static String written(Enum<?> choice) {
    return choice.name().toLowerCase(Locale.ROOT);
  }

  /// Returns whether a parameter is `1` or `true`.
  ///
  /// @throws StoreException.Invalid if it is neither true nor false
  public static boolean flag(Map<String, String> parameters, String name) {
    return switch (parameters.getOrDefault(name, "")) {
      case "1", "true" -> true;
      case "", "0", "false" -> false;
      case String text ->
          throw new StoreException.Invalid(name, "expected true or false, found '" + text + "'");
    };
  }

  private static @Nullable Integer stringLimit(String text) {
    if (text.isEmpty()) {
      return null;
    }
    try {
      int limit = Integer.parseInt(text);
      if (limit >= 0 && limit <= STRING_LIMIT_MAX) {
        return limit;
      }
    } catch (NumberFormatException e) {
      // refused below
    }
    throw new StoreException.Invalid(
        "string_limit", "expected 0 to " + STRING_LIMIT_MAX + ", found '" + text + "'");
  }
}
