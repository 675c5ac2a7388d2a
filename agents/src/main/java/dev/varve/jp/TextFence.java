// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import dev.varve.jp.blobs.ContentSink;
import java.nio.CharBuffer;
import java.util.function.Consumer;

/// Text as it is, between fences of backticks longer than any run in it. The text is read twice and
/// never held as a whole: first to measure it, then to write it.
final class TextFence {

  /// Text that can be read more than once.
  @FunctionalInterface
  interface Bytes {
    void stream(ContentSink sink);
  }

  private final Consumer<? super String> out;
  private final long linesMax;

  /// @param linesMax how many lines of each text are written
  TextFence(long linesMax, Consumer<? super String> out) {
    this.linesMax = linesMax;
    this.out = out;
  }

  /// Writes a text, or `(binary, 12 bytes)` if it is not UTF-8.
  void write(Bytes bytes) {
    Measure measure = new Measure();
    TextPieces pieces = new TextPieces(measure::take);
    long[] sizeBytes = {0};
    bytes.stream(
        (piece, count) -> {
          sizeBytes[0] += count;
          pieces.take(piece, count);
        });
    boolean binary = !pieces.end();
    measure.end();
    String fence = "`".repeat(binary ? 3 : Math.max(3, measure.longestRun + 1));
    out.accept(fence + "\n");
    if (binary) {
      out.accept("(binary, " + sizeBytes[0] + " bytes)\n");
    } else {
      Lines lines = new Lines();
      TextPieces shown = new TextPieces(lines::take);
      bytes.stream(shown);
      shown.end();
      lines.end();
    }
    out.accept(fence + "\n");
    if (!binary && measure.lines > linesMax) {
      out.accept("(" + (measure.lines - linesMax) + " more lines)\n");
    }
    out.accept("\n");
  }

  /// The number of lines of a text, and its longest run of backticks.
  private static final class Measure {

    private long lines;
    private int longestRun;
    private int run;
    private boolean inLine;
    private boolean afterReturn;

    void take(CharBuffer piece) {
      while (piece.hasRemaining()) {
        char c = piece.get();
        run = c == '`' ? run + 1 : 0;
        longestRun = Math.max(longestRun, run);
        if (c == '\r' || c == '\n') {
          lines += c == '\n' && afterReturn ? 0 : 1;
          inLine = false;
        } else {
          inLine = true;
        }
        afterReturn = c == '\r';
      }
    }

    void end() {
      lines += inLine ? 1 : 0;
    }
  }

  /// The first lines of a text, each with LF behind it whatever ended it before.
  private final class Lines {

    private final StringBuilder shown = new StringBuilder(TextPieces.CHARS_MAX + 1);
    private long lines;
    private boolean inLine;
    private boolean afterReturn;

    void take(CharBuffer piece) {
      while (piece.hasRemaining() && lines < linesMax) {
        char c = piece.get();
        boolean second = c == '\n' && afterReturn;
        afterReturn = c == '\r';
        inLine = c != '\r' && c != '\n';
        if (inLine) {
          shown.append(c);
        } else if (!second) {
          shown.append('\n');
          lines++;
        }
      }
      flush();
    }

    void end() {
      if (inLine) {
        shown.append('\n');
        flush();
      }
    }

    private void flush() {
      if (!shown.isEmpty()) {
        out.accept(shown.toString());
        shown.setLength(0);
      }
    }
  }
}
