// SPDX-License-Identifier: Apache-2.0
package dev.varve.copy;

import dev.varve.BlobHash;
import dev.varve.BulkStore;
import dev.varve.ContextHead;
import dev.varve.NewTurn;
import dev.varve.Overlay;
import dev.varve.Payload;
import dev.varve.StoreCounts;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// Copies a store into another: blobs, turns, contexts and overlays, with their numbers and times.
///
/// The target is empty, or a copy of an earlier state of the same source into which nobody else
/// wrote. A run that broke off is completed by the next, and a run after a run brings only what is
/// new. The source may be in use; turns that are appended during a run may be left to the next run.
/// Idempotency keys are not copied, because no store gives them away.
///
/// For one thread.
public final class StoreCopy {

  /// A source that is written to all the time is not followed for ever.
  private static final int ROUNDS_MAX = 3;

  private static final View WITHOUT_PAYLOADS = View.AS_WRITTEN.withoutPayloads();

  private final BulkStore source;
  private final BulkStore target;
  private final CopyProgress progress;
  private final BlobCopy blobs;
  private final CopyBatch batch;
  private long turns;
  private long erasedTurns;
  private long contexts;
  private long movedContexts;
  private long overlays;

  public StoreCopy(BulkStore source, BulkStore target, CopyProgress progress) {
    this(source, target, progress, CopyBatch.DEFAULTS);
  }

  StoreCopy(BulkStore source, BulkStore target, CopyProgress progress, CopyBatch batch) {
    this.source = source;
    this.target = target;
    this.progress = progress;
    this.blobs = new BlobCopy(source, target, progress, batch);
    this.batch = batch;
  }

  /// Copies what the target lacks.
  ///
  /// @throws StoreException.Conflict if the target has content that the source does not have under
  ///   the same numbers
  /// @throws StoreException.Corrupt if the source is damaged; what was copied before stays
  public StoreCopyReport run() {
    boolean complete = false;
    for (int round = 0; round < ROUNDS_MAX && !complete; round++) {
      StoreCounts before = source.counts();
      refuseMore("contexts", before.contexts(), target.counts().contexts());
      refuseMore("turns", before.turns(), target.counts().turns());
      blobs.copyAll();
      copyTurns(before.turns());
      boolean behind = copyContexts();
      copyOverlays();
      complete = !behind && isSame(before, source.counts());
    }
    long copied = target.counts().turns();
    if (complete && copied < source.counts().turns()) {
      // Several services write to the source, and one was late with a smaller number.
      throw new StoreException.Conflict(
          "the copy",
          source.counts().turns() + " turns",
          copied + "; copy into an empty store while nobody writes to the source");
    }
    return new StoreCopyReport(
        blobs.count(),
        blobs.contentBytes(),
        turns,
        erasedTurns,
        contexts,
        movedContexts,
        overlays,
        complete);
  }

  private static boolean isSame(StoreCounts before, StoreCounts after) {
    return before.turns() == after.turns()
        && before.contexts() == after.contexts()
        && before.blobs() == after.blobs()
        && before.overlays() == after.overlays();
  }

  private static void refuseMore(String what, long there, long copied) {
    if (copied > there) {
      throw new StoreException.Conflict(
          "the copy", "at most the " + there + " " + what + " of the source", copied + " " + what);
    }
  }

  // ---- turns

  private void copyTurns(long total) {
    long done = target.counts().turns();
    List<TurnId> listed = source.turnNumbers(lastCopied(), batch.items());
    while (!listed.isEmpty()) {
      for (TurnId id : listed) {
        restore(source.turn(id, View.AS_WRITTEN));
        turns++;
        done++;
      }
      progress.reached("turns", done, Math.max(total, done));
      listed = source.turnNumbers(listed.getLast(), batch.items());
    }
  }

  private void restore(Turn turn) {
    Payload payload = turn.payload();
    if (payload == null) {
      erasedTurns++;
    }
    NewTurn copy =
        NewTurn.of(payload == null ? Payload.EMPTY : payload, turn.type(), turn.encoding())
            .withParent(turn.parent())
            .withDeclaredCompression(turn.declaredCompression());
    if (turn.fsRoot() != null) {
      blobs.demand(turn.fsRoot());
      copy = copy.withFsRoot(turn.fsRoot());
    }
    target.restoreTurn(turn.id(), turn.context(), copy, turn.createdAt());
  }

  /// The greatest number in the target. Turns are copied in the order of their numbers, so that the
  /// target has all of the source up to some number.
  private TurnId lastCopied() {
    TurnId last = TurnId.NONE;
    List<TurnId> page = target.turnNumbers(TurnId.NONE, 1);
    if (page.isEmpty()) {
      return last;
    }
    long low = 0; // a turn above is in the target
    long high = Long.MAX_VALUE; // none above is
    while (low < high) {
      long middle = low + (high - low >>> 1);
      page = target.turnNumbers(new TurnId(middle), 1);
      if (page.isEmpty()) {
        high = middle;
      } else {
        last = page.getFirst();
        low = last.value();
      }
    }
    Optional<Turn> original = find(source, last);
    if (original.isEmpty() || !isCopied(original.get())) {
      throw changed(last);
    }
    return last;
  }

  /// Returns whether a turn is in the target.
  ///
  /// @throws StoreException.Conflict if the target has another turn under the number
  private boolean isCopied(Turn turn) {
    Optional<Turn> copy = find(target, turn.id());
    if (copy.isPresent() && !isSame(turn, copy.get())) {
      throw changed(turn.id());
    }
    return copy.isPresent();
  }

  private static Optional<Turn> find(BulkStore store, TurnId id) {
    try {
      return Optional.of(store.turn(id, WITHOUT_PAYLOADS));
    } catch (StoreException.NotFound e) {
      return Optional.empty();
    }
  }

