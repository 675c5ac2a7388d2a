// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.BlobHash;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.Encoding;
import dev.varve.ErasedBlob;
import dev.varve.Overlay;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.StoreLimits;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.TurnPage;
import dev.varve.View;
import dev.varve.blob.BlobPack;
import dev.varve.turn.AncestorSearch;
import dev.varve.turn.AncestorSearch.Link;
import dev.varve.turn.HeadRecord;
import dev.varve.turn.HeadTable;
import dev.varve.turn.OverlayRecord;
import dev.varve.turn.TurnLog;
import dev.varve.turn.TurnMeta;
import dev.varve.turn.TurnRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// Answers readers. Takes no lock: everything that it reads was published before.
final class TurnReader {

  /// Most recently active contexts first; among equals, the later context.
  private static final Comparator<ContextHead> BY_ACTIVITY =
      Comparator.comparing(ContextHead::activeAt).thenComparing(ContextHead::id).reversed();

  private final StoreFiles files;
  private final StoreLimits limits;
  private final AncestorSearch ancestry = new AncestorSearch(this::link);

  TurnReader(StoreFiles files, StoreLimits limits) {
    this.files = files;
    this.limits = limits;
  }

  private long ordinal(TurnId id) {
    long ordinal = id.value() <= 0 ? -1 : files.turns.ordinal(id.value());
    if (ordinal < 0) {
      throw new StoreException.NotFound("turn", id.toString());
    }
    return ordinal;
  }

  private Link link(long turnId) {
    long ordinal = ordinal(new TurnId(turnId));
    TurnRecord record = files.turns.record(ordinal);
    return new Link(
        turnId, record.parentTurnId(), record.depth(), files.turns.meta(ordinal).jumpTurnId());
  }

  Turn turn(TurnId id, View view) {
    return turn(ordinal(id), view);
  }

  private Turn turn(long ordinal, View view) {
    TurnRecord record = files.turns.record(ordinal);
    TurnMeta meta = files.turns.meta(ordinal);
    BlobHash hash = record.payloadHash();
    long sizeBytes = Integer.toUnsignedLong(meta.rawLen());
    BlobHash fsRoot = meta.fsRoot();
    boolean tombstone = false;
    long seq = 0;
    if (view.overlaySeqMax() > 0 && files.overlays.count() > 0) {
      OverlayRecord patch = newest(record.turnId(), view, Overlay.Kind.PATCH);
      OverlayRecord deletion = newest(record.turnId(), view, Overlay.Kind.TOMBSTONE);
      OverlayRecord tree = newest(record.turnId(), view, Overlay.Kind.FS_ROOT);
      if (patch != null) {
        seq = patch.seq();
        hash = patch.newPayloadHash();
        sizeBytes = sizeBytes(hash);
      }
      if (deletion != null) {
        tombstone = deletion.seq() > seq; // a later patch revives the turn
        seq = Math.max(seq, deletion.seq());
      }
      if (tree != null) {
        seq = Math.max(seq, tree.seq());
        fsRoot = tree.newPayloadHash();
      }
    }
    BlobPack blobs = files.blobs; // an erasure may put another one there
    tombstone |= blobs.isErased(hash);
    Payload payload =
        view.payloads() && !tombstone
            ? blobs.getNamed(hash, TurnLog.LOG, ordinal * TurnRecord.SIZE_BYTES)
            : null;
    return new Turn(
        new TurnId(record.turnId()),
        new TurnId(record.parentTurnId()),
        record.depth(),
        new ContextId(meta.contextId()),
        files.types.type(record.typeTag()),
        new Encoding(record.codec()),
        meta.compression(),
        hash,
        sizeBytes,
        Instant.ofEpochMilli(record.createdAtUnixMs()),
        fsRoot,
        tombstone,
        seq,
        payload);
  }

  /// Size of a patch's payload, also if the payload was erased.
  private long sizeBytes(BlobHash hash) {
    BlobPack blobs = files.blobs;
    return blobs.isErased(hash)
        ? blobs.erased().find(hash).map(ErasedBlob::sizeBytes).orElse(0L)
        : blobs.rawBytes(hash);
  }

  private @Nullable OverlayRecord newest(long turnId, View view, Overlay.Kind kind) {
    return files.overlays.find(turnId, view.overlaySeqMax(), word -> word.kind() == kind);
  }

  // ---- contexts

  HeadRecord headRecord(ContextId context) {
    return files
        .heads
        .find(context.value())
        .orElseThrow(() -> new StoreException.NotFound("context", context.toString()));
  }

  ContextHead head(ContextId context) {
    return headRecord(context).head();
  }

  List<ContextHead> contexts(@Nullable ContextId afterId, int limit) {
    limits.checkPage(limit);
    ContextHead after = afterId == null ? null : head(afterId);
    if (limit == 0) {
      return List.of();
    }
    PriorityQueue<ContextHead> best = new PriorityQueue<>(BY_ACTIVITY.reversed());
    PriorityQueue<HeadTable.Zone> zones =
        new PriorityQueue<>(Comparator.comparingLong(HeadTable.Zone::activeAtUnixMs).reversed());
    zones.addAll(files.heads.zones());
    for (HeadTable.Zone zone = zones.poll(); zone != null; zone = zones.poll()) {
      if (best.size() == limit
          && zone.activeAtUnixMs() < best.element().activeAt().toEpochMilli()) {
        break; // nothing in it, or in those behind it, is among the best
      }
      for (long id = zone.lastId(); id >= zone.firstId(); id--) {
        ContextHead head = files.heads.find(id).map(HeadRecord::head).orElse(null);
        if (head == null || after != null && BY_ACTIVITY.compare(head, after) <= 0) {
          continue;
        }
        if (best.size() < limit) {
          best.add(head);
        } else if (BY_ACTIVITY.compare(head, best.element()) < 0) {
          best.remove();
          best.add(head);
        }
      }
    }
    List<ContextHead> page = new ArrayList<>(best);
    page.sort(BY_ACTIVITY);
    return page;
  }

