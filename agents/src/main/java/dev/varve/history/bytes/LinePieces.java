// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.bytes;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The bytes that say how a transcript is put together from lines
/// (docs/format/history-manifest.md).
///
/// A piece is a line that is a blob of its own, with places where cut bytes go back in, or other
/// bytes. Cut bytes are named by their numbers in a list of *words*, so that a fork, which has
/// other words, has the same pieces.
final class LinePieces {

  private static final int LINE = 1;
  private static final int UNENDED = 2;
  private static final int INLINE = 3;
  private static final int BLOB = 4;
  private static final int GROUP = 5;

  /// The most bytes of an inline piece.
  static final int INLINE_BYTES_MAX = 64 << 10;

  private static final int CUTS_MAX = 1 << 10;

  private LinePieces() {}

  /// A piece of a transcript.
  sealed interface Piece {
    /// A line.
    ///
    /// @param kept the blob with the bytes that stay
    record Line(BlobHash kept, List<Insertion> insertions, boolean ended) implements Piece {}

    /// Short lines, or a part of one.
    @SuppressWarnings("ArrayRecordComponent") // nobody compares these
    record Inline(byte[] bytes) implements Piece {}

    /// Bytes of a line that is too long.
    record Blob(BlobHash blob) implements Piece {}

    /// Pieces that stand in a blob of their own, so that a transcript that is written anew shares
    /// them with the one before. None of them is a group.
    record Group(BlobHash pieces) implements Piece {}
  }

  /// A word that goes back into a line.
  ///
  /// @param offset in the bytes that stayed
  record Insertion(int offset, int word) {}

  static void write(Piece piece, OutputStream out) throws IOException {
    switch (piece) {
      case Piece.Line(BlobHash kept, List<Insertion> insertions, boolean ended) -> {
        out.write(ended ? LINE : UNENDED);
        writeNumber(insertions.size(), out);
        for (Insertion insertion : insertions) {
          writeNumber(insertion.offset(), out);
          writeNumber(insertion.word(), out);
        }
        out.write(kept.bytes());
      }
      case Piece.Inline(byte[] bytes) -> {
        out.write(INLINE);
        writeNumber(bytes.length, out);
        out.write(bytes);
      }
      case Piece.Blob(BlobHash blob) -> {
        out.write(BLOB);
        out.write(blob.bytes());
      }
      case Piece.Group(BlobHash pieces) -> {
        out.write(GROUP);
        out.write(pieces.bytes());
      }
    }
  }

  /// The next piece; empty at the end.
  ///
  /// @param where names the pieces in a refusal
  /// @param words how many there are
  static Optional<Piece> read(DataInputStream in, String where, int words) throws IOException {
    int kind = in.read();
    try {
      return switch (kind) {
        case -1 -> Optional.empty();
        case LINE, UNENDED -> {
          int count = number(in, where, CUTS_MAX);
          List<Insertion> insertions = new ArrayList<>(count);
          int least = 0;
          for (int i = 0; i < count; i++) {
            int offset = number(in, where, Integer.MAX_VALUE);
            int word = number(in, where, words - 1);
            demand(offset >= least, where);
            least = offset;
            insertions.add(new Insertion(offset, word));
          }
          yield Optional.of(new Piece.Line(hash(in), insertions, kind == LINE));
        }
        case INLINE -> {
          byte[] bytes = new byte[number(in, where, INLINE_BYTES_MAX)];
          in.readFully(bytes);
          yield Optional.of(new Piece.Inline(bytes));
        }
        case BLOB -> Optional.of(new Piece.Blob(hash(in)));
        case GROUP -> Optional.of(new Piece.Group(hash(in)));
        default -> throw corrupt(where);
      };
    } catch (EOFException e) {
      throw corrupt(where);
    }
  }

  private static BlobHash hash(DataInputStream in) throws IOException {
    byte[] bytes = new byte[BlobHash.SIZE_BYTES];
    in.readFully(bytes);
    return BlobHash.of(bytes);
  }

  /// Seven bits a byte, the low ones first, the eighth set where more follow.
  static void writeNumber(int number, OutputStream out) throws IOException {
    int rest = number;
    while (rest >>> 7 != 0) {
      out.write((rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    out.write(rest);
  }

  static int number(InputStream in, String where, int max) throws IOException {
    long number = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      int b = in.read();
      demand(b >= 0, where);
      number |= (long) (b & 0x7F) << shift;
      if (b < 0x80) {
        demand(number <= max, where);
        return (int) number;
      }
    }
    throw corrupt(where);
  }

  static void demand(boolean valid, String where) {
    if (!valid) {
      throw corrupt(where);
    }
  }

  private static StoreException.Corrupt corrupt(String where) {
    return new StoreException.Corrupt(where, 0, "pieces of a transcript", "other bytes");
  }
}
