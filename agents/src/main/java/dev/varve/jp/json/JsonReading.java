// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.json;

/// The result of reading bytes as JSON: the text, or the place and the reason of the first mistake.
public sealed interface JsonReading permits JsonText, JsonError {

  /// Reads `bytes`, all of them, strictly. Takes some 25 bytes of memory a value, and refuses texts
  /// of more than [JsonParser#VALUES_MAX] values or [JsonParser#DEPTH_MAX] levels.
  static JsonReading of(byte[] bytes) {
    return JsonParser.parse(bytes);
  }
}
