// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import dev.varve.jp.blobs.ContentSink;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/// Turns bytes of UTF-8 into pieces of text, no character cut in two. Stops at the first byte that
/// is none.
final class TextPieces implements ContentSink {

  /// The most characters of one piece.
  static final int CHARS_MAX = 8192;

  private final Consumer<? super CharBuffer> each;
  private final CharsetDecoder utf8 =
      StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT);
  private final CharBuffer chars = CharBuffer.allocate(CHARS_MAX);
  private ByteBuffer rest = ByteBuffer.allocate(0);
  private boolean text = true;

  /// @param each takes pieces of text; the buffer is used again for the next
  TextPieces(Consumer<? super CharBuffer> each) {
    this.each = each;
  }

  @Override
  public void take(byte[] bytes, int sizeBytes) {
    if (rest.hasRemaining()) {
      ByteBuffer joined = ByteBuffer.allocate(rest.remaining() + sizeBytes);
      decode(joined.put(rest).put(bytes, 0, sizeBytes).flip(), false);
    } else {
      decode(ByteBuffer.wrap(bytes, 0, sizeBytes), false);
    }
  }

  /// Says that there are no more bytes.
  ///
  /// @return whether all of them were UTF-8
  boolean end() {
    decode(rest, true);
    return text;
  }

  private void decode(ByteBuffer in, boolean end) {
    CoderResult result = CoderResult.OVERFLOW;
    while (text && result.isOverflow()) {
      result = utf8.decode(in, chars, end);
      text = !result.isError();
      if (chars.flip().hasRemaining()) {
        each.accept(chars);
      }
      chars.clear();
    }
    rest = ByteBuffer.allocate(in.remaining()).put(in).flip();
  }
}
