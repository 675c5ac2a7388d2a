// SPDX-License-Identifier: Apache-2.0
package dev.varve.postgresql;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import dev.varve.blob.Codec;
import dev.varve.chunk.ChunkSizes;
import dev.varve.database.DatabaseBlobs;
import dev.varve.database.EncodedBlob;
import dev.varve.erasure.SurveyedBlobs;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.BitSet;
import java.util.function.LongConsumer;

/// The blobs of a database as one transaction sees them, in the order of their hashes. Some 50
/// bytes of memory for each; contents are read when they are asked for.
final class TableSurvey implements SurveyedBlobs {

  private static final int ROWS_AT_ONCE = 64;

  /// Fewer than this part of all contents are asked for one by one.
  private static final int SPARSE = 16;

  /// A failure of the database in the midst of the planner, which knows no database.
  static final class Interruption extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final SQLException failure;

    Interruption(SQLException failure) {
      super(failure);
      this.failure = failure;
    }

    SQLException failure() {
      return failure;
    }
  }

  private final Connection connection;

  /// Four words for each hash, each so that their numeric order is that of the bytes.
  private final long[] words;

  private final long[] rawBytes;
  private final long[] ends;
  private final BitSet chunked = new BitSet();

  private TableSurvey(Connection connection, int count) {
    this.connection = connection;
    this.words = new long[Math.multiplyExact(4, count)];
    this.rawBytes = new long[count];
    this.ends = new long[count];
  }

  /// Reads the names and sizes of all blobs.
  ///
  /// @param connection with a transaction that sees one state
  /// @throws StoreException.TooLarge if there are more than memory can have places for
  static TableSurvey of(Connection connection) throws SQLException {
    TableSurvey survey = new TableSurvey(connection, count(connection, "blob"));
    try (Statement statement = connection.createStatement()) {
      statement.setFetchSize(ROWS_AT_ONCE * ROWS_AT_ONCE);
      try (ResultSet row =
          statement.executeQuery(
              "SELECT hash, raw_bytes, codec, octet_length(data) FROM blob ORDER BY hash")) {
        long end = 0;
        for (int at = 0; row.next(); at++) {
          BlobHash hash = BlobHash.of(row.getBytes(1));
          survey.words[4 * at] = Long.reverseBytes(hash.w0());
          survey.words[4 * at + 1] = Long.reverseBytes(hash.w1());
          survey.words[4 * at + 2] = Long.reverseBytes(hash.w2());
          survey.words[4 * at + 3] = Long.reverseBytes(hash.w3());
          survey.rawBytes[at] = row.getLong(2);
          survey.chunked.set(at, row.getInt(3) == Codec.CHUNKS.number());
          end += row.getLong(4);
          survey.ends[at] = end;
        }
      }
    }
    return survey;
  }

  /// The number of rows of a table.
  static int count(Connection connection, String table) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM " + table)) {
      row.next();
      long count = row.getLong(1);
      if (count > Integer.MAX_VALUE / 4) {
        throw new StoreException.TooLarge(
            "rows of table " + table + " to survey", count, Integer.MAX_VALUE / 4);
      }
      return (int) count;
    }
  }

  @Override
  public int blobCount() {
    return rawBytes.length;
  }

  @Override
  public long endBytes() {
    return ends.length == 0 ? 0 : ends[ends.length - 1];
  }

  @Override
  public ChunkSizes chunkSizes() {
    return DatabaseBlobs.SIZES;
  }

  private BlobHash hash(int ordinal) {
    return new BlobHash(
        Long.reverseBytes(words[4 * ordinal]),
        Long.reverseBytes(words[4 * ordinal + 1]),
        Long.reverseBytes(words[4 * ordinal + 2]),
        Long.reverseBytes(words[4 * ordinal + 3]));
  }

  @Override
  public Blob blob(int ordinal) {
    long offset = ordinal == 0 ? 0 : ends[ordinal - 1];
    return new Blob(
        hash(ordinal), offset, rawBytes[ordinal], ends[ordinal] - offset, chunked.get(ordinal));
  }

  @Override
  public boolean isLive(int ordinal) {
    return true;
  }

  @Override
  public int ordinal(BlobHash hash) {
    long[] wanted = {
      Long.reverseBytes(hash.w0()),
      Long.reverseBytes(hash.w1()),
      Long.reverseBytes(hash.w2()),
      Long.reverseBytes(hash.w3())
    };
    int low = 0;
    int high = blobCount() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = compare(4 * middle, wanted);
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1;
  }

  private int compare(int at, long[] wanted) {
    for (int i = 0; i < wanted.length; i++) {
      int order = Long.compareUnsigned(words[at + i], wanted[i]);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  @Override
  public byte[] content(int ordinal) {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT raw_bytes, codec, data FROM blob WHERE hash = ?")) {
      statement.setBytes(1, hash(ordinal).bytes());
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          throw corrupt(ordinal, "a row", "none");
        }
        return content(
            new EncodedBlob(hash(ordinal), row.getLong(1), row.getInt(2), row.getBytes(3)));
      }
    } catch (SQLException e) {
      throw new Interruption(e);
    }
  }

  private static byte[] content(EncodedBlob row) {
    if (row.isChunked()) {
      DatabaseBlobs.root(row); // refuses damage
      return row.data();
    }
    return row.content(DatabaseBlobs.SIZES.maxBytes()).unsafeArray();
  }

  @Override
  public void contents(BitSet chosen, ContentVisitor visitor) {
    if (chosen.cardinality() < blobCount() / SPARSE) {
      SurveyedBlobs.super.contents(chosen, visitor);
      return;
    }
    try (Statement statement = connection.createStatement()) {
      statement.setFetchSize(ROWS_AT_ONCE);
      try (ResultSet row =
          statement.executeQuery("SELECT raw_bytes, codec, data FROM blob ORDER BY hash")) {
        for (int ordinal = 0; row.next(); ordinal++) {
          if (chosen.get(ordinal)) {
            visitor.content(
                ordinal,
                content(
                    new EncodedBlob(
                        hash(ordinal), row.getLong(1), row.getInt(2), row.getBytes(3))));
          }
        }
      }
    } catch (SQLException e) {
      throw new Interruption(e);
    }
  }

  @Override
  public void requireWhole(LongConsumer reached) {
    BitSet all = new BitSet();
    all.set(0, blobCount());
    contents(all, (ordinal, _) -> reached.accept(ends[ordinal]));
  }

  @Override
  public StoreException.Corrupt corrupt(int ordinal, String expected, String found) {
    return new StoreException.Corrupt("table blob, row " + hash(ordinal), 0, expected, found);
  }
}
