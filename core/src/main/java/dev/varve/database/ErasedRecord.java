// SPDX-License-Identifier: Apache-2.0
package dev.varve.database;

import dev.varve.BlobHash;
import dev.varve.ErasePlan;
import dev.varve.EraseReceipt;
import dev.varve.ErasedBlob;
import dev.varve.TurnId;
import dev.varve.blob.PieceNames;
import dev.varve.erasure.ErasureSelection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// All that a database keeps of an erasure.
///
/// @param going the blobs that go
/// @param pieces pieces into which a put would cut a blob that goes, and which are not in the
///   store: they would bring its content back
public record ErasedRecord(List<ErasedBlob> going, List<ErasedBlob> pieces, EraseReceipt receipt) {

  /// The record of what a plan chose.
  ///
  /// @param blobs of the plan's moment
  /// @param run number of the erasure
  public static ErasedRecord of(
      NameSurvey blobs, ErasureSelection selection, Instant now, int run, UUID storeId) {
    List<ErasedBlob> going = selection.erased(blobs, now, run);
    List<ErasedBlob> pieces = new ArrayList<>();
    for (ErasedBlob whole : going) {
      if (!whole.readmitted() && whole.sizeBytes() > DatabaseBlobs.SIZES.maxBytes()) {
        addPieces(whole, blobs, pieces);
      }
    }
    ErasePlan plan = selection.plan();
    EraseReceipt receipt =
        new EraseReceipt(
            storeId,
            run,
            Instant.ofEpochMilli(now.toEpochMilli()),
            plan,
            going.stream().map(ErasedBlob::hash).toList(),
            new EraseReceipt.PackBytes(
                blobs.endBytes(), blobs.endBytes() - plan.counts().packBytes()));
    return new ErasedRecord(going, pieces, receipt);
  }

  /// The plan of a receipt as a database keeps the receipt: without lists of blobs.
  ///
  /// @param bytes of all blobs before and after the erasure
  public static ErasePlan plan(
      long blobs, long rawBytes, long staying, EraseReceipt.PackBytes bytes, KeptTurns turns) {
    return new ErasePlan(
        new ErasePlan.Counts(
            blobs, rawBytes, bytes.before() - bytes.after(), staying, turns.count()),
        List.of(),
        List.of(),
        turns.first().stream().map(TurnId::new).toList(),
        turns.digest());
  }

  /// The turns of a kept plan.
  ///
  /// @param count how many lost a payload
  /// @param first the numbers of the first of them
  /// @param digest of the plan
  public record KeptTurns(long count, List<Long> first, BlobHash digest) {}

  private static void addPieces(ErasedBlob whole, NameSurvey blobs, List<ErasedBlob> pieces) {
    Map<BlobHash, Integer> names =
        PieceNames.of(blobs.stream(blobs.ordinal(whole.hash())), DatabaseBlobs.SIZES);
    names.forEach(
        (hash, sizeBytes) -> {
          if (blobs.ordinal(hash) < 0) {
            pieces.add(
                new ErasedBlob(hash, sizeBytes, whole.cause(), whole.erasedAt(), whole.run()));
          }
        });
  }
}
