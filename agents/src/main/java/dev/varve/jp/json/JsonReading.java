// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.json;

/// What came of reading bytes as JSON: the text, or where and why it is none.
public sealed interface JsonReading permits JsonText, Malformed {

  /// Reads `bytes`, all of them, strictly. Takes some 25 bytes of memory a value, and refuses texts
  /// of more than [JsonParser#VALUES_MAX] values or [JsonParser#DEPTH_MAX] levels.
  static JsonReading of(byte[] bytes) {
    return JsonParser.parse(bytes);
  }
}
