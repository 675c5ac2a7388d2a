// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import dev.varve.BlobHash;
import dev.varve.cassandra.cql.ClusterSession;
import dev.varve.cassandra.cql.CqlStatement;
import dev.varve.database.EncodedBlob;
import dev.varve.database.NameSurvey;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The blobs of a store, found by a reading of the whole table `blob` of the keyspace: a blob whose
/// writer was killed is in no list. Each replica is asked, since a cell that one replica has alone
/// may be seen by a later reader.
final class CellSurvey extends NameSurvey {

  private static final int ROWS_AT_ONCE = 64;
  private static final int RANGES = 64;

  private static final String SCAN =
      "SELECT store, hash, writetime(data) FROM ks.blob"
          + " WHERE token(store, hash) > ? AND token(store, hash) <= ?";

  private record Sizes(BlobHash hash, long rawBytes, long storedBytes, boolean chunked) {

    static Sizes of(EncodedBlob blob) {
      return new Sizes(blob.hash(), blob.rawBytes(), blob.data().length, blob.isChunked());
    }
  }

  private final BlobCells cells;
  private final Runnable alive;
  private final long newestMicros;

  private CellSurvey(BlobCells cells, Runnable alive, List<Sizes> found, long newestMicros) {
    super(places("blob", found.size()));
    this.cells = cells;
    this.alive = alive;
    this.newestMicros = newestMicros;
    for (Sizes blob : found) {
      add(blob.hash(), blob.rawBytes(), blob.storedBytes(), blob.chunked());
    }
  }

  /// Reads the names and sizes of all blobs.
  ///
  /// @param alive is called from time to time, also when contents are read
  static CellSurvey of(ClusterSession session, BlobCells cells, Runnable alive) {
    List<Sizes> found = new ArrayList<>();
    long newest = 0;
    long step = -(Long.MIN_VALUE / (RANGES / 2));
    for (int range = 0; range < RANGES; range++) {
      alive.run();
      long from = Long.MIN_VALUE + range * step;
      long to = range == RANGES - 1 ? Long.MAX_VALUE : from + step;
      List<BlobHash> names = new ArrayList<>();
      for (Row row : session.readEverywhere(CqlStatement.of(SCAN, from, to))) {
        if (session.address().store().equals(row.getString(0)) && !row.isNull(2)) {
          names.add(BlobList.hash(row.getByteBuffer(1)));
          newest = Math.max(newest, row.getLong(2));
        }
      }
      addSizes(cells, names, found);
    }
    found.sort(Comparator.comparing(blob -> HexFormat.of().formatHex(blob.hash().bytes())));
    return new CellSurvey(cells, alive, found, newest);
  }

  private static void addSizes(BlobCells cells, List<BlobHash> names, List<Sizes> found) {
    for (int at = 0; at < names.size(); at += ROWS_AT_ONCE) {
      for (EncodedBlob blob :
          cells.findAll(names.subList(at, Math.min(names.size(), at + ROWS_AT_ONCE)))) {
        if (blob != null) {
          found.add(Sizes.of(blob));
        }
      }
    }
  }

  /// The time of the cell that was written last.
  long newestMicros() {
    return newestMicros;
  }

  @Override
  public byte[] content(int ordinal) {
    return content(ordinal, cells.find(hash(ordinal)).orElse(null));
  }

  private byte[] content(int ordinal, @Nullable EncodedBlob blob) {
    if (blob == null) {
      throw corrupt(ordinal, "a row", "none");
    }
    return content(blob);
  }

  @Override
  public void contents(BitSet chosen, ContentVisitor visitor) {
    List<Integer> some = new ArrayList<>();
    for (int at = chosen.nextSetBit(0); at >= 0; at = chosen.nextSetBit(at + 1)) {
      some.add(at);
      if (some.size() == ROWS_AT_ONCE) {
        handOver(some, visitor);
        some.clear();
      }
    }
    handOver(some, visitor);
  }

  private void handOver(List<Integer> ordinals, ContentVisitor visitor) {
    alive.run();
    List<@Nullable EncodedBlob> blobs = cells.findAll(ordinals.stream().map(this::hash).toList());
    for (int i = 0; i < blobs.size(); i++) {
      visitor.content(ordinals.get(i), content(ordinals.get(i), blobs.get(i)));
    }
  }
}
