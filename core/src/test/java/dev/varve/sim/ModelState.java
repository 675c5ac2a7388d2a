// SPDX-License-Identifier: Apache-2.0
package dev.varve.sim;

import dev.varve.BlobHash;
import dev.varve.CheckReport;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.IdempotencyKey;
import dev.varve.NewTurn;
import dev.varve.Overlay;
import dev.varve.Payload;
import dev.varve.StoreCounts;
import dev.varve.StoreException;
import dev.varve.StoreLimits;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.chunk.ChunkList;
import dev.varve.chunk.ChunkSizes;
import dev.varve.chunk.ChunkedPut;
import dev.varve.chunk.PendingChunk;
import dev.varve.sim.StoreModel.ContextKey;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The maps of a [StoreModel], whose lock guards them. A blob is kept by the name that
/// [ReferenceBlake3] gives it.
final class ModelState {

  final TreeMap<TurnId, Turn> turns = new TreeMap<>();
  final Map<ContextId, ContextHead> contexts = new HashMap<>();
  final Map<BlobHash, Payload> blobs = new LinkedHashMap<>();

  /// The root lists of those blobs that are kept as chunks.
  final Map<BlobHash, Payload> rootLists = new HashMap<>();

  final List<Overlay> overlays = new ArrayList<>();
  final Map<ContextKey, TurnId> keys = new HashMap<>();
  final Set<DeclaredType> types = new HashSet<>();
  private final ChunkSizes chunks;
  long lastTurn;
  long lastContext;

  ModelState(ChunkSizes chunks) {
    this.chunks = chunks;
  }

  ModelState copy() {
    ModelState copy = new ModelState(chunks);
    copy.turns.putAll(turns);
    copy.contexts.putAll(contexts);
    copy.blobs.putAll(blobs);
    copy.rootLists.putAll(rootLists);
    copy.overlays.addAll(overlays);
    copy.keys.putAll(keys);
    copy.types.addAll(types);
    copy.lastTurn = lastTurn;
    copy.lastContext = lastContext;
    return copy;
  }

  /// Keeps a blob, as chunks if it is larger than the largest chunk.
  BlobHash keep(Payload bytes) {
    if (bytes.sizeBytes() <= chunks.maxBytes()) {
      return keepWhole(bytes);
    }
    try {
      return new ChunkedPut(chunks, new Pieces())
          .put(new ByteArrayInputStream(bytes.unsafeArray()), null);
    } catch (IOException e) {
      throw new AssertionError("an array cannot fail", e);
    }
  }

  private BlobHash keepWhole(Payload bytes) {
    BlobHash hash = ReferenceBlake3.hash(bytes);
    blobs.putIfAbsent(hash, bytes);
    return hash;
  }

  /// Takes the pieces of a large blob.
  private final class Pieces implements ChunkedPut.Target {

    @Override
    public void putAll(List<PendingChunk> pieces) {
      pieces.forEach(piece -> keepWhole(piece.bytes()));
    }

    @Override
    public BlobHash assemble(BlobHash whole, long sizeBytes, Payload rootList) {
      ModelState.this.assemble(whole, rootList);
      return whole;
    }
  }

  /// Keeps what a root list stands for, or refuses it.
  void assemble(BlobHash hash, Payload rootList) {
    ChunkList root = ChunkList.root(rootList.unsafeArray(), chunks);
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    for (int i = 0; i < root.count(); i++) {
      byte[] listed = part(root.hash(i));
      ChunkList list = ChunkList.chunks(listed, chunks);
      int before = whole.size();
      for (int j = 0; j < list.count(); j++) {
        byte[] chunk = part(list.hash(j));
        require(chunk.length == list.chunkBytes(j), "size of a chunk");
        whole.writeBytes(chunk);
        if (list.lineFeed(j)) {
          whole.write('\n');
        }
      }
      require(whole.size() - before == root.length(i), "size of a list");
    }
    Payload bytes = Payload.wrap(whole.toByteArray());
    require(ReferenceBlake3.hash(bytes).equals(hash), "hash");
    if (blobs.putIfAbsent(hash, bytes) == null) {
      rootLists.put(hash, rootList);
    }
  }

  private byte[] part(BlobHash hash) {
    Payload bytes = blobs.get(hash);
    require(bytes != null, "part " + hash);
    return Objects.requireNonNull(bytes).unsafeArray();
  }

  private static void require(boolean right, String what) {
    if (!right) {
      throw new StoreException.Invalid("root list", "wrong " + what);
    }
  }

  ContextHead keep(ContextHead head) {
    contexts.put(head.id(), head);
    lastContext = Math.max(lastContext, head.id().value());
    return head;
  }

