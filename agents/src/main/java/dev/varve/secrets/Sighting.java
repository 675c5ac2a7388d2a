// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

/// A place in a session that likely holds a credential. Tells what it looks like, never what it is.
///
/// @param line number of the physical line, starting at 1
/// @param entry id of the entry; empty for the header and for what is no entry
/// @param pointer of the string in its line (RFC 6901); of a name, where its value is
/// @param inName whether it is in a name rather than in a value
/// @param rule which rule takes it for a credential
/// @param excerpt what stands in front of it, and its first characters
/// @param sizeChars how long it is
/// @param place by which an allow-list knows it
public record Sighting(
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
