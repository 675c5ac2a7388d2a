// SPDX-License-Identifier: Apache-2.0
package dev.varve.sim;

import dev.varve.BlobHash;
import dev.varve.BulkStore;
import dev.varve.CheckReport;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.IdempotencyKey;
import dev.varve.NewTurn;
import dev.varve.Overlay;
import dev.varve.Payload;
import dev.varve.PutOutcome;
import dev.varve.ReadProgress;
import dev.varve.StoreCounts;
import dev.varve.StoreException;
import dev.varve.StoreLimits;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.TurnPage;
import dev.varve.View;
import dev.varve.chunk.ChunkSizes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The store as a few maps behind one lock: slow, in memory, obviously right.
///
/// Where the words of [dev.varve.Store] leave a store some room, the model takes the strict side:
/// it leaves no gaps between numbers, and a request that is refused leaves nothing behind, not even
/// its payload.
public final class StoreModel implements BulkStore {

  /// The order of [#contexts]; the number decides between contexts that were active in the same
  /// millisecond.
  public static final Comparator<ContextHead> MOST_RECENT_FIRST =
      Comparator.comparing(ContextHead::activeAt).thenComparing(ContextHead::id).reversed();

  private final Object lock = new Object();
  private final StoreLimits limits;
  private final InstantSource time;
  private final ChunkSizes chunks;
  private final ModelState state;
  private boolean closed;
  private int partsMax = Integer.MAX_VALUE;

  private StoreModel(StoreLimits limits, InstantSource time, ChunkSizes chunks, ModelState state) {
    this.limits = limits;
    this.time = time;
    this.chunks = chunks;
    this.state = state;
  }

  /// An empty store that cuts chunks of these sizes.
  public StoreModel(StoreLimits limits, InstantSource time, ChunkSizes chunks) {
    this(limits, time, chunks, new ModelState(chunks));
  }

  /// An empty store.
  public StoreModel(StoreLimits limits, InstantSource time) {
    this(limits, time, ChunkSizes.DEFAULTS);
  }

  /// An empty store with the default limits and the real time.
  public StoreModel() {
    this(StoreLimits.DEFAULTS, InstantSource.system());
  }

  /// The same store, open again, as a process finds it that starts after this one has ended.
  public StoreModel reopened() {
    synchronized (lock) {
      closed = true;
      return new StoreModel(limits, time, chunks, state);
    }
  }

  /// An independent copy of the store as it is now.
  public StoreModel copy() {
    return locked(() -> new StoreModel(limits, time, chunks, state.copy()));
  }

  /// The greatest turn number that was given or taken so far; 0 if none was.
  public TurnId lastTurn() {
    return locked(() -> new TurnId(state.lastTurn));
  }

  /// The greatest context number that was given or taken so far; 0 if none was.
  public ContextId lastContext() {
    return locked(() -> new ContextId(state.lastContext));
  }

  /// Makes the next turn this one, for another store may leave gaps between numbers.
  public void giveNext(TurnId turn) {
    synchronized (lock) {
      state.lastTurn = turn.value() - 1;
    }
  }

  /// Makes the next context this one.
  public void giveNext(ContextId context) {
    synchronized (lock) {
      state.lastContext = context.value() - 1;
    }
  }

  /// Every turn, as it was written and without its payload, in the order of the numbers.
  public List<Turn> turns() {
    return locked(() -> List.copyOf(state.turns.values()));
  }

  /// Every context, in no order.
  public List<ContextHead> heads() {
    return locked(() -> List.copyOf(state.contexts.values()));
  }

  /// The name of every blob.
  public List<BlobHash> blobs() {
    return locked(() -> List.copyOf(state.blobs.keySet()));
  }

  /// Every idempotency key, the context it belongs to, and the turn that was appended under it.
  public Map<ContextKey, TurnId> keys() {
    return locked(() -> Map.copyOf(state.keys));
  }

  /// A key and its context.
  public record ContextKey(ContextId context, IdempotencyKey key) {}

  // ---- contexts

  @Override
  public ContextHead createContext(TurnId base, @Nullable BlobHash about) {
    return locked(
        () -> {
          int depth = base.isNone() ? 0 : state.turn(base, "turn").depth();
          state.requireBlob(about);
          Instant now = now();
          ContextId id = new ContextId(state.lastContext + 1);
          return state.keep(new ContextHead(id, base, depth, base, now, now, about));
        });
  }

