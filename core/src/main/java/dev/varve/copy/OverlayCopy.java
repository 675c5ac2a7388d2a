// SPDX-License-Identifier: Apache-2.0
package dev.varve.copy;

import dev.varve.BulkStore;
import dev.varve.Overlay;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/// The overlays of a copy, added in the order in which the source got them.
///
/// Where the list of the copy's overlays is the beginning of the source's list, the rest is what
/// the copy lacks. The two lists differ in their order where an overlay came before its turn was
/// copied, and in their numbers where something was erased from the source; then the overlays of
/// each turn are compared.
final class OverlayCopy {

  private final BulkStore source;
  private final BulkStore target;
  private final BlobCopy blobs;
  private final CopiedTurns turns;
  private final CopyBatch batch;
  private long count;

  OverlayCopy(
      BulkStore source, BulkStore target, BlobCopy blobs, CopiedTurns turns, CopyBatch batch) {
    this.source = source;
    this.target = target;
    this.blobs = blobs;
    this.turns = turns;
    this.batch = batch;
  }

  /// Adds the overlays that the copy lacks.
  void copyAll() {
    if (source.lastErasure() > 0 || !copyRest()) {
      copyOfEachTurn();
    }
  }

  long count() {
    return count;
  }

  // ---- the rest of a list

  /// Compares the two lists page by page, and adds the rest of the source's.
  ///
  /// @return whether the copy's list is the beginning of the source's
  private boolean copyRest() {
    long originalSeq = 0;
    long copySeq = 0;
    while (true) {
      List<Overlay> copies = target.overlaysAfter(copySeq, batch.items());
      List<Overlay> originals = source.overlaysAfter(originalSeq, batch.items());
      if (copies.size() > originals.size()) {
        return false;
      }
      for (int i = 0; i < copies.size(); i++) {
        if (!isSame(originals.get(i), copies.get(i))) {
          return false;
        }
      }
      if (!copies.isEmpty()) {
        originalSeq = originals.get(copies.size() - 1).seq();
        copySeq = copies.getLast().seq();
      } else if (originals.isEmpty()) {
        return true;
      } else {
        return addAll(originals);
      }
    }
  }

  /// Adds a page and all behind. Ends at an overlay whose turn is not copied yet.
  private boolean addAll(List<Overlay> first) {
    for (List<Overlay> page = first;
        !page.isEmpty();
        page = source.overlaysAfter(page.getLast().seq(), batch.items())) {
      for (Overlay overlay : page) {
        if (!turns.isThere(overlay.target())) {
          return false;
        }
        add(overlay);
      }
    }
    return true;
  }

  private static boolean isSame(Overlay original, Overlay copy) {
    return copy.target().equals(original.target())
        && copy.kind() == original.kind()
        && Objects.equals(copy.blob(), original.blob());
  }

  // ---- the overlays of each turn

  private void copyOfEachTurn() {
    List<Overlay> missing = new ArrayList<>();
    List<TurnId> listed = source.turnNumbers(TurnId.NONE, batch.items());
    while (!listed.isEmpty()) {
      for (TurnId id : listed) {
        Turn turn = source.turn(id, View.HEADERS);
        if ((turn.overlaySeq() > 0 || turn.tombstone()) && turns.isThere(id)) {
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
    if (turns.isErased(turn)) {
      wanted.add(new Overlay(Long.MAX_VALUE, turn.id(), Overlay.Kind.TOMBSTONE, null));
    }
    List<Overlay> copied = target.overlays(turn.id()).reversed();
    for (int i = 0; i < copied.size(); i++) {
      if (i >= wanted.size() || !isCopy(wanted.get(i), copied.get(i))) {
        throw new StoreException.Conflict(
            "the copy", "the overlays of turn " + turn.id() + " in the source", "others");
      }
    }
    return wanted.subList(copied.size(), wanted.size());
  }

  private boolean isCopy(Overlay original, Overlay copy) {
    return isSame(original, copy)
        || copy.kind() == Overlay.Kind.TOMBSTONE && isErasedPatch(original);
  }

  private boolean isErasedPatch(Overlay overlay) {
    return overlay.kind() == Overlay.Kind.PATCH
        && turns.isErased(Objects.requireNonNull(overlay.blob()));
  }

  // ---- one overlay

  /// Adds an overlay. A patch whose payload was erased shows nothing, so the turn is deleted.
  private void add(Overlay overlay) {
    switch (overlay.kind()) {
      case PATCH -> {
        if (isErasedPatch(overlay)) {
          target.tombstone(overlay.target());
        } else {
          target.patch(overlay.target(), source.get(Objects.requireNonNull(overlay.blob())));
        }
      }
      case TOMBSTONE -> target.tombstone(overlay.target());
      case FS_ROOT -> {
        blobs.demand(Objects.requireNonNull(overlay.blob()));
        target.attachFsRoot(overlay.target(), overlay.blob());
      }
    }
    count++;
  }
}
