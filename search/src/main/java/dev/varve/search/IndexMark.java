// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import dev.varve.StoreCounts;
import java.util.Map;

/// The state of the store that an index stands for. Written with each commit of the index.
///
/// @param store names the store, so that an index of another store is noticed
/// @param turn the greatest turn number that was looked at
/// @param turns how many turns were looked at
/// @param contexts how many contexts were looked at
/// @param overlays the sequence of the last overlay that was followed
/// @param blobs how many blobs the store had
/// @param texts how many numbers were given to texts
/// @param activeAt when the most recently active context was active, in milliseconds since 1970
record IndexMark(
    String store,
    long turn,
    long turns,
    long contexts,
    long overlays,
    long blobs,
    long texts,
    long activeAt) {

  static IndexMark nothing(String store) {
    return new IndexMark(store, 0, 0, 0, 0, 0, 0, 0);
  }

  /// Reads what a commit says; [#nothing] if the commit is of another store or another version.
  static IndexMark of(Map<String, String> data, String store) {
    if (!data.getOrDefault("version", "").equals(Integer.toString(IndexFields.VERSION))
        || !data.getOrDefault("store", "").equals(store)) {
      return nothing(store);
    }
    try {
      return new IndexMark(
          store,
          Long.parseLong(data.getOrDefault("turn", "")),
          Long.parseLong(data.getOrDefault("turns", "")),
          Long.parseLong(data.getOrDefault("contexts", "")),
          Long.parseLong(data.getOrDefault("overlays", "")),
          Long.parseLong(data.getOrDefault("blobs", "")),
          Long.parseLong(data.getOrDefault("texts", "")),
          Long.parseLong(data.getOrDefault("active_at", "")));
    } catch (NumberFormatException e) {
      return nothing(store);
    }
  }

  Map<String, String> data() {
    return Map.of(
        "version", Integer.toString(IndexFields.VERSION),
        "store", store,
        "turn", Long.toString(turn),
        "turns", Long.toString(turns),
        "contexts", Long.toString(contexts),
        "overlays", Long.toString(overlays),
        "blobs", Long.toString(blobs),
        "texts", Long.toString(texts),
        "active_at", Long.toString(activeAt));
  }

  boolean isNothing() {
    return turn == 0 && contexts == 0;
  }

  /// Returns whether a store with these counts has nothing new. A description that is put back to
  /// an earlier one adds nothing that is counted; the next change of the store shows it.
  boolean isCurrent(StoreCounts counts) {
    return turns == counts.turns()
        && contexts == counts.contexts()
        && overlays == counts.overlays()
        && blobs == counts.blobs();
  }

  IndexMark withTurn(long number, long textsGiven) {
    return new IndexMark(store, number, turns + 1, contexts, overlays, blobs, textsGiven, activeAt);
  }

  /// The mark after a turn with a smaller number was looked at, which became visible late.
  IndexMark withLateTurn(long textsGiven) {
    return new IndexMark(store, turn, turns + 1, contexts, overlays, blobs, textsGiven, activeAt);
  }

  IndexMark withContexts(long count, long newestActiveAt, long textsGiven) {
    return new IndexMark(store, turn, turns, count, overlays, blobs, textsGiven, newestActiveAt);
  }

  IndexMark withOverlays(long seq, long textsGiven) {
    return new IndexMark(store, turn, turns, contexts, seq, blobs, textsGiven, activeAt);
  }

  IndexMark withBlobs(long count) {
    return new IndexMark(store, turn, turns, contexts, overlays, count, texts, activeAt);
  }
}
