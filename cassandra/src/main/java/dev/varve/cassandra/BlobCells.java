// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.PutOutcome;
import dev.varve.StoreException;
import dev.varve.cassandra.cql.ClusterSession;
import dev.varve.cassandra.cql.CqlStatement;
import dev.varve.database.BlobRows;
import dev.varve.database.EncodedBlob;
import dev.varve.database.RootPieces;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The table `blob`: one cell holds all of a row, so that a read that repairs replicas never
/// repairs a part. A cell is a version, the codec, the size of the content, and the stored bytes.
final class BlobCells implements BlobRows {

  private static final int VERSION = 1;
  private static final int HEADER_BYTES = 1 + 1 + 8;
  private static final int RECENT_MAX = 100_000;

  private static final String INSERT = "INSERT INTO ks.blob (store, hash, data) VALUES (?, ?, ?)";
  private static final String DELETE = "DELETE FROM ks.blob WHERE store = ? AND hash = ?";
  private static final String READ = "SELECT data FROM ks.blob WHERE store = ? AND hash = ?";

  /// The time of the data, not the key alone: what is asked for is repaired.
  private static final String HAS =
      "SELECT writetime(data) FROM ks.blob WHERE store = ? AND hash = ?";

  private final ClusterSession session;
  private final BlobList list;
  private final ErasedNames erased;
  private final WriteLease lease;
  private final StripedLocks locks = new StripedLocks();

  /// Blobs that this process has written, and under which leases: only an erasure deletes blobs,
  /// and the leases behind an erasure are others.
  private final RecentMap<BlobHash, Long> recent = new RecentMap<>(RECENT_MAX);

  BlobCells(ClusterSession session, BlobList list, ErasedNames erased, WriteLease lease) {
    this.session = session;
    this.list = list;
    this.erased = erased;
    this.lease = lease;
  }

  // ---- to keep

  @Override
  public List<PutOutcome> keep(List<EncodedBlob> rows) {
    return lease.with(() -> keepAll(rows));
  }

  @Override
  public int erasures() {
    return lease.with(() -> WriteLease.ticket().run());
  }

  @Override
  public PutOutcome keepRoot(EncodedBlob root, int since) {
    return lease.with(
        () -> {
          if (WriteLease.ticket().run() != since) {
            RootPieces.require(root, new CellPieces());
          }
          return keepAll(List.of(root)).getLast();
        });
  }

  private final class CellPieces implements RootPieces<StoreException> {

    @Override
    public Optional<EncodedBlob> find(BlobHash hash) {
      return BlobCells.this.find(hash);
    }

    @Override
    public boolean hasAll(Set<BlobHash> chunks) {
      return findAll(List.copyOf(chunks)).stream().allMatch(Objects::nonNull);
    }
  }

  private List<PutOutcome> keepAll(List<EncodedBlob> rows) {
    SequencedMap<BlobHash, EncodedBlob> pieces = new LinkedHashMap<>();
    SequencedMap<BlobHash, EncodedBlob> roots = new LinkedHashMap<>();
    for (EncodedBlob row : rows) {
      (row.isChunked() ? roots : pieces).put(row.hash(), row);
    }
    Map<BlobHash, PutOutcome> outcomes = new LinkedHashMap<>();
    keep(pieces, outcomes);
    keep(roots, outcomes); // only now, since a root list promises its chunks
    List<PutOutcome> all = new ArrayList<>(outcomes.values());
    PutOutcome last = outcomes.get(rows.getLast().hash());
    if (last != null) {
      all.remove(last);
      all.add(last);
    }
    return all;
  }

  private void keep(SequencedMap<BlobHash, EncodedBlob> rows, Map<BlobHash, PutOutcome> outcomes) {
    if (rows.isEmpty()) {
      return;
    }
    locks.with(
        rows.keySet(),
        () -> {
          Map<BlobHash, Long> deleted = erased.admit(rows.keySet());
          List<EncodedBlob> wanted = List.copyOf(rows.values());
          List<@Nullable EncodedBlob> found = findAll(List.copyOf(rows.keySet()));
          List<CqlStatement> cells = new ArrayList<>();
          List<CqlStatement> names = new ArrayList<>();
          for (int i = 0; i < wanted.size(); i++) {
            EncodedBlob row = wanted.get(i);
            EncodedBlob there = found.get(i);
            if (there == null || !isSound(there, row)) {
              cells.add(behind(deleted, row, insertion(row)));
            }
            if (there == null || !isRecent(row.hash())) {
              names.add(behind(deleted, row, list.insertion(row)));
            }
            outcomes.put(row.hash(), new PutOutcome(row.hash(), there == null));
          }
          session.write(cells);
          session.write(names);
          wanted.forEach(this::kept);
          return true;
        });
  }

  /// Returns whether what is there can be read as what is wanted.
  private static boolean isSound(EncodedBlob there, EncodedBlob wanted) {
    if (there.codec() == wanted.codec() && Arrays.equals(there.data(), wanted.data())) {
      return there.rawBytes() == wanted.rawBytes();
    }
    if (there.isChunked() || wanted.isChunked()) {
      return false;
    }
    try {
      return there.content(wanted.rawBytes()).sizeBytes() == wanted.rawBytes();
    } catch (StoreException.Corrupt e) {
      return false;
    }
  }

  /// The statements that write a blob in one piece and list the blob.
  ///
  /// @throws StoreException.Erased if the blob was erased
  CellWrite admitted(EncodedBlob row) {
    Map<BlobHash, Long> deleted = erased.admit(List.of(row.hash()));
    return new CellWrite(
        behind(deleted, row, insertion(row)), behind(deleted, row, list.insertion(row)));
  }

