// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.blobs;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/// Reads gzip (RFC 1952) in constant memory, within a bound, to the file's very end.
///
/// Several members are legal and read; anything behind the last one is refused, because nobody
/// would ever look at it.
final class Gunzip {

  /// The bytes are no gzip, or not what their own checksum says.
  static final class Damaged extends Exception {
    private static final long serialVersionUID = 1;
    final long offset;
    final String expected;
    final String found;

    Damaged(long offset, String expected, String found) {
      super(expected + "; " + found, null, false, false);
      this.offset = offset;
      this.expected = expected;
      this.found = found;
    }
  }

  /// There is more content than was allowed.
  static final class TooMuch extends Exception {
    private static final long serialVersionUID = 1;

    TooMuch() {
      super("too much", null, false, false);
    }
  }

  private static final int BUFFER_BYTES = 32 << 10;
  private static final int FLAG_CRC = 2;
  private static final int FLAG_EXTRA = 4;
  private static final int FLAG_NAME = 8;
  private static final int FLAG_COMMENT = 16;
  private static final int FLAGS_RESERVED = 0xe0;

  private final InputStream in;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private final byte[] piece = new byte[BUFFER_BYTES];
  private final long sizeBytesMax;
  private final ContentSink sink;
  private int at;
  private int end;
  private long readBytes;
  private long sizeBytes;

  private Gunzip(InputStream in, long sizeBytesMax, ContentSink sink) {
    this.in = in;
    this.sizeBytesMax = sizeBytesMax;
    this.sink = sink;
  }

  /// Hands the content to `sink`, never more than `sizeBytesMax` bytes of it.
  ///
  /// @return how many bytes it has
  /// @throws TooMuch once there is one byte more than `sizeBytesMax`
  static long inflate(InputStream in, long sizeBytesMax, ContentSink sink)
      throws IOException, Damaged, TooMuch {
    return new Gunzip(in, sizeBytesMax, sink).all();
  }

  private long all() throws IOException, Damaged, TooMuch {
    try {
      member();
      while (fill()) {
        member();
      }
      return sizeBytes;
    } catch (EOFException e) {
      throw new Damaged(offset(), "the rest of a gzip member", "the end of the file");
    }
  }

  private void member() throws IOException, Damaged, TooMuch {
    header();
    CRC32 crc = new CRC32();
    long before = sizeBytes;
    try (Inflater inflater = new Inflater(true)) {
      while (!inflater.finished()) {
        if (inflater.needsInput()) {
          if (!fill()) {
            throw new EOFException();
          }
          inflater.setInput(buffer, at, end - at);
          at = end;
        }
        int size = inflater.inflate(piece);
        if (size == 0 && inflater.needsDictionary()) {
          throw new Damaged(offset(), "deflated bytes", "a call for a dictionary");
        }
        if (size > sizeBytesMax - sizeBytes) {
          throw new TooMuch();
        }
        sizeBytes += size;
        crc.update(piece, 0, size);
        sink.take(piece, size);
      }
      at = end - inflater.getRemaining();
    } catch (DataFormatException e) {
      throw new Damaged(offset(), "deflated bytes", String.valueOf(e.getMessage()));
    }
    long trailer = offset();
    if (number(4) != crc.getValue()) {
      throw new Damaged(trailer, "the CRC-32 of the content", "another");
    }
    if (number(4) != (sizeBytes - before & 0xffff_ffffL)) {
      throw new Damaged(trailer + 4, "the size of the content", "another");
    }
  }

  private void header() throws IOException, Damaged {
    long start = offset();
    if (number(2) != 0x8b1f) {
      throw new Damaged(
          start,
          start == 0 ? "a gzip file" : "the end of the file behind its content",
          "other bytes");
    }
    int method = next();
    int flags = next();
    if (method != 8 || (flags & FLAGS_RESERVED) != 0) {
      throw new Damaged(start, "gzip with deflate", "method " + method + ", flags " + flags);
    }
    number(6); // time, extra flags, system: of no importance
    if ((flags & FLAG_EXTRA) != 0) {
      skip(number(2));
    }
    if ((flags & FLAG_NAME) != 0) {
      skipText();
    }
    if ((flags & FLAG_COMMENT) != 0) {
      skipText();
    }
    if ((flags & FLAG_CRC) != 0) {
      number(2);
    }
  }

  private void skip(long count) throws IOException {
    for (long i = 0; i < count; i++) {
      next();
    }
  }

  private void skipText() throws IOException {
    while (next() != 0) {
      // a name or a comment ends with a zero, or with the file
    }
  }

  private long number(int bytes) throws IOException {
    long number = 0;
    for (int i = 0; i < bytes; i++) {
      number |= (long) next() << 8 * i;
    }
    return number;
  }

  private int next() throws IOException {
    if (!fill()) {
      throw new EOFException();
    }
    return buffer[at++] & 0xff;
  }

  /// Returns whether there is another byte.
  private boolean fill() throws IOException {
    if (at == end) {
      readBytes += end;
      at = 0;
      end = Math.max(0, in.read(buffer));
    }
    return end > 0;
  }

  private long offset() {
    return readBytes + at;
  }
}
