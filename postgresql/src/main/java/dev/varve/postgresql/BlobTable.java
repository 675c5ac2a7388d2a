// SPDX-License-Identifier: Apache-2.0
package dev.varve.postgresql;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.PutOutcome;
import dev.varve.StoreException;
import dev.varve.StoreLimits;
import dev.varve.StoreOptions;
import dev.varve.chunk.ChunkList;
import dev.varve.chunk.ChunkSizes;
import dev.varve.chunk.ChunkedPut;
import dev.varve.chunk.ChunkedStream;
import dev.varve.chunk.PendingChunk;
import dev.varve.hash.Blake3;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The table `blob`. Content of more than 64 KiB is kept as chunks, as in a store on the local
/// disk.
final class BlobTable {

  static final ChunkSizes SIZES = ChunkSizes.DEFAULTS;

  private static final String PUT = "SELECT put_blob(?, ?, ?, ?)";
  private static final String FIND = "SELECT raw_bytes, codec, data FROM blob WHERE hash = ?";
  private static final String FIRST = "SELECT hash FROM blob ORDER BY hash LIMIT ?";
  private static final String NEXT = "SELECT hash FROM blob WHERE hash > ? ORDER BY hash LIMIT ?";
  private static final String SIZE = "SELECT raw_bytes FROM blob WHERE hash = ?";

  private final DatabaseSessions sessions;
  private final StoreLimits limits;
  private final int zstdLevel;

  BlobTable(DatabaseSessions sessions, StoreOptions options) {
    this.sessions = sessions;
    this.limits = options.limits();
    this.zstdLevel = options.zstdLevel();
  }

  // ---- to keep

  /// Returns whether a blob is small enough for one row.
  boolean isInOnePiece(Payload content) {
    return content.sizeBytes() <= SIZES.maxBytes();
  }

  /// The row of a blob in one piece.
  EncodedBlob encoded(Payload content) {
    return EncodedBlob.of(Blake3.hash(content), content, zstdLevel);
  }

  PutOutcome put(Payload content) {
    limits.checkPayload(content.sizeBytes());
    return keep(rows(content)).getLast();
  }

  /// Keeps blobs of any number and size in one transaction.
  List<BlobHash> putAll(List<Payload> contents) {
    contents.forEach(content -> limits.checkPayload(content.sizeBytes()));
    List<EncodedBlob> rows = new ArrayList<>();
    List<BlobHash> hashes = new ArrayList<>();
    for (Payload content : contents) {
      rows.addAll(rows(content));
      hashes.add(rows.getLast().hash());
    }
    keep(rows);
    return hashes;
  }

  /// The rows of one blob; its own row is the last.
  private List<EncodedBlob> rows(Payload content) {
    if (isInOnePiece(content)) {
      return List.of(encoded(content));
    }
    List<EncodedBlob> rows = new ArrayList<>();
    ChunkedPut.Target target =
        new ChunkedPut.Target() {
          @Override
          public void putAll(List<PendingChunk> pieces) {
            pieces.forEach(
                piece -> rows.add(EncodedBlob.of(piece.hash(), piece.bytes(), zstdLevel)));
          }

          @Override
          public BlobHash assemble(BlobHash whole, long sizeBytes, Payload rootList) {
            rows.add(EncodedBlob.chunked(whole, sizeBytes, rootList));
            return whole;
          }
        };
    try {
      new ChunkedPut(SIZES, target).put(new ByteArrayInputStream(content.unsafeArray()), null);
    } catch (IOException e) {
      throw new AssertionError("an array cannot fail", e);
    }
    return rows;
  }

  PutOutcome put(InputStream content, @Nullable BlobHash expected) throws IOException {
    StreamTarget target = new StreamTarget();
    BlobHash hash = new ChunkedPut(SIZES, target).put(content, expected);
    return new PutOutcome(hash, target.newest.contains(new PutOutcome(hash, true)));
  }