  /// Takes a turn in, or refuses it before anything has changed.
  Turn keep(
      TurnId id,
      ContextId context,
      TurnId parent,
      NewTurn turn,
      Instant createdAt,
      StoreLimits limits) {
    int depth = parent.isNone() ? 0 : turn(parent, "parent turn").depth() + 1;
    requireBlob(turn.fsRoot());
    if (!types.contains(turn.type()) && types.size() == limits.types()) {
      throw new StoreException.TooLarge("types", types.size() + 1L, limits.types());
    }
    Turn kept =
        new Turn(
            id,
            parent,
            depth,
            context,
            turn.type(),
            turn.encoding(),
            turn.declaredCompression(),
            keep(turn.payload()),
            turn.payload().sizeBytes(),
            createdAt,
            turn.fsRoot(),
            false,
            0,
            null);
    turns.put(id, kept);
    types.add(turn.type());
    if (turn.key() != null) {
      keys.putIfAbsent(new ContextKey(context, turn.key()), id);
    }
    lastTurn = id.value();
    return kept;
  }

  long overlay(TurnId target, Overlay.Kind kind, @Nullable BlobHash blob) {
    Overlay overlay = new Overlay(overlays.size() + 1L, target, kind, blob);
    overlays.add(overlay);
    return overlay.seq();
  }

  ContextHead context(ContextId id) {
    ContextHead head = contexts.get(id);
    if (head == null) {
      throw new StoreException.NotFound("context", id.toString());
    }
    return head;
  }

  Turn turn(TurnId id, String kind) {
    Turn turn = turns.get(id);
    if (turn == null) {
      throw new StoreException.NotFound(kind, id.toString());
    }
    return turn;
  }

  Payload blob(BlobHash hash) {
    Payload bytes = blobs.get(hash);
    if (bytes == null) {
      throw new StoreException.NotFound("blob", hash.toString());
    }
    return bytes;
  }

  void requireBlob(@Nullable BlobHash hash) {
    if (hash != null) {
      blob(hash);
    }
  }

  /// The turn that was appended under this key, null if none was.
  @Nullable Turn firstUnder(ContextId context, IdempotencyKey key, NewTurn retry) {
    TurnId id = keys.get(new ContextKey(context, key));
    if (id == null) {
      return null;
    }
    Turn first = turn(id, "turn");
    BlobHash payload = ReferenceBlake3.hash(retry.payload());
    if (!first.type().equals(retry.type())
        || !first.encoding().equals(retry.encoding())
        || !first.payloadHash().equals(payload)) {
      throw new StoreException.Conflict(
          "idempotency key of turn " + id,
          first.type() + " " + first.payloadHash(),
          retry.type() + " " + payload);
    }
    return first;
  }

  /// From the root to `last`, as written; empty for [TurnId#NONE].
  List<Turn> path(TurnId last) {
    ArrayDeque<Turn> path = new ArrayDeque<>();
    for (TurnId id = last; !id.isNone(); id = path.getFirst().parent()) {
      path.addFirst(turn(id, "turn"));
    }
    return List.copyOf(path);
  }

  /// Oldest first.
  List<Overlay> overlaysOf(TurnId turn) {
    return overlays.stream().filter(overlay -> overlay.target().equals(turn)).toList();
  }

  /// The turn as the view shows it.
  Turn seen(Turn written, View view) {
    BlobHash payload = written.payloadHash();
    BlobHash fsRoot = written.fsRoot();
    boolean tombstone = false;
    long seq = 0;
    for (Overlay overlay : overlaysOf(written.id())) {
      if (overlay.seq() > view.overlaySeqMax()) {
        break;
      }
      seq = overlay.seq();
      switch (overlay.kind()) {
        case PATCH -> {
          payload = Objects.requireNonNull(overlay.blob());
          tombstone = false;
        }
        case TOMBSTONE -> tombstone = true;
        case FS_ROOT -> fsRoot = overlay.blob();
      }
    }
    return new Turn(
        written.id(),
        written.parent(),
        written.depth(),
        written.context(),
        written.type(),
        written.encoding(),
        written.declaredCompression(),
        payload,
        blob(payload).sizeBytes(),
        written.createdAt(),
        fsRoot,
        tombstone,
        seq,
        view.payloads() && !tombstone ? blob(payload) : null);
  }

  StoreCounts counts() {
    long bytes =
        blobs.entrySet().stream()
            .mapToLong(b -> rootLists.getOrDefault(b.getKey(), b.getValue()).sizeBytes())
            .sum();
    return new StoreCounts(
        contexts.size(),
        turns.size(),
        blobs.size(),
        overlays.size(),
        types.size(),
        bytes,
        bytes,
        -1);
  }

  CheckReport check() {
    CheckReport.NewestTurn newest =
        turns.isEmpty()
            ? null
            : new CheckReport.NewestTurn(turns.lastKey(), turns.lastEntry().getValue().createdAt());
    return new CheckReport(
        blobs.size(), turns.size(), contexts.size(), overlays.size(), newest, List.of());
  }
}
