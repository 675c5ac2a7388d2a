// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.json;

/// The kind of a JSON value.
public enum JsonKind {
  OBJECT,
  ARRAY,
  STRING,
  NUMBER,
  TRUE,
  FALSE,
  NULL;

  /// As a sentence says it: `an object`.
  public String words() {
    return switch (this) {
      case OBJECT -> "an object";
      case ARRAY -> "an array";
      case STRING -> "a string";
      case NUMBER -> "a number";
      case TRUE -> "true";
      case FALSE -> "false";
      case NULL -> "null";
    };
  }
}
