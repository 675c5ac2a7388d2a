// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.TurnPage;
import dev.varve.View;
import dev.varve.server.limits.MemoryBudget;
import dev.varve.wire.BasicResponse;
import dev.varve.wire.BlobRequest;
import dev.varve.wire.StoreResponse;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/// Pages of turns with their payloads, as many turns as fit into a frame.
///
/// Headers are read first: they give the sizes of the payloads before memory is taken for any
/// payload.
final class PageReader {

  /// The most bytes of an answer beside its turns.
  private static final int FRAME_BYTES_OTHER = 256;

  private final Store store;
  private final int turnBytesMax;
  private final int pageTurns;

  PageReader(Store store, BinaryLimits limits) {
    this.store = store;
    this.turnBytesMax = limits.frameBytes() - FRAME_BYTES_OTHER;
    this.pageTurns = limits.pageTurns();
  }

  /// A limit as cxdb's clients send it: any number, of which only the page limit is given.
  int capped(int unsignedLimit) {
    return unsignedLimit < 0 ? pageTurns : Math.min(unsignedLimit, pageTurns);
  }

  TurnPage last(ContextId context, int limit, View view, MemoryBudget.Lease lease) {
    return withNewest(store.last(context, limit, view.withoutPayloads()), view, lease);
  }

  TurnPage before(
      ContextId context, TurnId cursor, int limit, View view, MemoryBudget.Lease lease) {
    return withNewest(store.before(context, cursor, limit, view.withoutPayloads()), view, lease);
  }

  private TurnPage withNewest(TurnPage headers, View view, MemoryBudget.Lease lease) {
    List<Turn> turns = headers.turns();
    long sizeBytes = 0;
    int first = turns.size();
    while (first > 0) {
      long more = StoreResponse.turnBytesMax(turns.get(first - 1), view.payloads());
      if (sizeBytes + more > turnBytesMax) {
        break;
      }
      sizeBytes += more;
      first--;
    }
    if (first == turns.size() && first > 0) {
      throw tooLarge(turns.getLast());
    }
    TurnId cursor = first == 0 ? headers.nextCursor() : turns.get(first).id();
    List<Turn> kept = turns.subList(first, turns.size());
    return new TurnPage(headers.head(), loaded(kept, view, sizeBytes, lease), cursor);
  }

  TurnPage range(
      ContextId context, int startDepth, int limit, View view, MemoryBudget.Lease lease) {
    TurnPage headers = store.range(context, startDepth, limit, view.withoutPayloads());
    return new TurnPage(headers.head(), oldest(headers.turns(), view, lease), headers.nextCursor());
  }

  /// The turns on the path to `last` from `startDepth` on, oldest first; fewer than `limit` if more
  /// do not fit.
  List<Turn> path(TurnId last, int startDepth, int limit, View view, MemoryBudget.Lease lease) {
    if (startDepth < 0 || limit < 0) {
      throw new StoreException.Invalid(
          "start_depth, limit", "expected 0 or more, found " + startDepth + ", " + limit);
    }
    View headers = view.withoutPayloads();
    int lastDepth = store.turn(last, headers).depth();
    int count = (int) Math.min(Math.min(limit, pageTurns), (long) lastDepth - startDepth + 1);
    if (count <= 0) {
      return List.of();
    }
    Turn[] turns = new Turn[count];
    TurnId id = store.ancestor(last, startDepth + count - 1);
    for (int i = count - 1; i >= 0; i--) {
      turns[i] = store.turn(id, headers);
      id = turns[i].parent();
    }
    return oldest(List.of(turns), view, lease);
  }

  private List<Turn> oldest(List<Turn> turns, View view, MemoryBudget.Lease lease) {
    long sizeBytes = 0;
    int end = 0;
    while (end < turns.size()) {
      long more = StoreResponse.turnBytesMax(turns.get(end), view.payloads());
      if (sizeBytes + more > turnBytesMax) {
        break;
      }
      sizeBytes += more;
      end++;
    }
    if (end == 0 && !turns.isEmpty()) {
      throw tooLarge(turns.getFirst());
    }
    return loaded(turns.subList(0, end), view, sizeBytes, lease);
  }

  Turn turn(TurnId id, View view, MemoryBudget.Lease lease) {
    Turn header = store.turn(id, view.withoutPayloads());
    return oldest(List.of(header), view, lease).getFirst();
  }

  private StoreException.TooLarge tooLarge(Turn turn) {
    return new StoreException.TooLarge(
        StoreResponse.FRAME_WITH + "the payload of turn " + turn.id(),
        turn.payloadSizeBytes(),
        turnBytesMax);
  }

  private List<Turn> loaded(
      List<Turn> headers, View view, long sizeBytes, MemoryBudget.Lease lease) {
    if (!view.payloads()) {
      return headers;
    }
    lease.growTo(2 * sizeBytes); // the payloads, and the frame they are copied into
    List<Turn> turns = new ArrayList<>(headers.size());
    for (Turn header : headers) {
      turns.add(header.withPayload(header.tombstone() ? null : store.get(header.payloadHash())));
    }
    return turns;
  }

  Payload blob(BlobHash hash, MemoryBudget.Lease lease) {
    long sizeBytes = store.sizeBytes(hash);
    if (sizeBytes > turnBytesMax) {
      throw new StoreException.TooLarge(
          StoreResponse.FRAME_WITH + "blob " + hash, sizeBytes, turnBytesMax);
    }
    lease.growTo(2 * sizeBytes); // the blob, and the frame it is copied into
    return store.get(hash);
  }

  Payload bytes(BlobRequest.BlobRead range, MemoryBudget.Lease lease) {
    if (range.length() < 0 || range.length() > turnBytesMax) {
      throw new StoreException.TooLarge(
          "length", Integer.toUnsignedLong(range.length()), turnBytesMax);
    }
    lease.growTo(2L * range.length());
    try (InputStream in = store.read(range.hash(), range.offset(), range.length())) {
      return Payload.wrap(in.readNBytes(range.length()));
    } catch (IOException e) {
      throw new StoreException.Io("blob " + range.hash(), "cannot be read", e);
    }
  }

  /// A page in the form of cxdb's protocol.
  static BasicResponse basic(TurnPage page) {
    TurnId cursor = page.nextCursor();
    return new BasicResponse.Turns(
        page.turns().stream().map(BasicResponse.Item::of).toList(),
        cursor == null ? 0 : cursor.value(),
        page.head().head().value(),
        page.head().headDepth());
  }
}
