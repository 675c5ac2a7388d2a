// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

import com.google.re2j.Pattern;

/// The shapes of identifiers, which are no credentials: hashes of commits and files, UUIDs. A
/// generic rule would take an identifier for a key if a word like *key* stands beside it.
final class IdentifierShapes {

  private static final Pattern SHAPE =
      Pattern.compile(
          "(?i)^(?:[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$");

  /// Names of credentials: a value with such a name is a credential even if it is a hash.
  private static final Pattern STRONG =
      Pattern.compile("(?i)secret|passw|token|api[_.-]?key|access[_.-]?key|credential|private");

  private IdentifierShapes() {}

  /// True if `value` is an identifier, by its shape and by its name in the match.
  static boolean is(String match, String value) {
    return SHAPE.matcher(value).find() && !STRONG.matcher(match.replace(value, "")).find();
  }
}
