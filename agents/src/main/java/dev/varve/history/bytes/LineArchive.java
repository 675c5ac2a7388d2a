// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.bytes;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.hash.Blake3;
import dev.varve.history.bytes.LinePieces.Piece;
import dev.varve.imports.LineReader;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// Archives a transcript: each line becomes a blob without the members that a fork changes, and the
/// pieces say how the transcript is put together again.
///
/// The heap holds one line, a batch of lines, and some 50 bytes for each line of the transcript.
public final class LineArchive {

  /// A shorter line stands in the pieces: a blob would cost more.
  private static final int BLOB_BYTES_MIN = 128;

  /// A longer line is kept as chunks, of which each is kept once.
  private static final int CHUNKED_BYTES_MIN = 64 << 10;

  private static final int BATCH_BYTES = 1 << 20;

  /// A group of pieces ends behind a line whose hash has zeros in these bits: one of 16 lines.
  private static final int GROUP_END_MASK = 0x0F;

  private final Store store;
  private final Set<String> elided;
  private final FreshLines fresh;
  private final WordList words = new WordList();
  private final ByteArrayOutputStream pieces = new ByteArrayOutputStream();
  private final ByteArrayOutputStream group = new ByteArrayOutputStream();
  private final ByteArrayOutputStream inline = new ByteArrayOutputStream();
  private final List<Payload> batch = new ArrayList<>();
  private int batchBytes;

  /// @param elided the members to leave out
  /// @param fresh receives each line
  public LineArchive(Store store, Set<String> elided, FreshLines fresh) {
    this.store = store;
    this.elided = elided;
    this.fresh = fresh;
  }

  /// Goes on behind the lines of archived content, which ends with a line feed: what is written
  /// next is the content with more lines. Reads the pieces and words, and no line.
  public static LineArchive behind(Store store, Set<String> elided, StoredContent content)
      throws IOException {
    LineArchive archive = new LineArchive(store, elided, FreshLines.NONE);
    BlobHash blob = Objects.requireNonNull(content.pieces());
    String where = "pieces " + blob;
    List<byte[]> known =
        content.words() == null ? List.of() : WordList.read(store.get(content.words()), where);
    known.forEach(archive.words::number);
    try (DataInputStream in = new DataInputStream(new BufferedInputStream(store.read(blob)))) {
      Optional<Piece> piece = LinePieces.read(in, where, known.size());
      boolean afterPart = false;
      while (piece.isPresent()) {
        archive.take(piece.get(), afterPart);
        afterPart = piece.get() instanceof Piece.Blob;
        piece = LinePieces.read(in, where, known.size());
      }
    }
    return archive;
  }

  /// Takes the next piece of the content to go on from. Short lines at its end stay open, so that
  /// the pieces become those of the whole content.
  ///
  /// @param afterPart whether the piece only ends a line that is too long
  private void take(Piece piece, boolean afterPart) throws IOException {
    flushInline();
    switch (piece) {
      case Piece.Inline(byte[] bytes) when !afterPart -> inline.write(bytes);
      case Piece.Group _ -> {
        group.writeTo(pieces);
        group.reset();
        LinePieces.write(piece, pieces);
      }
      default -> LinePieces.write(piece, group);
    }
  }

  /// Archives all lines. They are durable, as far as the store's durability asks, on return.
  public StoredContent write(LineReader lines) throws IOException {
    while (lines.next()) {
      byte[] bytes = Arrays.copyOfRange(lines.buffer(), lines.from(), lines.to());
      if (!lines.whole()) {
        part(bytes, lines.ended());
      } else if (bytes.length < BLOB_BYTES_MIN) {
        shortLine(bytes, lines.ended());
      } else {
        line(ElidedLine.of(bytes, elided), lines.ended());
      }
    }
    flushInline();
    group.writeTo(pieces);
    flushBatch();
    BlobHash pieceBlob = store.put(new ByteArrayInputStream(pieces.toByteArray()), null);
    BlobHash wordBlob = store.put(words.encoded(), null);
    return new StoredContent(lines.sizeBytes(), lines.hash(), pieceBlob, wordBlob, null);
  }

  private void line(ElidedLine line, boolean ended) throws IOException {
    flushInline();
    List<LinePieces.Insertion> insertions = new ArrayList<>(line.cuts().size());
    for (ElidedLine.Cut cut : line.cuts()) {
      insertions.add(new LinePieces.Insertion(cut.offset(), words.number(cut.bytes())));
    }
    Payload keptBytes = Payload.wrap(line.kept());
    fresh.add(keptBytes);
    BlobHash kept = put(keptBytes);
    LinePieces.write(new LinePieces.Piece.Line(kept, insertions, ended), group);
    if ((kept.bytes()[0] & GROUP_END_MASK) == 0) {
      LinePieces.write(new LinePieces.Piece.Group(put(Payload.wrap(group.toByteArray()))), pieces);
      group.reset();
    }
  }

  private BlobHash put(Payload bytes) throws IOException {
    BlobHash hash = Blake3.hash(bytes);
    if (bytes.sizeBytes() >= CHUNKED_BYTES_MIN) {
      return store.put(new ByteArrayInputStream(bytes.unsafeArray()), hash);
    }
    batch.add(bytes);
    batchBytes += bytes.sizeBytes();
    if (batchBytes >= BATCH_BYTES) {
      flushBatch();
    }
    return hash;
  }

  private void flushBatch() {
    if (!batch.isEmpty()) {
      List<BlobHash> _ = store.putAll(List.copyOf(batch));
      batch.clear();
      batchBytes = 0;
    }
  }

  private void shortLine(byte[] bytes, boolean ended) throws IOException {
    if (inline.size() + bytes.length + 1 > LinePieces.INLINE_BYTES_MAX) {
      flushInline();
    }
    inline.write(bytes);
    if (ended) {
      inline.write('\n');
    }
  }

  private void part(byte[] bytes, boolean ended) throws IOException {
    flushInline();
    BlobHash blob = store.put(new ByteArrayInputStream(bytes), null);
    LinePieces.write(new LinePieces.Piece.Blob(blob), group);
    if (ended) {
      LinePieces.write(new LinePieces.Piece.Inline(new byte[] {'\n'}), group);
    }
  }

  private void flushInline() throws IOException {
    if (inline.size() > 0) {
      LinePieces.write(new LinePieces.Piece.Inline(inline.toByteArray()), group);
      inline.reset();
    }
  }
}
