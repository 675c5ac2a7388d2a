// SPDX-License-Identifier: Apache-2.0
package dev.varve.imports;

import dev.varve.BlobHash;
import dev.varve.hash.Blake3;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// The physical lines of a file, one after the other, in one buffer that is used again; or the
/// items of a JSON document and the pieces between them ([#items]).
///
/// A line ends at the byte 0x0A and nowhere else: carriage returns, U+2028 and zeros are part of
/// it. A line over `lineBytesMax` is handed out in pieces, of which none is [#whole()]. Only the
/// first `sizeBytes` bytes are read, so that a file that grows meanwhile is read as it was. They
/// are hashed on the way, unless the reader is [#unhashed()].
public final class LineReader implements AutoCloseable {

  private static final int BUFFER_SIZE = 256 << 10;
  private static final int PIECE_SIZE = 1 << 20;

  private final InputStream source;
  private final int lineBytesMax;
  private final long mark;
  private final LongConsumer progress;
  private Blake3 hasher = new Blake3();
  private boolean hashed = true;
  private long taken;
  private @Nullable BlobHash hashAtMark;
  private byte[] buffer = new byte[BUFFER_SIZE];
  private int start;
  private int filled;
  private long unread;
  private @Nullable DocumentItems items;

  private int from;
  private int to;
  private long number;
  private boolean whole = true;
  private boolean ended = true;
  private boolean open;
  private boolean between;

  /// @param mark after how many bytes the hash is also wanted; negative for never
  /// @param progress receives, now and then, the number of bytes read
  public LineReader(
      InputStream source, long sizeBytes, int lineBytesMax, long mark, LongConsumer progress) {
    this.progress = progress;
    this.source = source;
    this.mark = mark;
    this.unread = sizeBytes;
    this.lineBytesMax = lineBytesMax;
  }

  /// Hands out the items of the file, which is one JSON document, and the pieces between them: the
  /// objects in the outermost array, or in arrays that are members of the outermost object. To be
  /// called before [#next()].
  public LineReader items() {
    items = new DocumentItems();
    return this;
  }

  /// Reads without hashing, where nobody asks for the hash. To be called before [#next()].
  public LineReader unhashed() {
    hashed = false;
    return this;
  }

  /// Makes the source stand for the bytes behind others that were read before: places, numbers and
  /// the hash go on behind these. To be called before [#next()].
  ///
  /// @param before took the bytes before, which end with a line feed
  /// @param lines the number of lines before
  public LineReader behind(Blake3 before, long lines) {
    hasher = before;
    taken = before.sizeBytes();
    number = lines;
    return this;
  }

  /// Goes to the next line, or to the next piece of a line that is too long.
  ///
  /// @return false at the end
  public boolean next() throws IOException {
    boolean continues = open;
    if (continues && unread == 0 && start == filled) {
      return false;
    }
    int most = continues ? Math.min(PIECE_SIZE, lineBytesMax) : lineBytesMax;
    int scanned = start;
    while (true) {
      int scannedTo = (int) Math.min(filled, start + most + (items == null ? 1L : 0L));
      int end = end(scanned, scannedTo);
      if (end >= 0) {
        return items == null
            ? hand(end, end + 1, true, !continues, continues, false)
            : hand(end, end, false, !continues, continues, false);
      }
      int scannedSize = scannedTo - start;
      if (scannedSize >= most + (items == null ? 1 : 0)) {
        return hand(start + most, start + most, false, false, continues, true);
      }
      if (!fill()) {
        return filled > start && hand(filled, filled, false, !continues, continues, items == null);
      }
      scanned = start + scannedSize;
    }
  }

  /// The place of the line feed, or the end of the item or of the piece before one; negative if
  /// there is none among the bytes.
  private int end(int scanned, int scannedTo) {
    if (items != null) {
      return items.end(buffer, scanned, scannedTo, start);
    }
    for (int i = scanned; i < scannedTo; i++) {
      if (buffer[i] == '\n') {
        return i;
      }
    }
    return -1;
  }

  private boolean hand(
      int lineTo, int nextStart, boolean lf, boolean entire, boolean continues, boolean goesOn) {
    from = start;
    to = lineTo;
    start = nextStart;
    ended = lf;
    whole = entire;
    open = goesOn;
    between = items != null && !items.isItem();
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
    if (hashed) {
      hash(read);
    }
    filled += read;
    unread -= read;
    taken += read;
    progress.accept(taken);
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
  public BlobHash hash() {
    return hasher.digest();
  }

  /// True if the bytes up to the mark have the hash `expected`.
  public boolean beginsWith(BlobHash expected) {
    return mark == 0 ? new Blake3().digest().equals(expected) : expected.equals(hashAtMark);
  }

  /// The state of the hasher behind the bytes that were read: see [Blake3#saveState()].
  public byte[] hashState() {
    return hasher.saveState();
  }

  /// The number of bytes that were read.
  public long sizeBytes() {
    return taken;
  }

  /// The array the line is in; valid until [#next()].
  public byte[] buffer() {
    return buffer;
  }

  public int from() {
    return from;
  }

  /// The end of the line: its line feed, if the line has one.
  public int to() {
    return to;
  }

  /// The place in the file at which the line, or the piece of a line, begins.
  public long offset() {
    return taken - (filled - from);
  }

  /// Number of the physical line, starting at 1.
  public long number() {
    return number;
  }

  /// True if the piece is a line from its first byte to its last.
  public boolean whole() {
    return whole;
  }

  /// True if a line feed follows.
  public boolean ended() {
    return ended;
  }

  /// True if the piece stands before, between or behind the items of a document.
  public boolean between() {
    return between;
  }

  /// True if the document has not ended yet.
  public boolean torn() {
    return items != null && items.isOpen();
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
