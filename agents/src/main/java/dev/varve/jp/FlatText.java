// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import dev.varve.jp.json.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/// How released versions of JP keep a tool's response: as one string, base64 of its text.
///
/// JP decodes a string that is, as a whole, canonical base64 of UTF-8, and takes any other as the
/// text itself; so text typed by hand works, unless it happens to be base64. Java's own decoder
/// forgives missing padding and stray bits, which JP does not: hence the comparison with the text
/// encoded anew.
final class FlatText {

  /// JP wrote the URL-safe alphabet between these times, and stopped reading it with the second.
  private static final String URL_SAFE_FROM = "2025-10-20";

  private static final String URL_SAFE_TO = "2026-03-06";

  /// How the string is spelled.
  enum Spelling {
    PLAIN,
    BASE64,
    BASE64_URL
  }

  /// @param content the bytes that are meant
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Read(Spelling spelling, byte[] content) {}

  private FlatText() {}

  /// @param text the string
  /// @param timestamp of its event; URL-safe base64 is believed of its time only
  /// @return empty if the string has no UTF-8
  static Optional<Read> read(String text, String timestamp) {
    Optional<byte[]> plain = Utf8.of(text);
    if (plain.isEmpty()) {
      return Optional.empty();
    }
    byte[] spelled = plain.get();
    Optional<byte[]> decoded = decode(spelled, Base64.getDecoder(), Base64.getEncoder());
    if (decoded.isPresent()) {
      return Optional.of(new Read(Spelling.BASE64, decoded.get()));
    }
    if (timestamp.compareTo(URL_SAFE_FROM) >= 0 && timestamp.compareTo(URL_SAFE_TO) < 0) {
      Optional<byte[]> legacy = decode(spelled, Base64.getUrlDecoder(), Base64.getUrlEncoder());
      if (legacy.isPresent()) {
        return Optional.of(new Read(Spelling.BASE64_URL, legacy.get()));
      }
    }
    return Optional.of(new Read(Spelling.PLAIN, spelled));
  }

  private static Optional<byte[]> decode(
      byte[] spelled, Base64.Decoder decoder, Base64.Encoder encoder) {
    return strictly(spelled, decoder, encoder).filter(bytes -> new Utf8(bytes).isText());
  }

  /// The bytes of canonical standard base64; empty if the text is anything else.
  static Optional<byte[]> base64(String text) {
    return strictly(
        text.getBytes(StandardCharsets.UTF_8), Base64.getDecoder(), Base64.getEncoder());
  }

  private static Optional<byte[]> strictly(
      byte[] spelled, Base64.Decoder decoder, Base64.Encoder encoder) {
    if (spelled.length % 4 != 0) {
      return Optional.empty();
    }
    try {
      byte[] decoded = decoder.decode(spelled);
      return Arrays.equals(encoder.encode(decoded), spelled)
          ? Optional.of(decoded)
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /// The string for a content; the opposite of [#read].
  static byte[] spell(byte[] content, Spelling spelling) {
    return switch (spelling) {
      case PLAIN -> content;
      case BASE64 -> Base64.getEncoder().encode(content);
      case BASE64_URL -> Base64.getUrlEncoder().encode(content);
    };
  }
}
