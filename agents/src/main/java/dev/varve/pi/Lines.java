// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi;

import dev.varve.BlobHash;
import dev.varve.hash.Blake3;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// The physical lines of a file, one after the other, in one buffer that is used again.
///
/// A line ends at the byte 0x0A and nowhere else: carriage returns, U+2028 and zeros are part of
/// it. A line over `lineBytesMax` is handed out in pieces, of which none is [#whole()]. Only the
/// first `sizeBytes` bytes are read, so that a file that grows meanwhile is read as it was. They
/// are hashed on the way.
final class Lines implements AutoCloseable {

  private static final int BUFFER_SIZE = 256 << 10;
  private static final int PIECE_SIZE = 1 << 20;

  private final InputStream source;
  private final int lineBytesMax;
  private final long mark;
  private final LongConsumer progress;
  private final Blake3 hasher = new Blake3();
  private @Nullable BlobHash hashAtMark;
  private byte[] buffer = new byte[BUFFER_SIZE];
  private int start;
  private int filled;
  private long unread;

  private int from;
  private int to;
  private long number;
  private boolean whole = true;
  private boolean ended = true;

  /// @param mark after how many bytes the hash is also wanted; negative for never
  /// @param progress is told, now and then, how many bytes were read
  Lines(InputStream source, long sizeBytes, int lineBytesMax, long mark, LongConsumer progress) {
    this.progress = progress;
    this.source = source;
    this.mark = mark;
    this.unread = sizeBytes;
    this.lineBytesMax = lineBytesMax;
  }

  /// Goes to the next line, or to the next piece of a line that is too long.
  ///
  /// @return false at the end
  boolean next() throws IOException {
    boolean continues = !ended;
    if (continues && unread == 0 && start == filled) {
      return false;
    }
    int most = continues ? Math.min(PIECE_SIZE, lineBytesMax) : lineBytesMax;
    int scanned = start;
    while (true) {
      int scannedTo = (int) Math.min(filled, start + most + 1L);
      for (int i = scanned; i < scannedTo; i++) {
        if (buffer[i] == '\n') {
          return hand(i, i + 1, true, !continues, continues);
        }
      }
      int scannedSize = scannedTo - start;
      if (scannedSize > most) {
        return hand(start + most, start + most, false, false, continues);
      }
      if (!fill()) {
        return filled > start && hand(filled, filled, false, !continues, continues);
      }
      scanned = start + scannedSize;
    }
  }

  private boolean hand(int lineTo, int nextStart, boolean lf, boolean entire, boolean continues) {
    from = start;
    to = lineTo;
    start = nextStart;
    ended = lf;
    whole = entire;
    if (!continues) {
      number++;
    }
    return true;
  }

  /// Reads more behind what is there, making room first.
  private boolean fill() throws IOException {
    if (unread == 0) {
      return false;
    }
    if (start > 0) {
      int kept = filled - start;
      byte[] target =
          buffer.length > 2 * PIECE_SIZE && kept < BUFFER_SIZE / 2 ? new byte[BUFFER_SIZE] : buffer;
      System.arraycopy(buffer, start, target, 0, kept);
      buffer = target;
      start = 0;
      filled = kept;
    }
    if (filled == buffer.length) {
      buffer =
          Arrays.copyOf(
              buffer, (int) Math.min(2L * buffer.length, (long) lineBytesMax + BUFFER_SIZE));
    }
    int read = source.read(buffer, filled, (int) Math.min(buffer.length - filled, unread));
    if (read <= 0) {
      unread = 0; // cut while we were reading
      return false;
    }
    hash(read);
    filled += read;
    unread -= read;
    progress.accept(hasher.sizeBytes());
    return true;
  }

  private void hash(int read) {
    long upToMark = mark - hasher.sizeBytes();
    if (upToMark > 0 && upToMark <= read) {
      hasher.update(buffer, filled, (int) upToMark);
      hashAtMark = hasher.digest();
      hasher.update(buffer, filled + (int) upToMark, read - (int) upToMark);
    } else {
      hasher.update(buffer, filled, read);
    }
  }

  /// The hash of all bytes, once [#next()] has answered false.
  BlobHash hash() {
    return hasher.digest();
  }

  /// Whether the bytes up to the mark have the hash `expected`.
  boolean beginsWith(BlobHash expected) {
    return mark == 0 ? new Blake3().digest().equals(expected) : expected.equals(hashAtMark);
  }

  /// How many bytes were read.
  long sizeBytes() {
    return hasher.sizeBytes();
  }

  /// The array the line is in; valid until [#next()].
  byte[] buffer() {
    return buffer;
  }

  int from() {
    return from;
  }

  /// Where the line ends: its line feed, if it has one.
  int to() {
    return to;
  }

  /// Where in the file the line, or the piece of one, begins.
  long offset() {
    return hasher.sizeBytes() - (filled - from);
  }

  /// Number of the physical line, starting at 1.
  long number() {
    return number;
  }

  /// Whether this is a line from its first byte to its last.
  boolean whole() {
    return whole;
  }

  /// Whether a line feed follows.
  boolean ended() {
    return ended;
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
