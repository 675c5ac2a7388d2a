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

/// The parts of an archived transcript, one after the other, as its pieces name them.
public final class TranscriptParts {

  private final Store store;
  private final FreshLines fresh;
  private final String where;
  private final List<byte[]> words;
  private final DataInputStream pieces;
  private @Nullable DataInputStream group;
  private Optional<Piece> next;

  private @Nullable Payload kept;
  private long partFrom;
  private long partTo;

  /// @param content of a transcript
  /// @param fresh lines that need not be read from the store
  public TranscriptParts(Store store, StoredContent content, FreshLines fresh) {
    this.store = store;
    this.fresh = fresh;
    BlobHash blob = Objects.requireNonNull(content.pieces());
    this.where = "pieces " + blob;
    this.words =
        content.words() == null ? List.of() : WordList.read(store.get(content.words()), where);
    this.pieces = new DataInputStream(new BufferedInputStream(store.read(blob), 64 << 10));
    this.next = read();
  }

  /// The bytes of the transcript. To be called once.
  @SuppressWarnings("JdkObsolete") // SequenceInputStream asks for it
  public InputStream stream() {
    Iterator<InputStream> parts = new Streams();
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

  /// The line at which a reader of [#stream()] stands, without the members that were cut out of it;
  /// null if the line is no fresh one.
  public @Nullable Payload kept(LineReader lines) {
    long from = lines.offset();
    long to = from + (lines.to() - lines.from()) + (lines.ended() ? 1 : 0);
    return from == partFrom && to == partTo ? kept : null;
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

  private final class Streams implements Iterator<InputStream> {

    @Override
    public boolean hasNext() {
      return next.isPresent();
    }

    @Override
    public InputStream next() {
      Piece piece = next.orElseThrow(NoSuchElementException::new);
      next = read();
      return switch (piece) {
        case Piece.Line line -> {
          kept = fresh.find(line.kept());
          byte[] bytes = line(line, kept == null ? store.get(line.kept()) : kept);
          begin(bytes.length);
          yield new ByteArrayInputStream(bytes);
        }
        case Piece.Inline(byte[] bytes) -> {
          kept = null;
          begin(bytes.length);
          yield new ByteArrayInputStream(bytes);
        }
        case Piece.Blob(BlobHash blob) -> {
          kept = null;
          begin(store.sizeBytes(blob));
          yield store.read(blob);
        }
        case Piece.Group _ -> throw new AssertionError("a group is opened where it is read");
      };
    }
  }

  private void begin(long sizeBytes) {
    partFrom = partTo;
    partTo += sizeBytes;
  }

  private byte[] line(Piece.Line line, Payload keptBytes) {
    List<ElidedLine.Cut> cuts = new ArrayList<>(line.insertions().size() + 1);
    for (Insertion insertion : line.insertions()) {
      if (insertion.offset() > keptBytes.sizeBytes()) {
        throw new StoreException.Corrupt(
            where, 0, "a place inside a line", "" + insertion.offset());
      }
      cuts.add(new ElidedLine.Cut(insertion.offset(), words.get(insertion.word())));
    }
    if (line.ended()) {
      cuts.add(new ElidedLine.Cut(keptBytes.sizeBytes(), new byte[] {'\n'}));
    }
    return ElidedLine.restore(keptBytes.unsafeArray(), cuts);
  }
}
