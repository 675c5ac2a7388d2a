// SPDX-License-Identifier: Apache-2.0
package dev.varve.client;

import dev.varve.ContextId;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.TurnPage;
import dev.varve.View;
import dev.varve.wire.StoreRequest;
import dev.varve.wire.StoreResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Pages and paths, put together from as many answers as it takes: the server sends what fits into
/// a frame.
final class RemoteTurns {

  private static final int SMALL = 128;
  private static final int REPLAY_TURNS = 256;

  /// The number of times that a page is begun anew because the head moved to another branch
  /// meanwhile.
  private static final int TRIES_MAX = 8;

  private final ServerCalls calls;

  RemoteTurns(ServerCalls calls) {
    this.calls = calls;
  }

  private TurnPage page(StoreRequest request) {
    return ((StoreResponse.Page) calls.call(request, SMALL, true)).page();
  }

  TurnPage last(ContextId context, int limit, View view) {
    for (int tries = 1; ; tries++) {
      TurnPage newest = page(new StoreRequest.PageLast(context.value(), limit, view));
      try {
        return withOlder(newest, context, limit, view);
      } catch (StoreException.NotFound e) {
        if (tries == TRIES_MAX) {
          throw e;
        }
      }
    }
  }

  TurnPage before(ContextId context, TurnId cursor, int limit, View view) {
    TurnPage newest =
        page(new StoreRequest.PageBefore(context.value(), cursor.value(), limit, view));
    return withOlder(newest, context, limit, view);
  }

  private TurnPage withOlder(TurnPage newest, ContextId context, int limit, View view) {
    TurnPage page = newest;
    TurnId cursor = page.nextCursor();
    while (cursor != null && !page.turns().isEmpty() && page.turns().size() < limit) {
      int missing = limit - page.turns().size();
      TurnPage older =
          page(new StoreRequest.PageBefore(context.value(), cursor.value(), missing, view));
      List<Turn> turns = new ArrayList<>(older.turns());
      turns.addAll(page.turns());
      page = new TurnPage(page.head(), turns, older.nextCursor());
      cursor = page.nextCursor();
    }
    return page;
  }

  TurnPage range(ContextId context, int startDepth, int limit, View view) {
    TurnPage page = page(new StoreRequest.PageRange(context.value(), startDepth, limit, view));
    List<Turn> turns = page.turns();
    long wanted = Math.min(limit, (long) page.head().headDepth() - startDepth + 1);
    if (turns.isEmpty() || turns.size() >= wanted) {
      return page;
    }
    // The rest of the same path, wherever the head is by now.
    List<Turn> joined = new ArrayList<>(turns);
    while (joined.size() < wanted) {
      joined.addAll(
          path(
              page.head().head(),
              startDepth + joined.size(),
              (int) (wanted - joined.size()),
              view));
    }
    return new TurnPage(page.head(), joined, page.nextCursor());
  }

  void replay(TurnId last, View view, Consumer<? super Turn> each) {
    if (last.isNone()) {
      return;
    }
    int depth = 0;
    while (true) {
      List<Turn> turns = path(last, depth, REPLAY_TURNS, view);
      turns.forEach(each);
      depth += turns.size();
      if (turns.getLast().id().equals(last)) {
        return;
      }
    }
  }

  /// At least one turn.
  private List<Turn> path(TurnId last, int startDepth, int limit, View view) {
    StoreRequest request = new StoreRequest.Path(last.value(), startDepth, limit, view);
    List<Turn> turns = ((StoreResponse.Turns) calls.call(request, SMALL, true)).turns();
    if (turns.isEmpty()) {
      throw new StoreException.Invalid("answer to PATH", "expected at least one turn");
    }
    return turns;
  }
}
