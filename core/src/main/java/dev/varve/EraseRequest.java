// SPDX-License-Identifier: Apache-2.0
package dev.varve;

import java.util.List;
import java.util.Set;

/// The choice of what a store is to forget for good.
///
/// @param contexts contexts whose turns lose their payloads, as far as nothing else needs them
/// @param blobs blobs that are erased whatever needs them
/// @param secrets texts of [#SECRET_BYTES_MIN] to [#SECRET_BYTES_MAX] bytes; each blob that
///   contains one is erased, whatever needs the blob
/// @param leavesHeld whether blobs that contexts under a [ContextHold] need are left, and the rest
///   is erased; otherwise the whole erasure is refused
/// @param hidden whether payloads go that a patch or a tombstone hides, as far as nothing else
///   needs them. Such content may come back
public record EraseRequest(
    Set<ContextId> contexts,
    Set<BlobHash> blobs,
    List<Payload> secrets,
    boolean leavesHeld,
    boolean hidden) {

  /// The choice of what is garbage: payloads that are hidden. What is held is left.
  public static final EraseRequest GARBAGE =
      new EraseRequest(Set.of(), Set.of(), List.of(), true, true);

  /// Fewer bytes would be found by chance, most of all in base64.
  public static final int SECRET_BYTES_MIN = 8;

  public static final int SECRET_BYTES_MAX = 1024;

  /// A choice that is refused where a hold is in the way.
  public EraseRequest(Set<ContextId> contexts, Set<BlobHash> blobs, List<Payload> secrets) {
    this(contexts, blobs, secrets, false, false);
  }

  /// The same choice, but what contexts under a hold need is left.
  public EraseRequest leavingHeld() {
    return new EraseRequest(contexts, blobs, secrets, true, hidden);
  }

  /// @throws StoreException.Invalid if nothing is chosen, or a secret is too short or too long
  public EraseRequest {
    contexts = Set.copyOf(contexts);
    blobs = Set.copyOf(blobs);
    secrets = List.copyOf(secrets);
    if (contexts.isEmpty() && blobs.isEmpty() && secrets.isEmpty() && !hidden) {
      throw new StoreException.Invalid("erase", "expected something to erase, found nothing");
    }
    for (Payload secret : secrets) {
      if (secret.sizeBytes() < SECRET_BYTES_MIN || secret.sizeBytes() > SECRET_BYTES_MAX) {
        throw new StoreException.Invalid(
            "secret",
            "expected "
                + SECRET_BYTES_MIN
                + " to "
                + SECRET_BYTES_MAX
                + " bytes, found "
                + secret.sizeBytes());
      }
    }
  }
}
