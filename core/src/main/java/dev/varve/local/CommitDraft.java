// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.NewTurn;
import dev.varve.Overlay;
import dev.varve.StoreException;
import dev.varve.StoreLimits;
import dev.varve.TurnId;
import dev.varve.blob.NewBlobs;
import dev.varve.blob.PreparedBlob;
import dev.varve.journal.StorePosition;
import dev.varve.turn.AncestorSearch;
import dev.varve.turn.AncestorSearch.Link;
import dev.varve.turn.HeadRecord;
import dev.varve.turn.HeadTable;
import dev.varve.turn.KeyHash;
import dev.varve.turn.NewTypes;
import dev.varve.turn.OverlayRecord;
import dev.varve.turn.TurnMeta;
import dev.varve.turn.TurnRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One commit in the making: the changes of one or more callers, checked against the store and
/// against each other.
///
/// A change that is refused leaves the draft as it was. Numbers given here become real only if the
/// commit succeeds; a failed commit closes the store for writing, and the next opening skips all
/// numbers that may have been given.
final class CommitDraft {

  /// The bound for turns that are brought in under their own numbers, so that numbers never run out
  /// after them.
  private static final long TURN_ID_MAX = 1L << 62;

  private final StoreFiles files;
  private final StorePosition before;
  private final long nowUnixMs;
  private final AncestorSearch ancestry = new AncestorSearch(this::link);

  final NewBlobs blobs;
  final NewTypes types;
  final List<TurnRecord> turns = new ArrayList<>();
  final List<TurnMeta> metas = new ArrayList<>();
  final List<HeadRecord> headLog = new ArrayList<>();
  final Map<Long, HeadRecord> heads = new LinkedHashMap<>();
  final List<OverlayRecord> overlays = new ArrayList<>();

  private final Map<Long, Integer> newTurns = new HashMap<>();
  private final Map<BlobHash, Long> newKeys = new HashMap<>();
  private final Map<Long, Long> newestOverlays = new HashMap<>();
  private long turnIdNext;
  private long contextIdNext;
  private long contextsNew;

  CommitDraft(StoreFiles files, StoreLimits limits, StorePosition before, Instant now) {
    this.files = files;
    this.before = before;
    this.nowUnixMs = now.toEpochMilli();
    this.turnIdNext = before.numbers().turnIdNext();
    this.contextIdNext = before.numbers().contextIdNext();
    this.blobs = new NewBlobs(files.blobs, before.ends().packEnd());
    this.types = new NewTypes(files.types, limits.types());
  }

  StorePosition before() {
    return before;
  }

  boolean isEmpty() {
    return blobs.placed().isEmpty()
        && turns.isEmpty()
        && headLog.isEmpty()
        && heads.isEmpty()
        && overlays.isEmpty();
  }

  /// Bytes of the blob records in the draft.
  long packBytes() {
    return blobs.packEnd() - before.ends().packEnd();
  }

  // ---- blobs

  /// Adds a blob unless it is in the store or the draft.
  ///
  /// @return whether it was added
  boolean put(PreparedBlob blob) {
    return blobs.put(blob);
  }

  // ---- contexts

  private HeadRecord head(ContextId context) {
    HeadRecord drafted = heads.get(context.value());
    return drafted != null
        ? drafted
        : files
            .heads
            .find(context.value())
            .orElseThrow(() -> new StoreException.NotFound("context", context.toString()));
  }

  long createContext(TurnId base, @Nullable BlobHash about) {
    int depth = base.isNone() ? 0 : requireTurn(base.value(), "base turn").depth();
    if (about != null) {
      blobs.require(about, "blob");
    }
    addContext(
        new HeadRecord(
            contextIdNext,
            base.value(),
            depth,
            nowUnixMs,
            base.value(),
            nowUnixMs,
            about,
            turnIdNext));
    return contextIdNext++;
  }

  private void addContext(HeadRecord head) {
    headLog.add(head);
    heads.put(head.contextId(), head);
    contextsNew++;
  }

  long describe(ContextId context, BlobHash about) {
    HeadRecord described = head(context).described(about, nowUnixMs, turnIdNext);
    blobs.require(about, "blob");
    headLog.add(described);
    heads.put(context.value(), described);
    return context.value();
  }

  long moveContext(
      ContextId id, TurnId expectedHead, TurnId head, Instant activeAt, @Nullable BlobHash about) {
    HeadRecord present = head(id);
    if (present.headTurnId() != expectedHead.value()) {
      throw new StoreException.Conflict(
          "head of context " + id, "turn " + expectedHead, "turn " + present.headTurnId());
    }
    int depth = head.isNone() ? 0 : requireTurn(head.value(), "turn").depth();
    if (about != null) {
      blobs.require(about, "blob");
    }
    HeadRecord moved =
        new HeadRecord(
            id.value(),
            head.value(),
            depth,
            present.createdAtUnixMs(),
            present.baseTurnId(),
            Math.max(present.activeAtUnixMs(), activeAt.toEpochMilli()),
            about,
            turnIdNext);
    headLog.add(moved);
    heads.put(id.value(), moved);
    return id.value();
  }

