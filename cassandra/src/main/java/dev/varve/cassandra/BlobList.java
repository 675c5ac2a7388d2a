// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import dev.varve.BlobHash;
import dev.varve.cassandra.cql.ClusterSession;
import dev.varve.cassandra.cql.CqlStatement;
import dev.varve.database.EncodedBlob;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// The table `blob_list`: the names and sizes of all blobs, in the order of their hashes. The first
/// bits of a hash choose the partition.
///
/// To count, all names are read. The counts of a partition are kept until this process writes into
/// the partition, and all are taken again after a hundred times as long as taking them took.
final class BlobList {

  private static final int PART_BITS = 6;
  private static final int PARTS = 1 << PART_BITS;
  private static final long RARITY = 100;

  private static final String INSERT =
      "INSERT INTO ks.blob_list (store, part, hash, raw_bytes, own_bytes, stored_bytes)"
          + " VALUES (?, ?, ?, ?, ?, ?)";
  private static final String DELETE =
      "DELETE FROM ks.blob_list WHERE store = ? AND part = ? AND hash = ?";
  private static final String COUNT =
      "SELECT count(*), sum(own_bytes), sum(stored_bytes) FROM ks.blob_list"
          + " WHERE store = ? AND part = ?";
  private static final String FIRST =
      "SELECT hash FROM ks.blob_list WHERE store = ? AND part = ? LIMIT ?";
  private static final String NEXT =
      "SELECT hash FROM ks.blob_list WHERE store = ? AND part = ? AND hash > ? LIMIT ?";
  private static final String SIZE =
      "SELECT raw_bytes FROM ks.blob_list WHERE store = ? AND part = ? AND hash = ?";

  /// Blobs, their own bytes (of a blob in chunks its root list) and these as they are stored.
  record Sum(long blobs, long ownBytes, long storedBytes) {}

  private final ClusterSession session;
  private final AtomicReferenceArray<@Nullable Sum> sums = new AtomicReferenceArray<>(PARTS);
  private volatile long recountNanos = System.nanoTime();

  BlobList(ClusterSession session) {
    this.session = session;
  }

  private static int part(BlobHash hash) {
    return (hash.bytes()[0] & 0xff) >> (8 - PART_BITS);
  }

  /// The statement that lists a blob.
  CqlStatement insertion(EncodedBlob row) {
    long storedBytes = row.data().length;
    long ownBytes = row.isChunked() ? storedBytes : row.rawBytes();
    return CqlStatement.of(
        INSERT, part(row.hash()), row.hash(), row.rawBytes(), ownBytes, storedBytes);
  }

  /// The statement that takes a blob off the list.
  static CqlStatement deletion(BlobHash hash) {
    return CqlStatement.of(DELETE, part(hash), hash);
  }

  /// Counts a partition again next time, because blobs were listed there.
  void changed(BlobHash hash) {
    sums.set(part(hash), null);
  }

  Sum sum() {
    long start = System.nanoTime();
    boolean all = start - recountNanos > 0;
    List<Integer> parts = new ArrayList<>();
    for (int part = 0; part < PARTS; part++) {
      if (all || sums.get(part) == null) {
        parts.add(part);
      }
    }
    List<Row> counted =
        session.count(parts.stream().map(part -> CqlStatement.of(COUNT, part)).toList());
    for (int i = 0; i < parts.size(); i++) {
      Row row = counted.get(i);
      sums.set(parts.get(i), new Sum(row.getLong(0), row.getLong(1), row.getLong(2)));
    }
    if (all) {
      long now = System.nanoTime();
      recountNanos = now + RARITY * (now - start);
    }
    return added();
  }

  private Sum added() {
    long blobs = 0;
    long ownBytes = 0;
    long storedBytes = 0;
    for (int part = 0; part < PARTS; part++) {
      Sum sum = sums.get(part);
      if (sum != null) {
        blobs += sum.blobs();
        ownBytes += sum.ownBytes();
        storedBytes += sum.storedBytes();
      }
    }
    return new Sum(blobs, ownBytes, storedBytes);
  }

  /// A page of all blobs, by their hashes.
  List<BlobHash> page(@Nullable BlobHash after, int limit) {
    List<BlobHash> page = new ArrayList<>();
    int first = after == null ? 0 : part(after);
    for (int part = first; part < PARTS && page.size() < limit; part++) {
      int left = limit - page.size();
      CqlStatement next =
          after != null && part == first
              ? CqlStatement.of(NEXT, part, after, left)
              : CqlStatement.of(FIRST, part, left);
      session.read(next).forEach(row -> page.add(hash(row.getByteBuffer(0))));
    }
    return page;
  }

  /// Returns whether a blob is listed.
  boolean lists(BlobHash hash) {
    return session.readOne(size(hash)) != null;
  }

  /// The statement that finds the size of a blob's content.
  static CqlStatement size(BlobHash hash) {
    return CqlStatement.of(SIZE, part(hash), hash);
  }

  /// The hash in a cell.
  static BlobHash hash(@Nullable ByteBuffer cell) {
    byte[] bytes = new byte[cell == null ? 0 : cell.remaining()];
    if (cell != null) {
      cell.duplicate().get(bytes);
    }
    return BlobHash.of(bytes);
  }
}
