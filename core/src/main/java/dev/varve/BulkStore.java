// SPDX-License-Identifier: Apache-2.0
package dev.varve;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A store whose content can be brought into another store with its numbers and times.
public interface BulkStore extends Store {

  /// Appends a turn under a number that was given elsewhere. Moves no head.
  ///
  /// @param id greater than any turn number this store has given or taken so far
  /// @param context the context it was appended through; need not exist yet
  /// @param turn `parent` is required ([TurnId#NONE] for a root); `expectedHead` and its own time
  ///   are ignored
  /// @throws StoreException.Conflict if `id` is not greater than all before it
  Turn restoreTurn(TurnId id, ContextId context, NewTurn turn, Instant createdAt);

  /// Makes a context under a number that was given elsewhere.
  ///
  /// @throws StoreException.Conflict if the number is taken
  ContextHead restoreContext(
      ContextId id,
      TurnId head,
      TurnId base,
      Instant createdAt,
      Instant activeAt,
      @Nullable BlobHash about);

  /// Gives a context a later state that the context had elsewhere.
  ///
  /// @param expectedHead the present head, so that nothing that was appended here is set aside
  /// @param head the new head; [TurnId#NONE] for none
  /// @param activeAt when the context was last active; an earlier time than the present one changes
  ///   nothing
  /// @param about what the context is about from now on, or null
  /// @return the context as it is now
  /// @throws StoreException.NotFound if the context, the head or `about` is not in the store
  /// @throws StoreException.Conflict if the head is not the expected one
  ContextHead moveContext(
      ContextId id, TurnId expectedHead, TurnId head, Instant activeAt, @Nullable BlobHash about);

  /// The numbers of the store's turns, rising, page by page: also of turns that no context leads
  /// to.
  ///
  /// @param after only greater numbers; [TurnId#NONE] for the first page
  /// @param limit the most numbers in the page; an empty page is the end
  List<TurnId> turnNumbers(TurnId after, int limit);

  /// The blobs of the store page by page, in an order of the store's own: blobs in one piece, large
  /// blobs, and the chunks and lists of which large blobs are made. A blob that is stored while
  /// somebody goes through the pages may be missed.
  ///
  /// @param after continue behind this blob of an earlier page; null for the first page
  /// @param limit the most blobs in the page; an empty page is the end
  /// @throws StoreException.NotFound if `after` is not in the store
  List<BlobHash> blobs(@Nullable BlobHash after, int limit);

  /// The overlays behind a sequence, in the order in which they were written.
  ///
  /// @param seq 0 for the first page
  /// @param limit the most overlays in the page; an empty page is the end
  List<Overlay> overlaysAfter(long seq, int limit);

  /// The number of the last erasure or readmission; 0 if nothing was ever erased.
  int lastErasure();
}
