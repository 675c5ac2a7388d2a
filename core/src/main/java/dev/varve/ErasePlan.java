// SPDX-License-Identifier: Apache-2.0
package dev.varve;

import java.util.List;

/// A forecast of an erasure. Nothing was changed for it.
///
/// The lists hold the first [#LISTED_MAX] of each kind; the counts count all.
///
/// @param counts how much goes and stays
/// @param going blobs that go
/// @param staying blobs that an erased context has and that stay, each with what needs it
/// @param turns turns that lose their payload as it was written, or that of a patch
/// @param digest stands for exactly what goes: the hash of the names of all blobs that go. A plan
///   for the same choice has the same digest until a blob more or a blob less would go
public record ErasePlan(
    Counts counts,
    List<GoingBlob> going,
    List<StayingBlob> staying,
    List<TurnId> turns,
    BlobHash digest) {

  /// The most entries that are listed of each kind.
  public static final int LISTED_MAX = 1000;

  /// The forecast of an erasure that finds nothing.
  public static final ErasePlan NOTHING =
      new ErasePlan(
          new Counts(0, 0, 0, 0, 0), List.of(), List.of(), List.of(), new BlobHash(0, 0, 0, 0));

  public ErasePlan {
    going = List.copyOf(going);
    staying = List.copyOf(staying);
    turns = List.copyOf(turns);
  }

  /// Numbers of an erasure.
  ///
  /// @param blobs how many blobs go, chunks and lists of chunks included
  /// @param rawBytes their size, uncompressed; a blob kept as chunks counts by its chunks
  /// @param packBytes by how many bytes `blobs.pack` gets shorter, records that are superseded
  ///   included; of a store in a database, the stored bytes of the blobs that go
  /// @param staying how many blobs of erased contexts stay
  /// @param turns how many turns lose a payload
  public record Counts(long blobs, long rawBytes, long packBytes, long staying, long turns) {}

  /// A blob that goes.
  public record GoingBlob(BlobHash hash, long sizeBytes, ErasedBlob.Cause cause) {}

  /// A blob that stays although an erased context has it.
  ///
  /// @param because what needs it, for people
  public record StayingBlob(BlobHash hash, String because) {}
}