  List<ContextHead> contextsBelow(@Nullable ContextId before, int limit) {
    limits.checkPage(limit);
    List<ContextHead> page = new ArrayList<>();
    long start = before == null ? Long.MAX_VALUE : before.value() - 1;
    for (HeadTable.Zone zone : files.heads.zones().reversed()) {
      for (long id = Math.min(start, zone.lastId());
          id >= zone.firstId() && page.size() < limit;
          id--) {
        files.heads.find(id).map(HeadRecord::head).ifPresent(page::add);
      }
      if (page.size() == limit) {
        break;
      }
    }
    return page;
  }

  // ---- pages

  TurnPage last(ContextId context, int limit, View view) {
    limits.checkPage(limit);
    HeadRecord head = headRecord(context);
    return page(head, head.headTurnId(), limit, view);
  }

  TurnPage before(ContextId context, TurnId cursor, int limit, View view) {
    limits.checkPage(limit);
    HeadRecord head = headRecord(context);
    Link at = link(cursor.value());
    boolean onPath =
        head.headTurnId() != 0
            && at.depth() <= head.headDepth()
            && ancestry.ancestor(head.headTurnId(), at.depth()) == cursor.value();
    if (!onPath) {
      throw new StoreException.NotFound("turn in context " + context, cursor.toString());
    }
    return page(head, at.parentTurnId(), limit, view);
  }

  TurnPage range(ContextId context, int startDepth, int limit, View view) {
    limits.checkPage(limit);
    if (startDepth < 0) {
      throw new StoreException.Invalid("start depth", "expected 0 or more, found " + startDepth);
    }
    HeadRecord head = headRecord(context);
    if (head.headTurnId() == 0 || startDepth > head.headDepth() || limit == 0) {
      return new TurnPage(head.head(), List.of(), null);
    }
    int endDepth = (int) Math.min(head.headDepth(), startDepth + (long) limit - 1);
    long from = ancestry.ancestor(head.headTurnId(), endDepth);
    return page(head, from, endDepth - startDepth + 1, view);
  }

  /// The `limit` turns up to and including `turnId`.
  private TurnPage page(HeadRecord head, long turnId, int limit, View view) {
    List<Turn> turns = new ArrayList<>(Math.min(limit, 1024));
    long at = turnId;
    while (at != 0 && turns.size() < limit) {
      Turn turn = turn(new TurnId(at), view);
      turns.add(turn);
      at = turn.parent().value();
    }
    Collections.reverse(turns);
    TurnId cursor = turns.isEmpty() || at == 0 ? null : turns.getFirst().id();
    return new TurnPage(head.head(), turns, cursor);
  }

  void replay(TurnId last, View view, Consumer<? super Turn> each) {
    if (last.isNone()) {
      return; // the head of an empty context
    }
    Link link = link(last.value());
    long[] path = new long[Math.addExact(link.depth(), 1)];
    long at = last.value();
    for (int i = path.length - 1; i >= 0; i--) {
      path[i] = ordinal(new TurnId(at));
      at = files.turns.record(path[i]).parentTurnId();
    }
    for (long ordinal : path) {
      each.accept(turn(ordinal, view));
    }
  }

  // ---- ancestry

  TurnId ancestor(TurnId turn, int depth) {
    Link link = link(turn.value());
    if (depth < 0 || depth > link.depth()) {
      throw new StoreException.Invalid(
          "depth", "expected 0 to " + link.depth() + ", found " + depth);
    }
    return new TurnId(ancestry.ancestor(turn.value(), depth));
  }

  /// @return [TurnId#NONE] if there is none
  TurnId commonAncestor(TurnId a, TurnId b) {
    return new TurnId(ancestry.common(ordinalChecked(a), ordinalChecked(b)));
  }

  private long ordinalChecked(TurnId id) {
    ordinal(id);
    return id.value();
  }

  TurnId child(TurnId parent, BlobHash payload) {
    return new TurnId(files.finder().child(parent.value(), payload));
  }

  /// The numbers above `after`, at most `limit` of them. Turns are kept in the order of their
  /// numbers.
  List<TurnId> numbers(TurnId after, int limit) {
    long count = files.turns.count();
    long low = 0;
    long high = count;
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (files.turns.id(middle) > after.value()) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return LongStream.range(low, Math.min(count, low + limit))
        .mapToObj(ordinal -> new TurnId(files.turns.id(ordinal)))
        .toList();
  }

  List<Overlay> overlaysAfter(long seq, int limit) {
    long count = files.overlays.count();
    long before = Math.clamp(seq, 0, count);
    return LongStream.rangeClosed(before + 1, Math.min(count, before + limit))
        .mapToObj(at -> files.overlays.record(at).overlay())
        .toList();
  }

  List<Overlay> overlays(TurnId turn) {
    ordinal(turn);
    List<Overlay> overlays = new ArrayList<>();
    files.overlays.find(
        turn.value(),
        Long.MAX_VALUE,
        word -> {
          overlays.add(word.overlay());
          return false;
        });
    return overlays;
  }
}
