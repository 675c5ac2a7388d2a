// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.json;

/// Where and why bytes are no JSON.
///
/// @param offset of the first byte that cannot stand there
/// @param position the same place for people
/// @param what expected and found, one sentence
/// @param cutOff whether the text merely ends too early
public record Malformed(int offset, Position position, String what, boolean cutOff)
    implements JsonReading {

  @Override
  public String toString() {
    return position + ": " + what;
  }
}
