// SPDX-License-Identifier: Apache-2.0
package dev.varve.index;

import java.util.UUID;

/// Whose table a file is: it belongs to one store, and there to one kind of lookup.
///
/// @param store the id of the store
/// @param kind which of the store's lookups
record TableIdentity(UUID store, int kind) {

  /// The number with which fingerprints are mixed before they get a place. A writer who chooses
  /// contents, and so their hashes, cannot aim at one page without knowing the store's id.
  long placeSeed() {
    long id = BitMixer.of(store.getMostSignificantBits(), store.getLeastSignificantBits());
    return BitMixer.of(id, kind);
  }

  /// The number from which the checksums of a file's pages start. Zeros, a page of another file,
  /// and a page of the file that this one replaced are thereby no valid pages.
  long checksumSeed(long pageCount) {
    return BitMixer.of(placeSeed(), pageCount);
  }
}
