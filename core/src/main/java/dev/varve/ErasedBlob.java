// SPDX-License-Identifier: Apache-2.0
package dev.varve;

import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/// The memory that a store keeps of a blob that was erased: its name, and no byte of its content.
///
/// @param sizeBytes size that the blob had, uncompressed
/// @param run number of the erasure, counted from 1 in each store
/// @param readmitted whether the content may come back
public record ErasedBlob(
    BlobHash hash, long sizeBytes, Cause cause, Instant erasedAt, int run, boolean readmitted) {

  /// The memory of a blob that is erased now.
  public ErasedBlob(BlobHash hash, long sizeBytes, Cause cause, Instant erasedAt, int run) {
    this(hash, sizeBytes, cause, erasedAt, run, false);
  }

  /// The memory of the same blob whose content may come back.
  public ErasedBlob readmit() {
    return new ErasedBlob(hash, sizeBytes, cause, erasedAt, run, true);
  }

  /// The reason for which a blob was erased.
  public enum Cause {
    /// A patch or a tombstone hid the payload, and nothing else needed it. Such content may come
    /// back.
    COLLECTED(4, "collected"),
    /// Only turns or descriptions of an erased context needed the blob.
    CONTEXT(1, "context"),
    /// The blob was named by its hash.
    BLOB(2, "blob"),
    /// The blob had a secret in it, or a part of a secret.
    SECRET(3, "secret");

    private final int number;
    private final String word;

    Cause(int number, String word) {
      this.number = number;
      this.word = word;
    }

    /// The number that stands for the cause in `erased.tbl`.
    public int number() {
      return number;
    }

    /// The cause with a number; empty if this version knows none.
    public static Optional<Cause> of(int number) {
      return Arrays.stream(values()).filter(cause -> cause.number == number).findFirst();
    }

    /// The cause in one lower-case word.
    public String word() {
      return word;
    }
  }
}
