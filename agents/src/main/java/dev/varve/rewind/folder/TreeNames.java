// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.folder;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.varve.git.RepoPath;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;

/// Converts names of files, which are bytes, to names of a tree, which are text. Different names
/// stay different.
///
/// UTF-8 stays unchanged. A byte that is not part of UTF-8 becomes a character of its own, U+10FE00
/// plus the byte; so do the bytes of such a character itself. These characters are private
/// (Unicode, 23.5).
final class TreeNames {

  private static final int SHIFT = 0x10FE00;

  private TreeNames() {}

  /// The text of a name, or of a path of several names.
  static String text(RepoPath path) {
    StringBuilder text = new StringBuilder();
    CharsetDecoder decoder = UTF_8.newDecoder();
    ByteBuffer bytes = ByteBuffer.wrap(path.bytes());
    CharBuffer chars = CharBuffer.allocate(bytes.remaining() + 1);
    while (bytes.hasRemaining()) {
      CoderResult result = decoder.reset().decode(bytes, chars, true);
      chars.flip().codePoints().forEach(c -> add(text, c));
      chars.clear();
      if (result.isError()) {
        for (int i = 0; i < result.length(); i++) {
          text.appendCodePoint(SHIFT + (bytes.get() & 0xff));
        }
      }
    }
    return text.toString();
  }

  private static void add(StringBuilder text, int c) {
    if (isByte(c)) {
      for (byte b : Character.toString(c).getBytes(UTF_8)) {
        text.appendCodePoint(SHIFT + (b & 0xff));
      }
    } else {
      text.appendCodePoint(c);
    }
  }

  private static boolean isByte(int c) {
    return c >= SHIFT + 0x80 && c <= SHIFT + 0xff;
  }

  /// The opposite of [#text].
  static RepoPath path(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    text.codePoints()
        .forEach(
            c -> {
              if (isByte(c)) {
                bytes.write(c - SHIFT);
              } else {
                bytes.writeBytes(Character.toString(c).getBytes(UTF_8));
              }
            });
    return RepoPath.of(bytes.toByteArray());
  }
}
