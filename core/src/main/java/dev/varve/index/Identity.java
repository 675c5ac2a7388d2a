// SPDX-License-Identifier: Apache-2.0
package dev.varve.index;

import java.util.UUID;

/// Whose table a file is: it belongs to one store, and there to one kind of lookup.
///
/// @param store the id of the store
/// @param kind which of the store's lookups
record Identity(UUID store, int kind) {

  /// What fingerprints are mixed with before they get a place. Who chooses contents, and so their
  /// hashes, cannot aim at one page without knowing the store's id.
  long placeSeed() {
    long id = Mix.of(store.getMostSignificantBits(), store.getLeastSignificantBits());
    return Mix.of(id, kind);
  }

  /// What the checksums of a file's pages start from. Zeros, a page of another file, and a page of
  /// the file that this one replaced are thereby no valid pages.
  long checksumSeed(long pageCount) {
    return Mix.of(placeSeed(), pageCount);
  }
}