  /// The target of one blob that comes as a stream: each batch of chunks counts at once.
  private final class StreamTarget implements ChunkedPut.Target {
    private List<PutOutcome> newest = List.of();

    @Override
    public void putAll(List<PendingChunk> pieces) {
      pieces.forEach(piece -> limits.checkPayload(piece.bytes().sizeBytes()));
      newest =
          keep(
              pieces.stream()
                  .map(piece -> EncodedBlob.of(piece.hash(), piece.bytes(), zstdLevel))
                  .toList());
    }

    @Override
    public BlobHash assemble(BlobHash whole, long sizeBytes, Payload rootList) {
      newest = keep(List.of(EncodedBlob.chunked(whole, sizeBytes, rootList)));
      return whole;
    }
  }

  /// Keeps rows in one transaction, ordered by hash, so that two callers with the same rows wait
  /// for each other instead of blocking each other for ever.
  private List<PutOutcome> keep(List<EncodedBlob> rows) {
    if (rows.isEmpty()) {
      return List.of();
    }
    if (rows.size() == 1) {
      return sessions.ask((connection, _) -> List.of(keep(connection, rows.getFirst())));
    }
    List<EncodedBlob> ordered =
        rows.stream()
            .sorted(Comparator.comparing(row -> HexFormat.of().formatHex(row.hash().bytes())))
            .toList();
    List<PutOutcome> outcomes =
        sessions.askTogether(
            (connection, _) -> {
              List<PutOutcome> all = new ArrayList<>();
              for (EncodedBlob row : ordered) {
                all.add(keep(connection, row));
              }
              return all;
            });
    BlobHash last = rows.getLast().hash();
    List<PutOutcome> own = new ArrayList<>(outcomes);
    own.sort(Comparator.comparing(outcome -> outcome.hash().equals(last))); // its own row is last
    return own;
  }