  @Override
  public ContextHead describe(ContextId context, BlobHash about) {
    return locked(
        () -> {
          ContextHead was = state.context(context);
          state.requireBlob(about);
          return state.keep(
              new ContextHead(
                  was.id(),
                  was.head(),
                  was.headDepth(),
                  was.base(),
                  was.createdAt(),
                  now(),
                  about));
        });
  }

  @Override
  public ContextHead head(ContextId context) {
    return locked(() -> state.context(context));
  }

  @Override
  public List<ContextHead> contexts(@Nullable ContextId after, int limit) {
    return locked(
        () -> {
          limits.checkPage(limit);
          List<ContextHead> all =
              state.contexts.values().stream().sorted(MOST_RECENT_FIRST).toList();
          int start = after == null ? 0 : all.indexOf(state.context(after)) + 1;
          return all.stream().skip(start).limit(limit).toList();
        });
  }

  // ---- turns

  @Override
  public Turn append(ContextId context, NewTurn turn) {
    return locked(
        () -> {
          ContextHead was = state.context(context);
          limits.checkPayload(turn.payload().sizeBytes());
          IdempotencyKey key = turn.key();
          if (key != null) {
            // Before the expected head is looked at: the first try has moved it.
            Turn first = state.firstUnder(context, key, turn);
            if (first != null) {
              return first;
            }
          }
          TurnId expected = turn.expectedHead();
          if (expected != null && !expected.equals(was.head())) {
            throw new StoreException.Conflict(
                "head of context " + context, expected.toString(), was.head().toString());
          }
          TurnId parent = turn.parent() == null ? was.head() : turn.parent();
          Instant now = now();
          TurnId id = new TurnId(state.lastTurn + 1);
          Instant createdAt =
              turn.createdAt() == null ? now : turn.createdAt().truncatedTo(ChronoUnit.MILLIS);
          Turn kept = state.keep(id, context, parent, turn, createdAt, limits);
          Instant activeAt = createdAt.isAfter(was.activeAt()) ? createdAt : was.activeAt();
          state.keep(
              new ContextHead(
                  context, id, kept.depth(), was.base(), was.createdAt(), activeAt, was.about()));
          return kept;
        });
  }

  @Override
  public Turn turn(TurnId id, View view) {
    return locked(() -> state.seen(state.turn(id, "turn"), view));
  }

  @Override
  public TurnPage last(ContextId context, int limit, View view) {
    return locked(
        () -> {
          limits.checkPage(limit);
          ContextHead head = state.context(context);
          List<Turn> path = state.path(head.head());
          return page(head, path, path.size() - limit, path.size(), view);
        });
  }

  @Override
  public TurnPage before(ContextId context, TurnId cursor, int limit, View view) {
    return locked(
        () -> {
          limits.checkPage(limit);
          ContextHead head = state.context(context);
          List<Turn> path = state.path(head.head());
          Turn at = state.turns.get(cursor);
          int end = at == null ? -1 : path.indexOf(at);
          if (end < 0) {
            throw new StoreException.NotFound("turn", cursor.toString());
          }
          return page(head, path, end - limit, end, view);
        });
  }

  @Override
  public TurnPage range(ContextId context, int startDepth, int limit, View view) {
    return locked(
        () -> {
          limits.checkPage(limit);
          if (startDepth < 0) {
            throw new StoreException.Invalid("depth", "expected 0 or more, found " + startDepth);
          }
          ContextHead head = state.context(context);
          List<Turn> path = state.path(head.head());
          int start = Math.min(startDepth, path.size());
          return page(head, path, start, Math.min(path.size(), start + limit), view);
        });
  }

  private TurnPage page(ContextHead head, List<Turn> path, int from, int to, View view) {
    List<Turn> some = path.subList(Math.max(0, from), to);
    TurnId cursor = some.isEmpty() || some.getFirst().depth() == 0 ? null : some.getFirst().id();
    return new TurnPage(head, some.stream().map(turn -> state.seen(turn, view)).toList(), cursor);
  }

  @Override
  public void replay(TurnId last, View view, Consumer<? super Turn> each) {
    List<Turn> path =
        locked(
            () -> {
              if (!last.isNone()) {
                state.turn(last, "turn");
              }
              return state.path(last).stream().map(turn -> state.seen(turn, view)).toList();
            });
    path.forEach(each); // without the lock: what the caller does is not our business
  }

