// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import dev.varve.jp.blobs.ContentSink;
import dev.varve.jp.json.Utf8Bytes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/// The one string in which released versions of JP keep a tool's response: base64 of its text.
///
/// JP decodes a string that is, as a whole, canonical base64 of UTF-8, and takes any other as the
/// text itself; so text typed by hand works, unless it happens to be base64. Java's own decoder
/// forgives missing padding and stray bits, which JP does not: hence the comparison with the text
/// encoded anew.
final class FlatText {

  /// JP wrote the URL-safe alphabet between these times, and stopped reading it with the second.
  private static final String URL_SAFE_FROM = "2025-10-20";

  private static final String URL_SAFE_TO = "2026-03-06";

  /// A multiple of four: each piece of base64 is decoded by itself.
  private static final int PIECE_BYTES = 32 << 10;

  /// The alphabet in which a string is spelled.
  enum Spelling {
    PLAIN,
    BASE64,
    BASE64_URL
  }

  /// A string as JP reads it.
  ///
  /// @param sizeBytes of the content that is meant
  record Found(Spelling spelling, long sizeBytes) {}

  private FlatText() {}

  /// Finds the form in which a string is spelled.
  ///
  /// @param spelled opens the string's UTF-8, up to three times
  /// @param sizeBytes of the string's UTF-8
  /// @param timestamp of its event; URL-safe base64 is believed of its time only
  static Found find(Supplier<? extends InputStream> spelled, long sizeBytes, String timestamp) {
    OptionalLong decoded = textSize(spelled.get(), sizeBytes, Spelling.BASE64);
    if (decoded.isPresent()) {
      return new Found(Spelling.BASE64, decoded.getAsLong());
    }
    if (timestamp.compareTo(URL_SAFE_FROM) >= 0 && timestamp.compareTo(URL_SAFE_TO) < 0) {
      decoded = textSize(spelled.get(), sizeBytes, Spelling.BASE64_URL);
      if (decoded.isPresent()) {
        return new Found(Spelling.BASE64_URL, decoded.getAsLong());
      }
    }
    return new Found(Spelling.PLAIN, sizeBytes);
  }

  /// The size of the text that canonical base64 spells; empty if it is none, or no text.
  private static OptionalLong textSize(InputStream spelled, long sizeBytes, Spelling spelling) {
    if (sizeBytes % 4 != 0) {
      return OptionalLong.empty();
    }
    if (sizeBytes > PIECE_BYTES) {
      TextPieces text = new TextPieces(_ -> {});
      OptionalLong size = decode(spelled, spelling, text);
      return text.end() ? size : OptionalLong.empty();
    }
    boolean[] isText = {true};
    OptionalLong size =
        decode(
            spelled,
            spelling,
            (bytes, count) -> isText[0] = new Utf8Bytes(Arrays.copyOf(bytes, count)).isText());
    return isText[0] ? size : OptionalLong.empty();
  }

  /// The size of the content that canonical standard base64 spells; empty if it is none.
  static OptionalLong base64Size(InputStream spelled) {
    return decode(spelled, Spelling.BASE64, (_, _) -> {});
  }

  /// Hands the content of a string to `sink`.
  ///
  /// @return its size; empty if the string is not canonical in its spelling, and then what `sink`
  ///   took means nothing
  static OptionalLong decode(InputStream spelled, Spelling spelling, ContentSink sink) {
    long sizeBytes = 0;
    boolean padded = false;
    try {
      for (byte[] piece = spelled.readNBytes(PIECE_BYTES);
          piece.length > 0;
          piece = spelled.readNBytes(PIECE_BYTES)) {
        Optional<byte[]> content = padded ? Optional.empty() : decode(piece, spelling);
        if (content.isEmpty()) {
          return OptionalLong.empty();
        }
        padded = spelling != Spelling.PLAIN && piece[piece.length - 1] == '=';
        sizeBytes += content.get().length;
        sink.take(content.get(), content.get().length);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("a string in memory cannot be read", e);
    }
    return OptionalLong.of(sizeBytes);
  }

  private static Optional<byte[]> decode(byte[] spelled, Spelling spelling) {
    return switch (spelling) {
      case PLAIN -> Optional.of(spelled);
      case BASE64 -> strictly(spelled, Base64.getDecoder(), Base64.getEncoder());
      case BASE64_URL -> strictly(spelled, Base64.getUrlDecoder(), Base64.getUrlEncoder());
    };
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

  /// The string for a content; the opposite of [#decode].
  static byte[] spell(byte[] content, Spelling spelling) {
    return switch (spelling) {
      case PLAIN -> content;
      case BASE64 -> Base64.getEncoder().encode(content);
      case BASE64_URL -> Base64.getUrlEncoder().encode(content);
    };
  }
}