  private static boolean isSame(Turn turn, Turn copy) {
    return copy.parent().equals(turn.parent())
        && copy.context().equals(turn.context())
        && copy.createdAt().equals(turn.createdAt())
        && (turn.tombstone() || copy.payloadHash().equals(turn.payloadHash()));
  }

  private static StoreException changed(TurnId turn) {
    return new StoreException.Conflict(
        "the copy", "turn " + turn + " of the source", "another turn of this number");
  }

  // ---- contexts

  /// Returns whether contexts have heads that were appended during this round.
  private boolean copyContexts() {
    boolean behind = false;
    List<ContextHead> listed = source.contextsBelow(null, batch.items());
    while (!listed.isEmpty()) {
      for (ContextHead context : listed) {
        behind |= !copy(context);
      }
      listed = source.contextsBelow(listed.getLast().id(), batch.items());
    }
    return behind;
  }

  private boolean copy(ContextHead original) {
    ContextHead context = withoutErased(original);
    if (!context.head().isNone() && !isThere(context.head())) {
      return false;
    }
    if (context.about() != null) {
      blobs.demand(context.about());
    }
    Optional<ContextHead> copied = findCopied(context);
    if (copied.isEmpty()) {
      target.restoreContext(
          context.id(),
          context.head(),
          context.base(),
          context.createdAt(),
          context.activeAt(),
          context.about());
      contexts++;
    } else if (!copied.get().equals(context)) {
      TurnId head = copied.get().head();
      if (!head.isNone() && find(source, head).filter(this::isCopied).isEmpty()) {
        throw changed(head);
      }
      target.moveContext(context.id(), head, context.head(), context.activeAt(), context.about());
      movedContexts++;
    }
    return true;
  }

  /// A context as the copy has it: without a description that was erased.
  private ContextHead withoutErased(ContextHead context) {
    return context.about() == null || !isErased(context.about())
        ? context
        : new ContextHead(
            context.id(),
            context.head(),
            context.headDepth(),
            context.base(),
            context.createdAt(),
            context.activeAt(),
            null);
  }

  private boolean isErased(BlobHash blob) {
    try {
      return source.sizeBytes(blob) < 0;
    } catch (StoreException.NotFound e) {
      return e.isErased();
    }
  }

  private boolean isThere(TurnId turn) {
    return find(target, turn).isPresent();
  }

  private Optional<ContextHead> findCopied(ContextHead context) {
    try {
      ContextHead copied = target.head(context.id());
      if (!copied.createdAt().equals(context.createdAt())
          || !copied.base().equals(context.base())) {
        throw new StoreException.Conflict(
            "the copy", "context " + context.id() + " of the source", "another context");
      }
      return Optional.of(copied);
    } catch (StoreException.NotFound e) {
      return Optional.empty();
    }
  }

  // ---- overlays

  /// Adds the overlays that the target lacks, in the order in which the source got them.
  private void copyOverlays() {
    List<Overlay> missing = new ArrayList<>();
    List<TurnId> listed = source.turnNumbers(TurnId.NONE, batch.items());
    while (!listed.isEmpty()) {
      for (TurnId id : listed) {
        Turn turn = source.turn(id, View.HEADERS);
        if ((turn.overlaySeq() > 0 || turn.tombstone()) && isThere(id)) {
          missing.addAll(missing(turn));
        }
      }
      listed = source.turnNumbers(listed.getLast(), batch.items());
    }
    missing.sort(Comparator.comparingLong(Overlay::seq));
    missing.forEach(this::add);
  }

  private List<Overlay> missing(Turn turn) {
    List<Overlay> wanted = new ArrayList<>(source.overlays(turn.id()).reversed());
    if (isErased(turn)) {
      wanted.add(new Overlay(Long.MAX_VALUE, turn.id(), Overlay.Kind.TOMBSTONE, null));
    }
    List<Overlay> copied = target.overlays(turn.id()).reversed();
    for (int i = 0; i < copied.size(); i++) {
      if (i >= wanted.size() || !isSame(wanted.get(i), copied.get(i))) {
        throw new StoreException.Conflict(
            "the copy", "the overlays of turn " + turn.id() + " in the source", "others");
      }
    }
    return wanted.subList(copied.size(), wanted.size());
  }

  private boolean isSame(Overlay original, Overlay copy) {
    return copy.kind() == original.kind() && Objects.equals(copy.blob(), original.blob())
        || copy.kind() == Overlay.Kind.TOMBSTONE && isErasedPatch(original);
  }

  private boolean isErasedPatch(Overlay overlay) {
    return overlay.kind() == Overlay.Kind.PATCH && isErased(Objects.requireNonNull(overlay.blob()));
  }

  /// Returns whether the payload of a turn was erased: the turn is deleted as it was written.
  private boolean isErased(Turn turn) {
    return turn.tombstone() && source.turn(turn.id(), WITHOUT_PAYLOADS).tombstone();
  }

  /// Adds an overlay. A patch whose payload was erased shows nothing, so the turn is deleted.
  private void add(Overlay overlay) {
    if (isErasedPatch(overlay)) {
      target.tombstone(overlay.target());
      overlays++;
      return;
    }
    switch (overlay.kind()) {
      case PATCH ->
          target.patch(overlay.target(), source.get(Objects.requireNonNull(overlay.blob())));
      case TOMBSTONE -> target.tombstone(overlay.target());
      case FS_ROOT -> {
        blobs.demand(Objects.requireNonNull(overlay.blob()));
        target.attachFsRoot(overlay.target(), overlay.blob());
      }
    }
    overlays++;
  }
}
