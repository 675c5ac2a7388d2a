// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

/// A place in a file that likely holds a credential, described without the credential itself.
///
/// @param line the number of the physical line, starting at 1
/// @param entry the identifier of the record on the line; empty if the record has none
/// @param pointer the place of the string in its line (RFC 6901); for a name, the place of its
///   value
/// @param inName true if the credential is in a name rather than in a value
/// @param rule the rule that found the credential
/// @param excerpt the text before the credential, and its first characters
/// @param sizeChars the length of the credential
/// @param place the name of the place in an allow-list
public record SecretFinding(
    long line,
    String entry,
    String pointer,
    boolean inName,
    String rule,
    String excerpt,
    int sizeChars,
    String place) {

  private static final int SEEN_MAX = 40;
  private static final int SHOWN_MAX = 4;

  /// A fifth of the credential at most, and no more than four characters.
  static String excerpt(String seen, String secret) {
    String before =
        seen.length() > SEEN_MAX ? "…" + seen.substring(seen.length() - SEEN_MAX) : seen;
    return before + secret.substring(0, Math.min(SHOWN_MAX, secret.length() / 5)) + "…";
  }
}
