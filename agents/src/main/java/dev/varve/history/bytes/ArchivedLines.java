// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.bytes;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.history.bytes.LinePieces.Insertion;
import dev.varve.history.bytes.LinePieces.Piece;
import dev.varve.imports.LineReader;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The bytes of an archived file, in the order of the file and in bounded memory.
public final class ArchivedLines {

  private ArchivedLines() {}

  /// The content as a stream of bytes: of a packed file, the bytes inside.
  @SuppressWarnings("JdkObsolete") // SequenceInputStream asks for it
  public static InputStream stream(Store store, StoredContent content) {
    if (content.pieces() == null) {
      return store.read(content.hash());
    }
    Iterator<InputStream> parts = new Parts(store, content);
    return new SequenceInputStream(
        new Enumeration<>() {
          @Override
          public boolean hasMoreElements() {
            return parts.hasNext();
          }

          @Override
          public InputStream nextElement() {
            return parts.next();
          }
        });
  }

  /// The lines of the first `sizeBytes` bytes.
  public static LineReader lines(
      Store store, StoredContent content, long sizeBytes, int lineBytesMax) {
    return new LineReader(stream(store, content), sizeBytes, lineBytesMax, -1, _ -> {});
  }

  /// Walks through the pieces of a transcript.
  private static final class Parts implements Iterator<InputStream> {
    private final Store store;
    private final String where;
    private final List<byte[]> words;
    private final DataInputStream pieces;
    private @Nullable DataInputStream group;
    private Optional<Piece> next;

    Parts(Store store, StoredContent content) {
      this.store = store;
      BlobHash blob = Objects.requireNonNull(content.pieces());
      this.where = "pieces " + blob;
      this.words =
          content.words() == null ? List.of() : WordList.read(store.get(content.words()), where);
      this.pieces = new DataInputStream(new BufferedInputStream(store.read(blob), 64 << 10));
      this.next = read();
    }

    private Optional<Piece> read() {
      try {
        while (true) {
          DataInputStream open = group == null ? pieces : group;
          Optional<Piece> piece = LinePieces.read(open, where, words.size());
          if (piece.isPresent() && piece.get() instanceof Piece.Group(BlobHash hash)) {
            LinePieces.demand(group == null, where); // a group has none
            group = new DataInputStream(new BufferedInputStream(store.read(hash)));
          } else if (piece.isPresent() || group == null) {
            return piece;
          } else {
            group = null;
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e); // a store's stream throws none
      }
    }

    @Override
    public boolean hasNext() {
      return next.isPresent();
    }

    @Override
    public InputStream next() {
      Piece piece = next.orElseThrow(NoSuchElementException::new);
      next = read();
      return switch (piece) {
        case Piece.Line line -> new ByteArrayInputStream(line(line));
        case Piece.Inline(byte[] bytes) -> new ByteArrayInputStream(bytes);
        case Piece.Blob(BlobHash blob) -> store.read(blob);
        case Piece.Group _ -> throw new AssertionError("a group is opened where it is read");
      };
    }

    private byte[] line(Piece.Line line) {
      Payload kept = store.get(line.kept());
      List<ElidedLine.Cut> cuts = new ArrayList<>(line.insertions().size() + 1);
      for (Insertion insertion : line.insertions()) {
        if (insertion.offset() > kept.sizeBytes()) {
          throw new StoreException.Corrupt(
              where, 0, "a place inside a line", "" + insertion.offset());
        }
        cuts.add(new ElidedLine.Cut(insertion.offset(), words.get(insertion.word())));
      }
      if (line.ended()) {
        cuts.add(new ElidedLine.Cut(kept.sizeBytes(), new byte[] {'\n'}));
      }
      return ElidedLine.restore(kept.unsafeArray(), cuts);
    }
  }
}
