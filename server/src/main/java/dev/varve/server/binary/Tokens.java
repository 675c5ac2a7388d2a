// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Finds a token in what a client tells of itself.
///
/// HELLO's meta is "any JSON" that cxdb's server never looks at; a wrong guess about it only means
/// that no token was shown. So no parser is let loose on what a stranger sent: a token is letters,
/// digits and a few signs, which JSON writes as they are.
final class Tokens {

  private static final Pattern IN_META =
      Pattern.compile("\"token\"\\s{0,8}:\\s{0,8}\"([A-Za-z0-9._~+/=-]{1,512})\"");

  private static final int META_CHARACTERS_MAX = 64 << 10;

  private Tokens() {}

  /// The value of `"token"`; empty if there is none.
  static String inMeta(String json) {
    Matcher matcher = IN_META.matcher(json);
    return json.length() <= META_CHARACTERS_MAX && matcher.find() ? matcher.group(1) : "";
  }
}
