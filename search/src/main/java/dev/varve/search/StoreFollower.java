// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import dev.varve.ContextHead;
import dev.varve.Overlay;
import dev.varve.Store;
import dev.varve.StoreCounts;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Brings an index up to the present state of a store, through the words of [Store] alone, so that
/// it does not matter who has the store open.
///
/// Turn numbers rise, and a turn is in the store when its number is below that of a head. Contexts
/// are looked at from the most recently active one down to those that were looked at before; if the
/// counts then say that something is missing, all are looked at. For one thread.
final class StoreFollower {

  private static final int PAGE = 500;

  /// Most often, few contexts are new.
  private static final int PAGE_FIRST = 32;

  /// The count of numbers without a turn that are tried one by one before a larger gap is expected.
  private static final int GAP_TRIED = 1000;

  /// The most numbers that are tried again.
  private static final int GAPS_MAX = 10_000;

  /// The most contexts whose heads are kept for finding the end of a gap.
  private static final int HEADS_MAX = 1_000_000;

  private final Store store;
  private final IndexDraft draft;
  private final @Nullable OverlayNews news;
  private final List<ContextHead> heads = new ArrayList<>();

  /// Numbers that were passed over: where several services write to one store, a turn may become
  /// visible after a turn with a greater number.
  private final TreeSet<Long> gaps = new TreeSet<>();

  /// The count of turns when all contexts were looked at last.
  private long turnsAtLook = -1;

  /// The greatest number of a head so far.
  private long end;

  /// The last overlay before the one that news were awaited of: they come a moment after the
  /// overlay itself.
  private long overlaysAwaited = -1;

  /// @param news the turns that overlays are about; null if nobody listens to the store
  StoreFollower(Store store, IndexDraft draft, @Nullable OverlayNews news) {
    this.store = store;
    this.draft = draft;
    this.news = news;
  }

  /// Follows the store until the index stands for all that was there when this was called, or the
  /// time is over.
  void follow(FollowLimit limit) throws IOException {
    StoreCounts counts = store.counts();
    if (draft.mark().isCurrent(counts)) {
      return;
    }
    boolean fresh = draft.mark().isNothing();
    followContexts(counts, fresh);
    followOverlays(counts, limit);
    followTurns(counts, limit);
    followLateTurns(counts);
    boolean misses = draft.mark().turns() < counts.turns() && draft.mark().turn() >= end;
    if (!limit.isOver() && misses && !fresh && turnsAtLook != counts.turns()) {
      turnsAtLook = counts.turns();
      followContexts(counts, true); // a head was missed because its context was restored
      followTurns(counts, limit);
    }
    if (!limit.isOver()) {
      draft.mark(draft.mark().withBlobs(counts.blobs()));
    }
  }

  private void followContexts(StoreCounts counts, boolean all) throws IOException {
    heads.clear();
    IndexMark mark = draft.mark();
    long known = mark.contexts();
    long newest = mark.activeAt();
    List<ContextHead> page = store.contexts(null, all ? PAGE : PAGE_FIRST);
    boolean more = true;
    while (more && !page.isEmpty()) {
      for (ContextHead context : page) {
        long at = context.activeAt().toEpochMilli();
        if (!all && at < mark.activeAt() && known >= counts.contexts()) {
          more = false;
          break;
        }
        known += draft.contexts().take(context, draft.reader()) ? 1 : 0;
        newest = Math.max(newest, at);
        if (heads.size() < HEADS_MAX) {
          heads.add(context);
        }
        draft.refreshIfLarge();
      }
      page = more ? store.contexts(page.getLast().id(), PAGE) : List.of();
    }
    draft.mark(draft.mark().withContexts(known, newest, draft.textsNext()));
    draft.refreshIfLarge();
  }

  /// An overlay does not say which turn it is about. Without news of it, which come within moments
  /// if at all, the headers of all known turns are read.
  private void followOverlays(StoreCounts counts, FollowLimit limit) throws IOException {
    long seen = draft.mark().overlays();
    if (counts.overlays() == seen) {
      return;
    }
    if (news != null && !draft.mark().isNothing()) {
      List<TurnId> turns = news.between(seen, counts.overlays());
      for (TurnId turn : turns) {
        replace(turn.value());
      }
      if (!turns.isEmpty()) {
        followedOverlays(seen + turns.size());
        return;
      }
      if (overlaysAwaited != seen) {
        overlaysAwaited = seen;
        return;
      }
    }
    if (findOverlaid(seen, limit)) {
      followedOverlays(counts.overlays());
    }
  }

