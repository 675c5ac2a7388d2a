// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.jp;

import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/// Bytes of UTF-8 as pieces of text, no character cut in two.
public final class PrintedText extends OutputStream {

  private final Consumer<String> each;
  private final CharsetDecoder utf8 =
      StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPLACE)
          .onUnmappableCharacter(CodingErrorAction.REPLACE);
  private ByteBuffer rest = ByteBuffer.allocate(0);

  public PrintedText(Consumer<String> each) {
    this.each = each;
  }

  @Override
  public void write(int b) {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int count) {
    ByteBuffer in = ByteBuffer.allocate(rest.remaining() + count);
    in.put(rest).put(bytes, from, count).flip();
    CharBuffer text = CharBuffer.allocate(in.remaining());
    utf8.decode(in, text, false);
    rest = ByteBuffer.allocate(in.remaining()).put(in).flip();
    if (text.flip().hasRemaining()) {
      each.accept(text.toString());
    }
  }
}
