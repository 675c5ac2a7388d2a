// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.session;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import dev.varve.imports.LineReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// A session file from front to back, piece by piece, with the place of each.
///
/// A piece is a line, or, where a line is damaged, an entry in it or the bytes between. Every byte
/// of the file but its line feeds is in one piece. A line longer than [#LINE_BYTES_MAX] comes as
/// several pieces that are not [#whole()]; the first may still identify the entry. The heap holds
/// one line.
///
/// Bytes that are appended after the opening are not read.
public final class SessionReader implements AutoCloseable {

  /// The longest line that is looked at as a whole.
  public static final int LINE_BYTES_MAX = 63 << 20;

  private static final SessionRecord REST =
      new SessionRecord.Damaged("the rest of a line that is too long");

  private final Path file;
  private final LineReader lines;
  private Iterator<LinePiece> pieces = List.<LinePiece>of().iterator();
  private @Nullable LinePiece piece;
  private boolean lineFeed;
  private long lastLine;

  private SessionReader(Path file, LineReader lines) {
    this.file = file;
    this.lines = lines;
  }

  /// @throws StoreException.Io if the file cannot be read
  public static SessionReader open(Path file) {
    return open(file, _ -> {});
  }

  /// @param progress receives, now and then, the number of bytes read
  public static SessionReader open(Path file, LongConsumer progress) {
    return open(file, LINE_BYTES_MAX, progress);
  }

  /// Reads the first `sizeBytes` bytes only.
  public static SessionReader open(Path file, long sizeBytes, LongConsumer progress) {
    return open(file, sizeBytes, LINE_BYTES_MAX, progress);
  }

  static SessionReader open(Path file, int lineBytesMax, LongConsumer progress) {
    return open(file, Long.MAX_VALUE, lineBytesMax, progress);
  }

  private static SessionReader open(
      Path file, long sizeBytes, int lineBytesMax, LongConsumer progress) {
    try {
      if (Files.exists(file) && !Files.isRegularFile(file)) { // a pipe would be waited for
        throw new StoreException.Io(
            file.toString(), "is no regular file", new IOException("a pipe, a device, a folder"));
      }
      InputStream source = Files.newInputStream(file);
      return new SessionReader(
          file,
          new LineReader(
              source, Math.min(sizeBytes, Files.size(file)), lineBytesMax, -1, progress));
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  private static StoreException.Io unreadable(Path file, IOException e) {
    return new StoreException.Io(file.toString(), "cannot be read", e);
  }

  /// Goes to the next piece.
  ///
  /// @return false at the end
  /// @throws StoreException.Io if the file cannot be read
  public boolean next() {
    while (!pieces.hasNext()) {
      try {
        if (!lines.next()) {
          return false;
        }
      } catch (IOException e) {
        throw unreadable(file, e);
      }
      pieces = cut().iterator();
    }
    LinePiece next = pieces.next();
    piece = next;
    lineFeed = next.to() == lines.to() && lines.ended();
    return true;
  }

  private List<LinePiece> cut() {
    boolean first = lines.number() > lastLine;
    lastLine = lines.number();
    if (lines.whole()) {
      return LinePiece.of(lines.buffer(), lines.from(), lines.to());
    }
    SessionRecord record =
        first ? RecordParser.opening(lines.buffer(), lines.from(), lines.to()) : REST;
    return List.of(new LinePiece(record, lines.from(), lines.to()));
  }

  private LinePiece piece() {
    if (piece == null) {
      throw new IllegalArgumentException("next() was not called, or has answered false");
    }
    return piece;
  }

  /// The record that the piece makes.
  public SessionRecord record() {
    return piece().record();
  }

  /// Number of its physical line, starting at 1.
  public long line() {
    return lines.number();
  }

  /// The place in the file at which the piece begins.
  public long offset() {
    return lines.offset() + piece().from() - lines.from();
  }

  /// The place in its line at which the piece begins.
  public long column() {
    return (long) piece().from() - lines.from();
  }

  /// The array it is in; valid until [#next()].
  public byte[] bytes() {
    return lines.buffer();
  }

  public int from() {
    return piece().from();
  }

  public int to() {
    return piece().to();
  }

  public int sizeBytes() {
    return piece().to() - piece().from();
  }

  /// True if the piece's line was short enough to be read as a whole.
  public boolean whole() {
    return lines.whole();
  }

  /// True if a line feed follows the piece.
  public boolean lineFeed() {
    return lineFeed;
  }

  /// The hash of all bytes, once [#next()] has answered false.
  public BlobHash hash() {
    return lines.hash();
  }

  /// The number of bytes that were read.
  public long readBytes() {
    return lines.sizeBytes();
  }

  @Override
  public void close() {
    try {
      lines.close();
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }
}