  /// @param listing to be written behind the cell
  record CellWrite(CqlStatement cell, CqlStatement listing) {}

  /// A write that the deletion of the same blob does not hide.
  private CqlStatement behind(
      Map<BlobHash, Long> deleted, EncodedBlob row, CqlStatement statement) {
    Long micros = deleted.get(row.hash());
    return micros == null ? statement : statement.at(session.stampAfter(micros));
  }

  /// Refuses content that was erased, within an operation that writes.
  ///
  /// @throws StoreException.Erased if the blob was erased
  void refuseErased(BlobHash hash) {
    if (!isRecent(hash)) {
      erased.admit(List.of(hash));
    }
  }

  /// Refuses a blob that is not there, within an operation that writes.
  ///
  /// @throws StoreException.Erased if the blob was erased
  /// @throws StoreException.NotFound if the blob is not there
  void require(BlobHash hash, String kind) {
    if (!isRecent(hash) && !has(hash)) {
      erased.admit(List.of(hash));
      throw new StoreException.NotFound(kind, hash.toString());
    }
  }

  // ---- to erase

  /// Remembers the names of blobs, and deletes those that are in the store. May be done again.
  ///
  /// @param atMicros the time of the deletion, later than that of each cell
  void erase(List<ErasureRecords.Name> blobs, long atMicros) {
    List<CqlStatement> memories = new ArrayList<>();
    List<CqlStatement> listings = new ArrayList<>();
    List<CqlStatement> deletions = new ArrayList<>();
    for (ErasureRecords.Name name : blobs) {
      BlobHash hash = name.blob().hash();
      memories.add(ErasedNames.insertion(name.blob(), atMicros));
      if (!name.isPiece()) {
        listings.add(BlobList.deletion(hash).at(atMicros));
        deletions.add(CqlStatement.of(DELETE, hash).at(atMicros));
      }
    }
    session.writeFreely(memories);
    session.writeFreely(listings); // before the cells, since what is listed is there
    session.writeFreely(deletions);
    blobs.forEach(name -> list.changed(name.blob().hash()));
  }

  /// Notes that content may come back.
  ///
  /// @return how many of the content's names the store had
  /// @throws StoreException.NotFound if there were none
  int readmit(Payload content) {
    return lease.with(() -> erased.readmit(content));
  }

  // ---- rows

  /// The statement that writes a row.
  private static CqlStatement insertion(EncodedBlob row) {
    ByteBuffer cell = ByteBuffer.allocate(HEADER_BYTES + row.data().length);
    cell.put((byte) VERSION).put((byte) row.codec()).putLong(row.rawBytes()).put(row.data());
    return CqlStatement.of(INSERT, row.hash(), cell.array());
  }

  /// Returns whether this process has written a blob that no erasure can have taken, so that an
  /// append need not write it again.
  boolean isRecent(BlobHash hash) {
    Long closings = recent.find(hash);
    return closings != null && closings == WriteLease.ticket().closings();
  }

  /// Remembers that a blob and its name were written.
  void kept(EncodedBlob row) {
    list.changed(row.hash());
    recent.put(row.hash(), WriteLease.ticket().closings());
  }

  // ---- to read

  @Override
  public Optional<EncodedBlob> find(BlobHash hash) {
    Row row = session.readOne(CqlStatement.of(READ, hash));
    return row == null ? Optional.empty() : Optional.of(read(hash, row.getByteBuffer(0)));
  }

  /// The rows of several blobs that are asked for together; null for each that is absent.
  List<@Nullable EncodedBlob> findAll(List<BlobHash> hashes) {
    List<List<Row>> rows =
        session.readAll(hashes.stream().map(hash -> CqlStatement.of(READ, hash)).toList());
    List<@Nullable EncodedBlob> found = new ArrayList<>();
    for (int i = 0; i < hashes.size(); i++) {
      found.add(
          rows.get(i).isEmpty()
              ? null
              : read(hashes.get(i), rows.get(i).getFirst().getByteBuffer(0)));
    }
    return found;
  }

  /// A row whose header is damaged has a codec that nobody knows, so that reading its content is
  /// refused, and a put replaces it.
  private static EncodedBlob read(BlobHash hash, @Nullable ByteBuffer cell) {
    if (cell == null || cell.remaining() < HEADER_BYTES || cell.get(cell.position()) != VERSION) {
      return new EncodedBlob(hash, 0, -1, new byte[0]);
    }
    ByteBuffer in = cell.duplicate();
    in.get();
    int codec = in.get();
    long rawBytes = in.getLong();
    byte[] data = new byte[in.remaining()];
    in.get(data);
    return new EncodedBlob(hash, rawBytes, codec, data);
  }

  @Override
  public boolean has(BlobHash hash) {
    Row row = session.readOne(CqlStatement.of(HAS, hash));
    return row != null && !row.isNull(0);
  }

  @Override
  public List<BlobHash> lacking(List<BlobHash> hashes) {
    List<List<Row>> rows =
        session.readAll(hashes.stream().map(hash -> CqlStatement.of(HAS, hash)).toList());
    return IntStream.range(0, hashes.size())
        .filter(i -> rows.get(i).isEmpty() || rows.get(i).getFirst().isNull(0))
        .mapToObj(hashes::get)
        .toList();
  }

  @Override
  public long sizeBytes(BlobHash hash) {
    return find(hash).orElseThrow(() -> absent(hash)).rawBytes();
  }

  @Override
  public StoreException.NotFound absent(BlobHash hash) {
    return new StoreException.NotFound(
        erased.isErased(hash) ? StoreException.NotFound.ERASED_BLOB : "blob", hash.toString());
  }
}
