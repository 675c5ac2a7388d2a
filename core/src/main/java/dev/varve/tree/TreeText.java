// SPDX-License-Identifier: Apache-2.0
package dev.varve.tree;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;
import java.util.Comparator;

/// Text as trees hold it.
final class TreeText {

  /// By bytes, which is by code points: how names are ordered.
  static final Comparator<String> ORDER = (a, b) -> Arrays.compareUnsigned(bytes(a), bytes(b));

  private TreeText() {}

  static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  /// Returns whether the text survives being written: it has no half of a pair.
  static boolean isWhole(String text) {
    return UTF_8.newEncoder().canEncode(text);
  }

  /// @throws CharacterCodingException if it is not UTF-8
  static String text(byte[] bytes) throws CharacterCodingException {
    return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
  }
}
