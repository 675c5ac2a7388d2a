// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.ErasePlan;
import dev.varve.ErasePlan.GoingBlob;
import dev.varve.ErasePlan.StayingBlob;
import dev.varve.ErasedBlob.Cause;
import dev.varve.Overlay;
import dev.varve.TurnId;
import dev.varve.blob.PackSurvey;
import dev.varve.blob.PackSurvey.Entry;
import dev.varve.hash.Blake3;
import dev.varve.journal.StorePosition;
import dev.varve.turn.OverlayRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;

/// Puts the plan of an erasure into words and numbers.
final class PlanReport {

  private final StoreFiles files;
  private final StorePosition position;
  private final PackSurvey pack;
  private final BitSet going;
  private final BitSet stale;
  private final Map<Cause, BitSet> causes;

  PlanReport(
      StoreFiles files,
      StorePosition position,
      PackSurvey pack,
      BitSet going,
      BitSet stale,
      Map<Cause, BitSet> causes) {
    this.files = files;
    this.position = position;
    this.pack = pack;
    this.going = going;
    this.stale = stale;
    this.causes = causes;
  }

  ErasureSelection selection(List<StayingBlob> staying, int stayingCount) {
    List<GoingBlob> listed = new ArrayList<>();
    Blake3 digest = new Blake3();
    long rawBytes = 0;
    long kept = 0;
    for (int ordinal = 0; ordinal < pack.count(); ordinal++) {
      Entry entry = pack.entry(ordinal);
      if (going.get(ordinal)) {
        digest.update(entry.hash().toString().getBytes(StandardCharsets.US_ASCII));
        rawBytes += entry.chunked() ? 0 : entry.rawBytes();
        if (listed.size() < ErasePlan.LISTED_MAX) {
          listed.add(
              new GoingBlob(
                  entry.hash(), entry.rawBytes(), ErasureSelection.cause(causes, ordinal)));
        }
      } else if (!stale.get(ordinal)) {
        kept += entry.recordBytes();
      }
    }
    BitSet turns = turnsThatLose();
    ErasePlan.Counts counts =
        new ErasePlan.Counts(
            going.cardinality(),
            rawBytes,
            position.ends().packEnd() - kept,
            stayingCount,
            turns.cardinality());
    List<TurnId> ids =
        turns.stream()
            .limit(ErasePlan.LISTED_MAX)
            .mapToObj(ordinal -> new TurnId(files.turns.id(ordinal)))
            .toList();
    return new ErasureSelection(
        position,
        going,
        stale,
        causes,
        new ErasePlan(counts, listed, staying, ids, digest.digest()));
  }

  private BitSet turnsThatLose() {
    BitSet turns = new BitSet();
    if (going.isEmpty()) {
      return turns;
    }
    for (int ordinal = 0; ordinal < position.ends().turns(); ordinal++) {
      int payload = pack.ordinal(files.turns.record(ordinal).payloadHash());
      turns.set(ordinal, payload >= 0 && going.get(payload));
    }
    for (long seq = 1; seq <= position.ends().overlays(); seq++) {
      OverlayRecord overlay = files.overlays.record(seq);
      long target = files.turns.ordinal(overlay.targetTurnId());
      int payload =
          overlay.kind() == Overlay.Kind.PATCH ? pack.ordinal(overlay.newPayloadHash()) : -1;
      if (target >= 0 && payload >= 0 && going.get(payload)) {
        turns.set((int) target);
      }
    }
    return turns;
  }
}
