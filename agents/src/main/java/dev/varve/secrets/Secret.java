// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

/// What a rule takes for a credential, in a text.
///
/// @param rule the rule's id
/// @param generic whether the rule goes by the value's name more than by its shape
/// @param from where the credential begins
/// @param to where it ends
/// @param matchFrom where begins what the rule needed to see: often the name of the value
public record Secret(String rule, boolean generic, int from, int to, int matchFrom, int matchTo) {

  public String in(String text) {
    return text.substring(from, to);
  }
}