  long restoreContext(
      ContextId id,
      TurnId head,
      TurnId base,
      Instant createdAt,
      Instant activeAt,
      @Nullable BlobHash about) {
    if (id.value() <= 0 || id.value() >= HeadTable.CONTEXT_ID_MAX) {
      throw new StoreException.Invalid(
          "context id", "expected 1 to " + (HeadTable.CONTEXT_ID_MAX - 1) + ", found " + id);
    }
    if (heads.containsKey(id.value()) || files.heads.find(id.value()).isPresent()) {
      throw new StoreException.Conflict("context " + id, "a free number", "a context");
    }
    int depth = head.isNone() ? 0 : requireTurn(head.value(), "turn").depth();
    if (!base.isNone()) {
      requireTurn(base.value(), "base turn");
    }
    if (about != null) {
      blobs.require(about, "blob");
    }
    addContext(
        new HeadRecord(
            id.value(),
            head.value(),
            depth,
            createdAt.toEpochMilli(),
            base.value(),
            activeAt.toEpochMilli(),
            about,
            turnIdNext));
    contextIdNext = Math.max(contextIdNext, id.value() + 1);
    return id.value();
  }

  // ---- turns

  private @Nullable Integer drafted(long turnId) {
    return newTurns.get(turnId);
  }

  private Link link(long turnId) {
    return requireTurn(turnId, "turn");
  }

  private Link requireTurn(long turnId, String kind) {
    Integer index = drafted(turnId);
    if (index != null) {
      return new Link(
          turnId,
          turns.get(index).parentTurnId(),
          turns.get(index).depth(),
          metas.get(index).jumpTurnId());
    }
    long ordinal = files.turns.ordinal(turnId);
    if (turnId <= 0 || ordinal < 0) {
      throw new StoreException.NotFound(kind, Long.toUnsignedString(turnId));
    }
    TurnRecord record = files.turns.record(ordinal);
    return new Link(
        turnId, record.parentTurnId(), record.depth(), files.turns.meta(ordinal).jumpTurnId());
  }

  /// Appends a turn, or finds the turn that was appended under the key.
  ///
  /// @return its number
  long append(ContextId context, NewTurn turn, PreparedBlob payload) {
    HeadRecord head = head(context);
    BlobHash keyHash = turn.key() == null ? null : KeyHash.of(context, turn.key());
    if (keyHash != null) {
      long first = appendedUnder(keyHash);
      if (first != 0) {
        requireSame(first, turn, payload.hash());
        return first;
      }
    }
    TurnId expected = turn.expectedHead();
    if (expected != null && expected.value() != head.headTurnId()) {
      throw new StoreException.Conflict(
          "head of context " + context, "turn " + expected, "turn " + head.headTurnId());
    }
    TurnId given = turn.parent();
    long id =
        add(
            turnIdNext,
            context,
            given == null ? head.headTurnId() : given.value(),
            turn,
            payload,
            keyHash,
            true,
            turn.createdAt() == null ? nowUnixMs : turn.createdAt().toEpochMilli());
    TurnRecord added = turns.getLast();
    heads.put(context.value(), head.moved(id, added.depth(), added.createdAtUnixMs()));
    return id;
  }

  long restoreTurn(
      TurnId id, ContextId context, NewTurn turn, PreparedBlob payload, Instant createdAt) {
    TurnId parent = turn.parent();
    if (parent == null) {
      throw new IllegalArgumentException("turn " + id + " to restore names no parent");
    }
    if (id.value() >= TURN_ID_MAX) {
      throw new StoreException.Invalid(
          "turn id", "expected less than " + TURN_ID_MAX + ", found " + id);
    }
    if (id.value() < turnIdNext) {
      throw new StoreException.Conflict(
          "turn id", "a number from " + turnIdNext + " on", id.toString());
    }
    BlobHash keyHash = turn.key() == null ? null : KeyHash.of(context, turn.key());
    if (keyHash != null && appendedUnder(keyHash) != 0) {
      throw new StoreException.Conflict(
          "idempotency key of turn " + id,
          "a new key",
          "the key of turn " + appendedUnder(keyHash));
    }
    return add(
        id.value(),
        context,
        parent.value(),
        turn,
        payload,
        keyHash,
        false,
        createdAt.toEpochMilli());
  }

