// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

/// A part of a text that a rule takes for a credential.
///
/// @param rule the id of the rule
/// @param generic true if the rule recognises a value by its name more than by its shape
/// @param from the offset of the credential's first character
/// @param to the offset behind the credential's last character
/// @param matchFrom the offset of the whole match, which often includes the name of the value
/// @param matchTo the offset behind the whole match
public record SecretMatch(
    String rule, boolean generic, int from, int to, int matchFrom, int matchTo) {

  public String in(String text) {
    return text.substring(from, to);
  }
}
