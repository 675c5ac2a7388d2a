// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The token within the metadata of a HELLO message.
///
/// HELLO's metadata is "any JSON" that cxdb's server never reads; a wrong guess only means that no
/// token was presented. A pattern is enough and safer than a parser for the bytes of a stranger: a
/// token consists of letters, digits and a few signs that JSON does not escape.
final class HelloToken {

  private static final Pattern IN_META =
      Pattern.compile("\"token\"\\s{0,8}:\\s{0,8}\"([A-Za-z0-9._~+/=-]{1,512})\"");

  private static final int META_CHARACTERS_MAX = 64 << 10;

  private HelloToken() {}

  /// The value of `"token"`; empty if there is none.
  static String inMeta(String json) {
    Matcher matcher = IN_META.matcher(json);
    return json.length() <= META_CHARACTERS_MAX && matcher.find() ? matcher.group(1) : "";
  }
}