  private static PutOutcome keep(Connection connection, EncodedBlob row) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(PUT)) {
      bind(statement, 1, row);
      try (ResultSet answer = statement.executeQuery()) {
        answer.next();
        return new PutOutcome(row.hash(), answer.getBoolean(1));
      }
    }
  }

  /// Sets four parameters: hash, size, codec, data.
  static void bind(PreparedStatement statement, int first, EncodedBlob row) throws SQLException {
    statement.setBytes(first, row.hash().bytes());
    statement.setLong(first + 1, row.rawBytes());
    statement.setShort(first + 2, (short) row.codec());
    statement.setBytes(first + 3, row.data());
  }

  /// Keeps a root list from elsewhere, once all that it stands for was read.
  void assemble(BlobHash hash, Payload rootList) {
    ChunkList root = ChunkList.root(rootList.unsafeArray(), SIZES);
    ChunkedStream.Place place = new ChunkedStream.Place(hash, "root list", 0);
    try (ChunkedStream stream =
        new ChunkedStream(place, SIZES, root, this::piece, 0, root.sizeBytes())) {
      stream.drain();
    } catch (StoreException.Corrupt e) {
      if (e.file().equals(place.file())) {
        throw new StoreException.Invalid("root list", String.valueOf(e.getMessage()));
      }
      throw e;
    }
    if (!has(hash)) {
      keep(List.of(EncodedBlob.chunked(hash, root.sizeBytes(), rootList)));
    }
  }

  // ---- to read

  /// The row of a blob.
  ///
  /// @throws StoreException.NotFound if it is not in the store
  EncodedBlob row(BlobHash hash) {
    return sessions
        .ask((connection, _) -> find(connection, hash))
        .orElseThrow(() -> new StoreException.NotFound("blob", hash.toString()));
  }

  private static Optional<EncodedBlob> find(Connection connection, BlobHash hash)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(FIND)) {
      statement.setBytes(1, hash.bytes());
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? Optional.of(new EncodedBlob(hash, row.getLong(1), row.getInt(2), row.getBytes(3)))
            : Optional.empty();
      }
    }
  }

  /// A chunk or a list of chunks.
  Payload piece(BlobHash hash, int bytesMax) {
    EncodedBlob row = row(hash);
    if (row.isChunked() || row.rawBytes() > bytesMax) {
      throw new StoreException.Invalid(
          "blob " + hash, "expected at most " + bytesMax + " bytes in one piece, found more");
    }
    return row.content(bytesMax);
  }

  Payload get(BlobHash hash) {
    return content(row(hash));
  }

  /// The content of a row, whatever its form.
  Payload content(EncodedBlob row) {
    if (!row.isChunked()) {
      return row.content(SIZES.maxBytes());
    }
    limits.checkPayload(row.rawBytes());
    byte[] all = new byte[(int) row.rawBytes()];
    ChunkedStream stream = stream(row, 0, row.rawBytes());
    for (int done = 0; done < all.length; ) {
      done += stream.read(all, done, all.length - done);
    }
    return Payload.wrap(all);
  }

  InputStream read(BlobHash hash, long offset, long length) {
    EncodedBlob row = row(hash);
    if (offset < 0 || length < 0 || offset > row.rawBytes() - length) {
      throw new StoreException.Invalid(
          "range", "expected bytes of " + row.rawBytes() + ", found " + length + " from " + offset);
    }
    if (row.isChunked()) {
      return stream(row, offset, offset + length);
    }
    byte[] content = row.content(SIZES.maxBytes()).unsafeArray();
    return new ByteArrayInputStream(content, (int) offset, (int) length);
  }

  private ChunkedStream stream(EncodedBlob row, long from, long end) {
    return new ChunkedStream(place(row), SIZES, root(row), this::piece, from, end);
  }

  static ChunkedStream.Place place(EncodedBlob row) {
    return new ChunkedStream.Place(row.hash(), "table blob, row " + row.hash(), 0);
  }

  /// The root list of a blob that is kept as chunks.
  static ChunkList root(EncodedBlob row) {
    try {
      ChunkList root = ChunkList.root(row.data(), SIZES);
      if (root.sizeBytes() == row.rawBytes()) {
        return root;
      }
      throw row.corrupt("a root list of " + row.rawBytes() + " bytes", "one of another size");
    } catch (StoreException.Invalid e) {
      throw row.corrupt("a root list", String.valueOf(e.getMessage()));
    }
  }

  long sizeBytes(BlobHash hash) {
    return sizeIfThere(hash)
        .orElseThrow(() -> new StoreException.NotFound("blob", hash.toString()));
  }

  /// A page of all blobs, by their hashes.
  List<BlobHash> list(@Nullable BlobHash after, int limit) {
    if (after != null && !has(after)) {
      throw new StoreException.NotFound("blob", after.toString());
    }
    return sessions.ask(
        (connection, _) -> {
          try (PreparedStatement statement =
              connection.prepareStatement(after == null ? FIRST : NEXT)) {
            if (after != null) {
              statement.setBytes(1, after.bytes());
            }
            statement.setInt(after == null ? 1 : 2, limit);
            List<BlobHash> page = new ArrayList<>();
            try (ResultSet row = statement.executeQuery()) {
              while (row.next()) {
                page.add(BlobHash.of(row.getBytes(1)));
              }
            }
            return page;
          }
        });
  }

  boolean has(BlobHash hash) {
    return sizeIfThere(hash).isPresent();
  }

  private Optional<Long> sizeIfThere(BlobHash hash) {
    return sessions.ask(
        (connection, _) -> {
          try (PreparedStatement statement = connection.prepareStatement(SIZE)) {
            statement.setBytes(1, hash.bytes());
            try (ResultSet row = statement.executeQuery()) {
              return row.next() ? Optional.of(row.getLong(1)) : Optional.empty();
            }
          }
        });
  }
}
