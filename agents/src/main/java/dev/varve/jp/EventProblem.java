// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import dev.varve.jp.json.TextPosition;

/// Something in an `events.json` that was left as it is, and why.
///
/// @param pointer the place as a JSON Pointer (RFC 6901)
public record EventProblem(TextPosition position, String pointer, String what) {

  @Override
  public String toString() {
    return position + ": " + what + " (" + pointer + ")";
  }
}