  private long add(
      long id,
      ContextId context,
      long parentId,
      NewTurn turn,
      PreparedBlob payload,
      @Nullable BlobHash keyHash,
      boolean movesHead,
      long createdAtUnixMs) {
    Link parent = parentId == 0 ? null : requireTurn(parentId, "parent turn");
    if (parent != null && parent.depth() == Integer.MAX_VALUE) {
      throw new StoreException.TooLarge("depth", Integer.MAX_VALUE + 1L, Integer.MAX_VALUE);
    }
    BlobHash fsRoot = turn.fsRoot();
    if (fsRoot != null && !fsRoot.equals(payload.hash())) {
      blobs.require(fsRoot, "file tree root");
    }
    long jump = parent == null ? id : ancestry.jumpOfChild(parent);
    long tag = types.tag(turn.type()); // the last that may refuse
    blobs.put(payload);
    newTurns.put(id, turns.size());
    turns.add(
        new TurnRecord(
            id,
            parentId,
            parent == null ? 0 : parent.depth() + 1,
            turn.encoding().tag(),
            tag,
            payload.hash(),
            0,
            createdAtUnixMs));
    metas.add(
        new TurnMeta(
            id,
            context.value(),
            jump,
            (int) payload.rawLength(),
            turn.declaredCompression(),
            fsRoot,
            keyHash,
            movesHead));
    if (keyHash != null) {
      newKeys.put(keyHash, id);
    }
    turnIdNext = id + 1;
    return id;
  }

  private long appendedUnder(BlobHash keyHash) {
    Long drafted = newKeys.get(keyHash);
    return drafted != null ? drafted : files.finder().keyed(keyHash);
  }

  private void requireSame(long first, NewTurn turn, BlobHash payloadHash) {
    Integer index = drafted(first);
    TurnRecord record =
        index != null ? turns.get(index) : files.turns.record(files.turns.ordinal(first));
    boolean same =
        record.payloadHash().equals(payloadHash)
            && record.codec() == turn.encoding().tag()
            && types.isTagOf(record.typeTag(), turn.type());
    if (!same) {
      throw new StoreException.Conflict(
          "idempotency key", "the content of turn " + first, turn.type() + " " + payloadHash);
    }
  }

  // ---- overlays

  /// Adds an overlay.
  ///
  /// @param blob the new payload or the file tree's root; ignored for a tombstone
  long overlay(TurnId target, Overlay.Kind kind, BlobHash blob) {
    requireTurn(target.value(), "turn");
    long seq = before.ends().overlays() + overlays.size() + 1;
    long previous =
        newestOverlays.getOrDefault(target.value(), files.overlays.newestSeq(target.value()));
    overlays.add(new OverlayRecord(target.value(), blob, kind, seq, previous));
    newestOverlays.put(target.value(), seq);
    return seq;
  }

  long patch(TurnId target, PreparedBlob payload) {
    long seq = overlay(target, Overlay.Kind.PATCH, payload.hash());
    blobs.put(payload);
    return seq;
  }

  long attachFsRoot(TurnId target, BlobHash root) {
    requireTurn(target.value(), "turn");
    blobs.require(root, "file tree root");
    return overlay(target, Overlay.Kind.FS_ROOT, root);
  }

  // ---- the commit

  /// The number of turn ids that are set aside at once, so that the limit moves rarely.
  private static final long TURN_IDS_RESERVED = 1024;

  private static final long CONTEXT_IDS_RESERVED = 64;

  /// Where the store stands once the draft is committed.
  StorePosition after(long typesBytes) {
    long turnIdLimit = before.numbers().turnIdLimit();
    if (turnIdNext > turnIdLimit) {
      turnIdLimit = turnIdNext + TURN_IDS_RESERVED;
    }
    long contextIdLimit = before.numbers().contextIdLimit();
    if (contextIdNext > contextIdLimit) {
      contextIdLimit = contextIdNext + CONTEXT_IDS_RESERVED;
    }
    long maxContext = heads.keySet().stream().mapToLong(Long::longValue).max().orElse(0);
    StorePosition.Ends ends = before.ends();
    StorePosition.Counts counts = before.counts();
    return new StorePosition(
        before.batchSeq() + 1,
        new StorePosition.Numbers(turnIdNext, turnIdLimit, contextIdNext, contextIdLimit),
        new StorePosition.Ends(
            blobs.packEnd(),
            ends.blobEntries() + blobs.placed().size(),
            ends.turns() + turns.size(),
            ends.headLogRecords() + headLog.size(),
            Math.max(ends.headSlots(), maxContext + 1),
            ends.typesEnd() + typesBytes,
            ends.overlays() + overlays.size()),
        new StorePosition.Counts(
            counts.contexts() + contextsNew,
            counts.blobs() + blobs.firstCount(),
            counts.rawBytes() + blobs.firstRawBytes(),
            counts.storedBytes() + packBytes()));
  }
}
