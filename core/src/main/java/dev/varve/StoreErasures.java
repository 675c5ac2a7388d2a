// SPDX-License-Identifier: Apache-2.0
package dev.varve;

/// The way to forget for good what a store has.
public interface StoreErasures {

  /// Finds out what an erasure would take, and changes nothing. Reads the whole store, while
  /// readers and writers go on.
  ///
  /// @param progress hears of bytes read, of those that are read in all
  /// @throws StoreException.NotFound if a context or blob of the request is not in the store
  /// @throws StoreException.Conflict if a context under a hold needs some of what would go, and the
  ///   request does not leave that
  /// @throws StoreException.Corrupt if the store is damaged: what a damaged record needs is not
  ///   known
  ErasePlan plan(EraseRequest request, ReadProgress progress);

  /// Erases what a plan said. The blobs are in no file of the store when this returns, and will not
  /// be taken back; a crash before leaves all of them or none. Readers go on; writers wait at the
  /// end, and all the time in a database. There the rows are gone then, and the files are the
  /// database's own.
  ///
  /// @param digest that of the plan that somebody agreed to
  /// @param progress hears of bytes, as in [#plan]
  /// @throws StoreException.Conflict if the plan has another digest by now, because somebody wrote
  ///   to the store or placed a hold; if another erasure is under way; or if large blobs are being
  ///   put and do not end
  /// @throws StoreException.NotFound as [#plan] does
  /// @throws StoreException.Full if there is no room for a second `blobs.pack`; nothing is erased
  EraseReceipt erase(EraseRequest request, BlobHash digest, ReadProgress progress);
}
