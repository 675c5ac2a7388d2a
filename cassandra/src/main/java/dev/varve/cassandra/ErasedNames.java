// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import dev.varve.BlobHash;
import dev.varve.ErasedBlob;
import dev.varve.ErasedBlob.Cause;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.blob.PieceNames;
import dev.varve.cassandra.cql.ClusterSession;
import dev.varve.cassandra.cql.CqlStatement;
import dev.varve.database.DatabaseBlobs;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The table `erased`: the memory of the names that an erasure took.
///
/// Each has the time of the deletion, which may lie ahead of the clocks: content that comes back is
/// written with a later time, so that the deletion does not hide the content.
final class ErasedNames {

  private static final String READ =
      "SELECT raw_bytes, cause, erased_ms, run, readmitted, deleted_us FROM ks.erased"
          + " WHERE store = ? AND hash = ?";
  private static final String INSERT =
      "INSERT INTO ks.erased (store, hash, raw_bytes, cause, erased_ms, run, readmitted,"
          + " deleted_us) VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
  private static final String READMIT =
      "UPDATE ks.erased SET readmitted = true WHERE store = ? AND hash = ?";

  /// For so long a reader believes that nothing was erased.
  private static final long BELIEF_NANOS = 1_000_000_000;

  /// A name, and the time of the deletion.
  record Erased(ErasedBlob blob, long deletedMicros) {}

  private final ClusterSession session;
  private final ErasureGate gate;
  private final AtomicLong lookedNanos = new AtomicLong(System.nanoTime() - 2 * BELIEF_NANOS);
  private volatile boolean hasAny;

  ErasedNames(ClusterSession session, ErasureGate gate) {
    this.session = session;
    this.gate = gate;
  }

  // ---- to read

  /// Returns whether anything was erased more than a second ago.
  boolean hasAny() {
    long last = lookedNanos.get();
    long now = System.nanoTime();
    if (!hasAny && now - last > BELIEF_NANOS && lookedNanos.compareAndSet(last, now)) {
      GateRow seen = gate.read();
      hasAny = seen.run() > 0 || seen.phase() == GateRow.DECIDED;
    }
    return hasAny;
  }

  /// The names among some that were erased.
  Map<BlobHash, Erased> find(Collection<BlobHash> hashes) {
    List<BlobHash> asked = List.copyOf(hashes);
    List<List<Row>> rows =
        session.readAll(asked.stream().map(hash -> CqlStatement.of(READ, hash)).toList());
    Map<BlobHash, Erased> found = new HashMap<>();
    for (int i = 0; i < rows.size(); i++) {
      if (!rows.get(i).isEmpty()) {
        found.put(asked.get(i), read(asked.get(i), rows.get(i).getFirst()));
      }
    }
    return found;
  }

  private static Erased read(BlobHash hash, Row row) {
    ErasedBlob blob =
        new ErasedBlob(
            hash,
            row.getLong(0),
            Cause.of(row.getInt(1)).orElse(Cause.BLOB),
            Instant.ofEpochMilli(row.getLong(2)),
            row.getInt(3),
            row.getBoolean(4));
    return new Erased(blob, row.getLong(5));
  }

  boolean isErased(BlobHash hash) {
    return find(List.of(hash)).containsKey(hash);
  }

  // ---- within an operation that writes

  /// The times behind which content is written that was erased and may be there again.
  ///
  /// @throws StoreException.Erased if some of it was erased and not readmitted
  Map<BlobHash, Long> admit(Collection<BlobHash> hashes) {
    if (WriteLease.ticket().run() == 0) {
      return Map.of();
    }
    Map<BlobHash, Long> times = new HashMap<>();
    find(hashes)
        .forEach(
            (hash, erased) -> {
              refuse(erased.blob());
              times.put(hash, erased.deletedMicros());
            });
    return times;
  }

  private static void refuse(ErasedBlob blob) {
    if (!blob.readmitted()) {
      throw new StoreException.Erased(
          blob.hash().toString(), blob.cause().word(), blob.erasedAt().toString());
    }
  }

  /// Notes that content may come back.
  ///
  /// @return how many of the content's names the store had
  /// @throws StoreException.NotFound if there were none
  int readmit(Payload content) {
    Collection<BlobHash> names = PieceNames.withWhole(content, DatabaseBlobs.SIZES);
    Map<BlobHash, Erased> erased = find(names);
    if (erased.isEmpty()) {
      throw new StoreException.NotFound(
          StoreException.NotFound.ERASED_BLOB, names.iterator().next().toString());
    }
    List<CqlStatement> changes = new ArrayList<>();
    erased.forEach(
        (hash, known) ->
            changes.add(
                CqlStatement.of(READMIT, hash).at(session.stampAfter(known.deletedMicros()))));
    session.write(changes);
    return erased.size();
  }

  // ---- within an erasure

  /// The statement that remembers a name.
  static CqlStatement insertion(ErasedBlob blob, long deletedMicros) {
    return CqlStatement.of(
            INSERT,
            blob.hash(),
            blob.sizeBytes(),
            blob.cause().number(),
            blob.erasedAt().toEpochMilli(),
            blob.run(),
            blob.readmitted(),
            deletedMicros)
        .at(deletedMicros);
  }

  /// Returns whether a name is remembered so that its content is refused.
  static boolean isRefused(@Nullable Erased known) {
    return known != null && !known.blob().readmitted();
  }
}
