// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import dev.varve.BlobHash;
import dev.varve.ErasePlan;
import dev.varve.EraseReceipt;
import dev.varve.EraseRequest;
import dev.varve.Payload;
import dev.varve.ReadProgress;
import dev.varve.StoreException;
import dev.varve.cassandra.cql.ClusterSession;
import dev.varve.cassandra.cql.QuietPause;
import dev.varve.database.ErasedRecord;
import dev.varve.database.RecordedErasures;
import dev.varve.erasure.ErasurePlanner;
import dev.varve.erasure.ErasureSelection;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/// Erasures of a store on a cluster. Writers are kept out first ([ErasureGate], [LeaseRows]); then
/// the store is read, and the record of what goes is kept. One conditional write decides. Only then
/// names are remembered and cells deleted, by the process that decided or, if that process ended,
/// by the next process that wants to write: each of these steps may be done twice.
final class ClusterErasures implements RecordedErasures {

  /// The lead of deletions over the present, for clocks of writers that are ahead.
  private static final long AHEAD_MICROS = TimeUnit.SECONDS.toMicros(10);

  /// The looks at a store that writers change meanwhile.
  private static final int LOOKS = 3;

  /// Makes a survey of the turns, of the moment of a survey of the blobs.
  @FunctionalInterface
  interface Paths {
    PathSnapshot of(CellSurvey blobs, Runnable alive);
  }

  private final ClusterSession session;
  private final ErasureGate gate;
  private final GateTimes times;
  private final BlobCells cells;
  private final Paths paths;
  private final ErasureRecords records;
  private final ClusterHolds holds;
  private final WriteLease lease;
  private final InstantSource clock;
  private final UUID storeId;

  ClusterErasures(
      ClusterSession session,
      ErasureGate gate,
      GateTimes times,
      BlobCells cells,
      Paths paths,
      ErasureRecords records,
      ClusterHolds holds,
      WriteLease lease,
      InstantSource clock,
      UUID storeId) {
    this.session = session;
    this.gate = gate;
    this.times = times;
    this.cells = cells;
    this.paths = paths;
    this.records = records;
    this.holds = holds;
    this.lease = lease;
    this.clock = clock;
    this.storeId = storeId;
  }

  // ---- to plan

  @Override
  public ErasePlan plan(EraseRequest request, ReadProgress progress) {
    for (int look = 1; ; look++) {
      try {
        return select(survey(() -> {}), request, progress, () -> {}).plan();
      } catch (StoreException.Corrupt e) {
        if (look == LOOKS) { // else a blob was seen before its chunks were written, or erased
          throw e;
        }
      }
    }
  }

  private CellSurvey survey(Runnable alive) {
    return CellSurvey.of(session, cells, alive);
  }

  private ErasureSelection select(
      CellSurvey blobs, EraseRequest request, ReadProgress progress, Runnable alive) {
    ReadProgress lively =
        (done, total) -> {
          alive.run();
          progress.reached(done, total);
        };
    return new ErasurePlanner(blobs, paths.of(blobs, alive), request, holds.lasting(), lively)
        .select();
  }

  // ---- to erase

  @Override
  public EraseReceipt erase(EraseRequest request, BlobHash digest, ReadProgress progress) {
    ErasureClaim claim = new ErasureClaim(gate, gate.close(opened()), times);
    UUID attempt = UUID.randomUUID();
    long atMicros;
    EraseReceipt receipt;
    try {
      lease.giveUp();
      new LeaseRows(session, times).awaitNone(claim);
      CellSurvey blobs = survey(claim);
      ErasureSelection selection = select(blobs, request, progress, claim);
      selection.requirePlan(digest);
      int run = claim.closed().run() + 1;
      ErasedRecord record = ErasedRecord.of(blobs, selection, clock.instant(), run, storeId);
      atMicros = atMicros(blobs.newestMicros(), claim.closed().atMicros());
      records.keep(attempt, record, claim);
      receipt = record.receipt();
    } catch (RuntimeException | Error e) {
      openAgain(claim, e);
      throw e;
    }
    claim.decide(attempt, atMicros);
    complete(claim, attempt);
    return receipt;
  }

  /// A time that is later than all cells, also those that other clocks dated.
  private long atMicros(long newestMicros, long lastMicros) {
    long now = session.stampAfter(0);
    return Math.max(now, Math.max(newestMicros, lastMicros)) + AHEAD_MICROS;
  }

  private static void openAgain(ErasureClaim claim, Throwable cause) {
    try {
      claim.open(claim.closed().run());
    } catch (StoreException e) {
      cause.addSuppressed(e); // the next writer opens the gate
    }
  }

  /// The open gate. An erasure whose process gives no sign of life is ended first.
  ///
  /// @throws StoreException.Conflict if an erasure is under way
  private GateRow opened() {
    GateWatch watch = new GateWatch(times);
    QuietPause pause = session.pauses();
    GateRow seen = gate.read();
    while (!seen.isOpen()) {
      if (!watch.isSame(seen)) {
        throw new StoreException.Conflict("erase", "no other erasure", "one that is under way");
      }
      if (watch.isSilent(seen)) {
        end(seen);
      }
      pause.rest();
      seen = gate.read();
    }
    return seen;
  }

  // ---- to complete

  /// Ends an erasure whose process ended: completes what was decided, else takes nothing.
  void end(GateRow silent) {
    try {
      ErasureClaim claim = new ErasureClaim(gate, gate.takeOver(silent), times);
      if (claim.closed().phase() == GateRow.DECIDED) {
        complete(claim, Objects.requireNonNull(claim.closed().attempt()));
      } else {
        claim.open(claim.closed().run());
      }
    } catch (StoreException.Conflict e) {
      // the process lives, or somebody else was faster
    }
  }

  private void complete(ErasureClaim claim, UUID attempt) {
    long atMicros = claim.closed().atMicros();
    records.each(
        attempt,
        some -> {
          claim.run();
          cells.erase(some, atMicros);
        });
    int run = claim.closed().run() + 1;
    records.keepRun(run, attempt);
    claim.open(run);
  }

  // ---- receipts

  @Override
  public int last() {
    return gate.read().run();
  }

  @Override
  public Optional<EraseReceipt> receipt(int run) {
    return run < 1 || run > last() ? Optional.empty() : records.attempt(run).map(records::receipt);
  }

  @Override
  public int readmit(Payload content) {
    return cells.readmit(content);
  }
}
