// SPDX-License-Identifier: Apache-2.0
package dev.varve.erasure;

import dev.varve.ErasePlan;
import dev.varve.ErasePlan.GoingBlob;
import dev.varve.ErasePlan.StayingBlob;
import dev.varve.ErasedBlob.Cause;
import dev.varve.Overlay;
import dev.varve.TurnId;
import dev.varve.hash.Blake3;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;

/// Puts the plan of an erasure into words and numbers.
final class PlanReport {

  private final SurveyedBlobs blobs;
  private final SurveyedTurns turns;
  private final BitSet going;
  private final BitSet stale;
  private final Map<Cause, BitSet> causes;

  PlanReport(
      SurveyedBlobs blobs,
      SurveyedTurns turns,
      BitSet going,
      BitSet stale,
      Map<Cause, BitSet> causes) {
    this.blobs = blobs;
    this.turns = turns;
    this.going = going;
    this.stale = stale;
    this.causes = causes;
  }

  ErasureSelection selection(List<StayingBlob> staying, int stayingCount) {
    List<GoingBlob> listed = new ArrayList<>();
    Blake3 digest = new Blake3();
    long rawBytes = 0;
    long kept = 0;
    for (int ordinal = 0; ordinal < blobs.blobCount(); ordinal++) {
      SurveyedBlobs.Blob entry = blobs.blob(ordinal);
      if (going.get(ordinal)) {
        digest.update(entry.hash().toString().getBytes(StandardCharsets.US_ASCII));
        rawBytes += entry.chunked() ? 0 : entry.rawBytes();
        if (listed.size() < ErasePlan.LISTED_MAX) {
          listed.add(
              new GoingBlob(
                  entry.hash(), entry.rawBytes(), ErasureSelection.cause(causes, ordinal)));
        }
      } else if (!stale.get(ordinal)) {
        kept += entry.storedBytes();
      }
    }
    BitSet losing = turnsThatLose();
    ErasePlan.Counts counts =
        new ErasePlan.Counts(
            going.cardinality(),
            rawBytes,
            blobs.endBytes() - kept,
            stayingCount,
            losing.cardinality());
    List<TurnId> ids =
        losing.stream()
            .limit(ErasePlan.LISTED_MAX)
            .mapToObj(turn -> new TurnId(turns.turnId(turn)))
            .toList();
    return new ErasureSelection(
        going, stale, causes, new ErasePlan(counts, listed, staying, ids, digest.digest()));
  }

  private BitSet turnsThatLose() {
    BitSet losing = new BitSet();
    if (going.isEmpty()) {
      return losing;
    }
    for (int turn = 0; turn < turns.turnCount(); turn++) {
      losing.set(turn, goes(turns.payload(turn)));
    }
    turns.eachOverlay(
        overlay -> {
          if (overlay.kind() == Overlay.Kind.PATCH
              && overlay.target() >= 0
              && goes(overlay.blob())) {
            losing.set(overlay.target());
          }
        });
    return losing;
  }

  private boolean goes(int blob) {
    return blob >= 0 && going.get(blob);
  }
}