  private void followedOverlays(long last) {
    draft.mark(draft.mark().withOverlays(last, draft.textsNext()));
    if (news != null) {
      news.forget(last);
    }
  }

  /// Looks for the turns with overlays behind `seen`, among the turns that were followed.
  ///
  /// @return whether this came to the end; otherwise the next following begins again
  private boolean findOverlaid(long seen, FollowLimit limit) throws IOException {
    long last = draft.mark().turn();
    long id = 1;
    int missing = 0;
    while (id <= last) {
      if (limit.isOver()) {
        return false;
      }
      Turn turn = find(id, View.HEADERS);
      missing = turn == null ? missing + 1 : 0;
      if (turn != null && (turn.tombstone() || isPatched(turn, seen))) {
        replace(id);
      }
      id = missing > GAP_TRIED ? next(id) : id + 1;
    }
    return true;
  }

  /// Returns whether a turn got or lost texts: a file tree that is attached to it changes none.
  private boolean isPatched(Turn turn, long seen) {
    return turn.overlaySeq() > seen
        && store.overlays(turn.id()).stream()
            .anyMatch(each -> each.seq() > seen && each.kind() != Overlay.Kind.FS_ROOT);
  }

  /// Takes the texts of a turn out, and adds those that it has now.
  private void replace(long id) throws IOException {
    if (id == TurnId.NONE.value() || id > draft.mark().turn()) {
      return; // a turn that is followed later is read with its overlays
    }
    draft.turns().remove(id);
    Turn latest = find(id, View.LATEST);
    if (latest != null) {
      draft.turns().add(latest);
    }
  }

  private void followTurns(StoreCounts counts, FollowLimit limit) throws IOException {
    heads.forEach(context -> end = Math.max(end, context.head().value()));
    long id = draft.mark().turn() + 1;
    int missing = 0;
    while (id <= end && !limit.isOver()) {
      boolean there = add(id);
      missing = there ? 0 : missing + 1;
      if (!there) {
        passOver(id);
      } else {
        draft.mark(draft.mark().withTurn(id, draft.textsNext()));
        draft.refreshIfLarge();
        limit.report(draft.mark().turns(), counts.turns());
      }
      id = missing > GAP_TRIED ? next(id) : id + 1;
    }
  }

  private void passOver(long id) {
    gaps.add(id);
    if (gaps.size() > GAPS_MAX) {
      gaps.pollFirst();
    }
  }

  /// Tries the numbers again that were passed over, while turns are missing.
  private void followLateTurns(StoreCounts counts) throws IOException {
    Iterator<Long> numbers = gaps.iterator();
    while (numbers.hasNext() && draft.mark().turns() < counts.turns()) {
      if (add(numbers.next())) {
        numbers.remove();
        draft.mark(draft.mark().withLateTurn(draft.textsNext()));
      }
    }
  }

  /// Adds the texts of a turn; returns whether there is a turn with this number. A damaged turn,
  /// which `varve check` reports, has no texts.
  private boolean add(long id) throws IOException {
    try {
      draft.turns().add(store.turn(new TurnId(id), View.LATEST));
      return true;
    } catch (StoreException.NotFound e) {
      return false;
    } catch (StoreException.Corrupt e) {
      return true;
    }
  }

  /// A turn; null if there is none with this number, or a damaged one, which `varve check` reports.
  private @Nullable Turn find(long id, View view) {
    try {
      return store.turn(new TurnId(id), view);
    } catch (StoreException.NotFound | StoreException.Corrupt e) {
      return null;
    }
  }

  /// The smallest number above `id` that a turn on the path of a known head has.
  private long next(long id) {
    long least = Math.max(id, end) + 1;
    for (ContextHead context : heads) {
      if (context.head().value() <= id) {
        continue;
      }
      int low = 0; // the least depth that may have a greater number
      int high = context.headDepth();
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (store.ancestor(context.head(), middle).value() > id) {
          high = middle;
        } else {
          low = middle + 1;
        }
      }
      least = Math.min(least, store.ancestor(context.head(), low).value());
    }
    return least;
  }
}
