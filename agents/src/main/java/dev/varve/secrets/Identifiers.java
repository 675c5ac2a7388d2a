// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

import com.google.re2j.Pattern;

/// Values that name things and open nothing: hashes of commits and files, UUIDs. A generic rule
/// would take them for keys wherever a word like *key* stands beside them.
final class Identifiers {

  private static final Pattern SHAPE =
      Pattern.compile(
          "(?i)^(?:[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$");

  /// With such a name beside it, even a hash is taken for what it is called.
  private static final Pattern STRONG =
      Pattern.compile("(?i)secret|passw|token|api[_.-]?key|access[_.-]?key|credential|private");

  private Identifiers() {}

  /// Whether `value` is an identifier, by its shape and by what the match calls it.
  static boolean is(String match, String value) {
    return SHAPE.matcher(value).find() && !STRONG.matcher(match.replace(value, "")).find();
  }
}
