// SPDX-License-Identifier: Apache-2.0
package dev.varve.copy;

import dev.varve.BulkStore;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.StoreCounts;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import java.util.List;

/// Copies a store into another: blobs, turns, contexts and overlays, with their numbers and times.
///
/// The target is empty, or a copy of an earlier state of the same source into which nobody else
/// wrote. A run that broke off is completed by the next, and a run after a run brings only what is
/// new. The source may be in use; turns that are appended during a run may be left to the next run.
/// Idempotency keys are not copied, because no store gives them away.
///
/// For one thread.
public final class StoreCopy {

  /// A source that is written to all the time is not followed for ever.
  private static final int ROUNDS_MAX = 3;

  private final BulkStore source;
  private final BulkStore target;
  private final CopyProgress progress;
  private final BlobCopy blobs;
  private final CopiedTurns copied;
  private final ContextCopy contexts;
  private final OverlayCopy overlays;
  private final CopyBatch batch;
  private long turns;
  private long erasedTurns;

  public StoreCopy(BulkStore source, BulkStore target, CopyProgress progress) {
    this(source, target, progress, CopyBatch.DEFAULTS);
  }

  StoreCopy(BulkStore source, BulkStore target, CopyProgress progress, CopyBatch batch) {
    this.source = source;
    this.target = target;
    this.progress = progress;
    this.blobs = new BlobCopy(source, target, progress, batch);
    this.copied = new CopiedTurns(source, target);
    this.contexts = new ContextCopy(source, target, blobs, copied, batch);
    this.overlays = new OverlayCopy(source, target, blobs, copied, batch);
    this.batch = batch;
  }

  /// Copies what the target lacks.
  ///
  /// @throws StoreException.Conflict if the target has content that the source does not have under
  ///   the same numbers
  /// @throws StoreException.Corrupt if the source is damaged; what was copied before stays
  public StoreCopyReport run() {
    boolean complete = false;
    for (int round = 0; round < ROUNDS_MAX && !complete; round++) {
      StoreCounts before = source.counts();
      refuseMore("contexts", before.contexts(), target.counts().contexts());
      refuseMore("turns", before.turns(), target.counts().turns());
      blobs.copyAll();
      copyTurns(before.turns());
      boolean behind = contexts.copyAll();
      overlays.copyAll();
      complete = !behind && isSame(before, source.counts());
    }
    long there = target.counts().turns();
    if (complete && there < source.counts().turns()) {
      // Several services write to the source, and one was late with a smaller number.
      throw new StoreException.Conflict(
          "the copy",
          source.counts().turns() + " turns",
          there + "; copy into an empty store while nobody writes to the source");
    }
    return new StoreCopyReport(
        blobs.count(),
        blobs.contentBytes(),
        turns,
        erasedTurns,
        contexts.made(),
        contexts.moved(),
        overlays.count(),
        complete);
  }

  private static boolean isSame(StoreCounts before, StoreCounts after) {
    return before.turns() == after.turns()
        && before.contexts() == after.contexts()
        && before.blobs() == after.blobs()
        && before.overlays() == after.overlays();
  }

  private static void refuseMore(String what, long there, long copied) {
    if (copied > there) {
      throw new StoreException.Conflict(
          "the copy", "at most the " + there + " " + what + " of the source", copied + " " + what);
    }
  }

  // ---- turns

  private void copyTurns(long total) {
    long done = target.counts().turns();
    List<TurnId> listed = source.turnNumbers(lastCopied(), batch.items());
    while (!listed.isEmpty()) {
      for (TurnId id : listed) {
        restore(source.turn(id, View.AS_WRITTEN));
        turns++;
        done++;
      }
      progress.reached("turns", done, Math.max(total, done));
      listed = source.turnNumbers(listed.getLast(), batch.items());
    }
  }

  private void restore(Turn turn) {
    Payload payload = turn.payload();
    if (payload == null) {
      erasedTurns++;
    }
    NewTurn copy =
        NewTurn.of(payload == null ? Payload.EMPTY : payload, turn.type(), turn.encoding())
            .withParent(turn.parent())
            .withDeclaredCompression(turn.declaredCompression());
    if (turn.fsRoot() != null) {
      blobs.demand(turn.fsRoot());
      copy = copy.withFsRoot(turn.fsRoot());
    }
    target.restoreTurn(turn.id(), turn.context(), copy, turn.createdAt());
  }

  /// The greatest number in the target. Turns are copied in the order of their numbers, so that the
  /// target has all of the source up to some number.
  private TurnId lastCopied() {
    TurnId last = TurnId.NONE;
    List<TurnId> page = target.turnNumbers(TurnId.NONE, 1);
    if (page.isEmpty()) {
      return last;
    }
    long low = 0; // a turn above is in the target
    long high = Long.MAX_VALUE; // none above is
    while (low < high) {
      long middle = low + (high - low >>> 1);
      page = target.turnNumbers(new TurnId(middle), 1);
      if (page.isEmpty()) {
        high = middle;
      } else {
        last = page.getFirst();
        low = last.value();
      }
    }
    copied.requireSame(last);
    return last;
  }
}