  @Override
  public TurnId ancestor(TurnId turn, int depth) {
    return locked(
        () -> {
          int own = state.turn(turn, "turn").depth();
          if (depth < 0 || depth > own) {
            throw new StoreException.Invalid(
                "depth", "expected from 0 to " + own + ", found " + depth);
          }
          return state.path(turn).get(depth).id();
        });
  }

  @Override
  public Optional<TurnId> findCommonAncestor(TurnId a, TurnId b) {
    return locked(
        () -> {
          state.turn(a, "turn");
          state.turn(b, "turn");
          List<Turn> ofB = state.path(b);
          return state.path(a).reversed().stream().filter(ofB::contains).map(Turn::id).findFirst();
        });
  }

  @Override
  public Optional<TurnId> findChild(TurnId parent, BlobHash payload) {
    return locked(
        () ->
            state.turns.values().stream()
                .filter(t -> t.parent().equals(parent) && t.payloadHash().equals(payload))
                .map(Turn::id)
                .findFirst());
  }

  // ---- blobs

  @Override
  public PutOutcome putWithOutcome(Payload bytes) {
    return locked(
        () -> {
          limits.checkPayload(bytes.sizeBytes());
          int before = state.blobs.size();
          BlobHash hash = state.keep(bytes);
          return new PutOutcome(hash, state.blobs.size() > before);
        });
  }

  @Override
  public List<BlobHash> putAll(List<Payload> blobs) {
    return locked(
        () -> {
          blobs.forEach(bytes -> limits.checkPayload(bytes.sizeBytes()));
          return blobs.stream().map(state::keep).toList();
        });
  }

  /// From now on a put as a stream, which takes several commits, comes no further than so many of
  /// them.
  void endAfterParts(int parts) {
    partsMax = parts;
  }

  /// @throws StreamedPut.Ended if [#endAfterParts] was told to let it
  @Override
  public PutOutcome putWithOutcome(InputStream bytes, @Nullable BlobHash expected)
      throws IOException {
    locked(() -> true);
    return new StreamedPut(this, partsMax).put(chunks, bytes, expected);
  }

  /// Keeps a blob that is made of chunks.
  PutOutcome assembleWithOutcome(BlobHash hash, Payload rootList) {
    return locked(
        () -> {
          boolean isNew = !state.blobs.containsKey(hash);
          state.assemble(hash, rootList);
          return new PutOutcome(hash, isNew);
        });
  }

  @Override
  public BlobHash assemble(BlobHash hash, Payload rootList) {
    return assembleWithOutcome(hash, rootList).hash();
  }

  @Override
  public Payload get(BlobHash hash) {
    return locked(
        () -> {
          Payload bytes = state.blob(hash);
          if (state.rootLists.containsKey(hash)) {
            limits.checkPayload(bytes.sizeBytes());
          }
          return bytes;
        });
  }

  @Override
  public InputStream read(BlobHash hash, long offset, long length) {
    return locked(
        () -> {
          Payload bytes = state.blob(hash);
          if (offset < 0 || length < 0 || length > bytes.sizeBytes() - offset) {
            throw new StoreException.Invalid("range", offset + ", " + length);
          }
          return new ByteArrayInputStream(bytes.unsafeArray(), (int) offset, (int) length);
        });
  }

  @Override
  public long sizeBytes(BlobHash hash) {
    return locked(() -> (long) state.blob(hash).sizeBytes());
  }

  @Override
  public Optional<Payload> findChunkList(BlobHash hash) {
    return locked(
        () -> {
          state.blob(hash);
          return Optional.ofNullable(state.rootLists.get(hash));
        });
  }

  @Override
  public boolean has(BlobHash hash) {
    return locked(() -> state.blobs.containsKey(hash));
  }

  // ---- overlays

  @Override
  public long patch(TurnId turn, Payload payload) {
    return locked(
        () -> {
          state.turn(turn, "turn");
          limits.checkPayload(payload.sizeBytes());
          return state.overlay(turn, Overlay.Kind.PATCH, state.keep(payload));
        });
  }

