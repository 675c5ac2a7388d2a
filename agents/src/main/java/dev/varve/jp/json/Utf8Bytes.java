// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.json;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// Well-formed UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF.
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Utf8Bytes(byte[] bytes) {

  /// The number of bytes of the character at `at`; 0 if no character is there.
  int lengthAt(int at) {
    int c = bytes[at] & 0xff;
    if (c < 0x80) {
      return 1;
    }
    if (c < 0xc2 || c > 0xf4) {
      return 0;
    }
    int length = c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
    for (int i = 1; i < length; i++) {
      if (at + i >= bytes.length || (bytes[at + i] & 0xc0) != 0x80) {
        return 0;
      }
    }
    int second = bytes[at + 1] & 0xff;
    boolean wellFormed =
        switch (c) {
          case 0xe0 -> second >= 0xa0;
          case 0xed -> second < 0xa0;
          case 0xf0 -> second >= 0x90;
          case 0xf4 -> second < 0x90;
          default -> true;
        };
    return wellFormed ? length : 0;
  }

  /// Returns whether all of it is UTF-8.
  public boolean isText() {
    for (int at = 0; at < bytes.length; ) {
      int length = bytes[at] >= 0 ? 1 : lengthAt(at);
      if (length == 0) {
        return false;
      }
      at += length;
    }
    return true;
  }

  /// The bytes of `text`; empty if it has a lone surrogate, for which there are none.
  public static Optional<byte[]> of(String text) {
    try {
      ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      byte[] bytes = new byte[encoded.remaining()];
      encoded.get(bytes);
      return Optional.of(bytes);
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }
}
