// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import dev.varve.jp.PayloadSite.Shape;
import dev.varve.jp.json.JsonStrings;
import java.util.Base64;
import java.util.Optional;

/// The forms in which a payload may stand in a file, by name.
enum PayloadForm {
  BASE64("base64", Shape.FLAT, "content"),
  BASE64_URL("base64url", Shape.FLAT, "content"),
  PLAIN("plain", Shape.FLAT, "content"),
  TEXT("text", Shape.WRAPPED, "text"),
  BLOB("blob", Shape.WRAPPED, "blob"),
  BARE_TEXT("bare-text", Shape.BARE, "text"),
  BARE_BLOB("bare-blob", Shape.BARE, "blob"),

  /// The forms for a payload that no form above reproduces byte for byte: the original bytes are
  /// kept.
  RAW_FLAT("raw-flat", Shape.FLAT, ""),
  RAW_WRAPPED("raw-wrapped", Shape.WRAPPED, ""),
  RAW_BARE("raw-bare", Shape.BARE, "");

  private final String words;
  private final Shape shape;
  private final String name;

  PayloadForm(String words, Shape shape, String name) {
    this.words = words;
    this.shape = shape;
    this.name = name;
  }

  String words() {
    return words;
  }

  Shape shape() {
    return shape;
  }

  /// The member's name.
  String member() {
    return name;
  }

  boolean isRaw() {
    return name.isEmpty();
  }

  static Optional<PayloadForm> find(String words) {
    for (PayloadForm form : values()) {
      if (form.words.equals(words)) {
        return Optional.of(form);
      }
    }
    return Optional.empty();
  }

  /// The form in which an inline payload stands.
  static PayloadForm of(PayloadSite site) {
    boolean bare = site.shape() == Shape.BARE;
    return switch (site.kind()) {
      case FLAT -> PLAIN;
      case FLAT_BASE64 -> BASE64;
      case FLAT_BASE64_URL -> BASE64_URL;
      case TEXT -> bare ? BARE_TEXT : TEXT;
      case BLOB -> bare ? BARE_BLOB : BLOB;
      case REFERENCE -> throw new IllegalArgumentException(site.pointer() + " is a reference");
    };
  }

  PayloadForm raw() {
    return switch (shape) {
      case FLAT -> RAW_FLAT;
      case WRAPPED -> RAW_WRAPPED;
      case BARE -> RAW_BARE;
    };
  }

  /// The JSON string that a content is in this form.
  byte[] string(byte[] content) {
    return JsonStrings.quote(
        switch (this) {
          case BASE64 -> FlatText.spell(content, FlatText.Spelling.BASE64);
          case BASE64_URL -> FlatText.spell(content, FlatText.Spelling.BASE64_URL);
          case PLAIN, TEXT, BARE_TEXT -> content;
          case BLOB, BARE_BLOB -> Base64.getEncoder().encode(content);
          case RAW_FLAT, RAW_WRAPPED, RAW_BARE ->
              throw new IllegalArgumentException(words + " has no string of its own");
        });
  }
}