  @Override
  public long tombstone(TurnId turn) {
    return locked(
        () -> {
          state.turn(turn, "turn");
          return state.overlay(turn, Overlay.Kind.TOMBSTONE, null);
        });
  }

  @Override
  public long attachFsRoot(TurnId turn, BlobHash root) {
    return locked(
        () -> {
          state.turn(turn, "turn");
          state.requireBlob(root);
          return state.overlay(turn, Overlay.Kind.FS_ROOT, root);
        });
  }

  @Override
  public List<Overlay> overlays(TurnId turn) {
    return locked(
        () -> {
          state.turn(turn, "turn");
          return state.overlaysOf(turn).reversed();
        });
  }

  @Override
  public List<Overlay> overlaysAfter(long seq, int limit) {
    return locked(
        () -> {
          limits.checkPage(limit);
          return state.overlays.stream()
              .filter(overlay -> overlay.seq() > seq)
              .limit(limit)
              .toList();
        });
  }

  @Override
  public int lastErasure() {
    return 0;
  }

  // ---- bringing in the history of another store

  @Override
  public Turn restoreTurn(TurnId id, ContextId context, NewTurn turn, Instant createdAt) {
    return locked(
        () -> {
          TurnId parent = turn.parent();
          if (parent == null) {
            throw new StoreException.Invalid("parent turn", "expected one, found none");
          }
          if (id.value() <= state.lastTurn) {
            throw new StoreException.Conflict(
                "turn id", "more than " + state.lastTurn, id.toString());
          }
          limits.checkPayload(turn.payload().sizeBytes());
          return state.keep(id, context, parent, turn, createdAt, limits);
        });
  }

  @Override
  public ContextHead restoreContext(
      ContextId id,
      TurnId head,
      TurnId base,
      Instant createdAt,
      Instant activeAt,
      @Nullable BlobHash about) {
    return locked(
        () -> {
          if (state.contexts.containsKey(id)) {
            throw new StoreException.Conflict("context " + id, "none yet", "one");
          }
          int depth = head.isNone() ? 0 : state.turn(head, "turn").depth();
          if (!base.isNone()) {
            state.turn(base, "turn");
          }
          state.requireBlob(about);
          return state.keep(new ContextHead(id, head, depth, base, createdAt, activeAt, about));
        });
  }

  @Override
  public ContextHead moveContext(
      ContextId id, TurnId expectedHead, TurnId head, Instant activeAt, @Nullable BlobHash about) {
    return locked(
        () -> {
          ContextHead present = state.context(id);
          if (!present.head().equals(expectedHead)) {
            throw new StoreException.Conflict(
                "head of context " + id, expectedHead.toString(), present.head().toString());
          }
          int depth = head.isNone() ? 0 : state.turn(head, "turn").depth();
          state.requireBlob(about);
          Instant active = activeAt.isAfter(present.activeAt()) ? activeAt : present.activeAt();
          return state.keep(
              new ContextHead(id, head, depth, present.base(), present.createdAt(), active, about));
        });
  }

  @Override
  public List<TurnId> turnNumbers(TurnId after, int limit) {
    return locked(
        () -> {
          limits.checkPage(limit);
          return state.turns.tailMap(after, false).keySet().stream().limit(limit).toList();
        });
  }

  @Override
  public List<BlobHash> blobs(@Nullable BlobHash after, int limit) {
    return locked(
        () -> {
          limits.checkPage(limit);
          List<BlobHash> all =
              new ArrayList<>(state.blobs.keySet()); // in the order of their putting
          if (after != null) {
            state.blob(after);
          }
          int from = after == null ? 0 : all.indexOf(after) + 1;
          return List.copyOf(all.subList(from, Math.min(all.size(), from + limit)));
        });
  }

  // ---- the whole

  @Override
  public StoreCounts counts() {
    return locked(state::counts);
  }

  /// Nothing is ever damaged here.
  @Override
  public CheckReport check(ReadProgress progress) {
    return locked(state::check);
  }

  @Override
  public Payload backupPoint() {
    counts(); // refuses if this is closed
    throw new StoreException.Invalid("backup", "this store has no files");
  }

  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
    }
  }

  private Instant now() {
    return time.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  private <T> T locked(Supplier<T> operation) {
    synchronized (lock) {
      if (closed) {
        throw new StoreException.Closed("model");
      }
      return operation.get();
    }
  }
}
