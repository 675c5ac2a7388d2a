// SPDX-License-Identifier: Apache-2.0
package dev.varve;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A turn about to be appended, and on what conditions.
///
/// @param parent the turn it follows; null means the head of the context. [TurnId#NONE] starts a
///   new root. Any turn of the store is allowed: that is how a context is rewound or branches
///   within itself
/// @param expectedHead if present, the append is refused with [StoreException.Conflict] unless the
///   context's head is this turn (compare-and-set)
/// @param key if present, makes the append safe to retry
/// @param fsRoot if present, the root of the file tree as it was at this turn; the blob must be in
///   the store
/// @param declaredCompression what a remote writer said of the bytes it sent (0 none, 1 zstd);
///   kept, not acted on
/// @param createdAt when it came about, in whole milliseconds since 1970, where that is known and
///   was earlier: of history that is brought in. Null means now. Makes no context active that was
///   so later. Orders nothing: turns are ordered by their parents
public record NewTurn(
    Payload payload,
    DeclaredType type,
    Encoding encoding,
    @Nullable TurnId parent,
    @Nullable TurnId expectedHead,
    @Nullable IdempotencyKey key,
    @Nullable BlobHash fsRoot,
    int declaredCompression,
    @Nullable Instant createdAt) {

  /// The latest time that a record of a turn can hold.
  private static final Instant LATEST = Instant.ofEpochMilli(Long.MAX_VALUE);

  /// @throws StoreException.Invalid if the time is before 1970 or after what a record can hold
  public NewTurn {
    if (createdAt != null && (createdAt.isBefore(Instant.EPOCH) || createdAt.isAfter(LATEST))) {
      throw new StoreException.Invalid(
          "time of a turn", "expected 1970 or later, found " + createdAt);
    }
  }

  /// An unconditional append to the head.
  public static NewTurn of(Payload payload, DeclaredType type, Encoding encoding) {
    return new NewTurn(payload, type, encoding, null, null, null, null, 0, null);
  }

  public NewTurn withParent(TurnId turn) {
    return new NewTurn(
        payload, type, encoding, turn, expectedHead, key, fsRoot, declaredCompression, createdAt);
  }

  public NewTurn withExpectedHead(TurnId turn) {
    return new NewTurn(
        payload, type, encoding, parent, turn, key, fsRoot, declaredCompression, createdAt);
  }

  public NewTurn withKey(IdempotencyKey value) {
    return new NewTurn(
        payload,
        type,
        encoding,
        parent,
        expectedHead,
        value,
        fsRoot,
        declaredCompression,
        createdAt);
  }

  public NewTurn withFsRoot(BlobHash root) {
    return new NewTurn(
        payload, type, encoding, parent, expectedHead, key, root, declaredCompression, createdAt);
  }

  public NewTurn withDeclaredCompression(int compression) {
    return new NewTurn(
        payload, type, encoding, parent, expectedHead, key, fsRoot, compression, createdAt);
  }

  public NewTurn withCreatedAt(Instant time) {
    return new NewTurn(
        payload, type, encoding, parent, expectedHead, key, fsRoot, declaredCompression, time);
  }
}
