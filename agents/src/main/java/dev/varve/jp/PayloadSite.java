// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

/// The place and the form of a payload in an `events.json`.
///
/// @param pointer of the value: the `content` object, the bare `text` or `blob`, or the flat string
/// @param value the string that holds or names the payload, as a value of the text
/// @param container the object of which the value is a member
/// @param size the member `size` beside it, -1 if there is none
/// @param block the text block around it, -1 if it is a resource's or a flat string
/// @param mimeType what the resource or block says of itself, empty if nothing
/// @param content what it is
public record PayloadSite(
    String pointer,
    Shape shape,
    Kind kind,
    int value,
    int container,
    int size,
    int block,
    String mimeType,
    BlobContent content) {

  /// The place of the value in its surroundings.
  enum Shape {
    /// `"content": "…"` of a tool's response, as JP writes it today.
    FLAT,
    /// `"content": {"text": "…"}`
    WRAPPED,
    /// `"text": "…"` directly in a resource or a text block.
    BARE
  }

  /// The kind of the value.
  enum Kind {
    /// `$blob`: a reference.
    REFERENCE,
    TEXT,
    /// base64
    BLOB,
    /// A flat string, by JP's rule for those.
    FLAT,
    FLAT_BASE64,
    FLAT_BASE64_URL
  }

  /// Returns whether the site has a `$blob` reference: the payload is not in the file.
  boolean isReference() {
    return kind == Kind.REFERENCE;
  }

  /// Returns whether it is spelled in the URL-safe base64 of old, which JP of today shows
  /// undecoded.
  public boolean isUrlSafe() {
    return kind == Kind.FLAT_BASE64_URL;
  }
}
