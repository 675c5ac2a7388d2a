// SPDX-License-Identifier: Apache-2.0
package dev.varve.sim;

import dev.varve.BlobHash;
import dev.varve.BulkStore;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.NewTurn;
import dev.varve.Store;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Compares all that a store holds with all that a model holds, through the doors that readers use.
public final class StoreDifference {

  private final StoreModel model;
  private final BulkStore store;
  private final int pageTurns;

  private StoreDifference(StoreModel model, BulkStore store, int pageTurns) {
    this.model = model;
    this.store = store;
    this.pageTurns = pageTurns;
  }

  /// The first difference, the cheapest looked for first; empty if there is none. Changes nothing.
  ///
  /// @param pageTurns the largest page the store serves
  public static Optional<String> find(StoreModel model, BulkStore store, int pageTurns) {
    return new StoreDifference(model, store, pageTurns).find();
  }

  private Optional<String> find() {
    return same("counts()", s -> s.counts())
        .or(this::contexts)
        .or(this::turns)
        .or(this::blobs)
        .or(this::paths);
  }

  private Optional<String> contexts() {
    return same(
        "all contexts",
        s -> {
          List<ContextHead> all = new ArrayList<>();
          List<ContextHead> page = s.contexts(null, pageTurns);
          while (!page.isEmpty()) {
            all.addAll(page);
            page = s.contexts(page.getLast().id(), pageTurns);
          }
          return all;
        });
  }

  private Optional<String> turns() {
    for (Turn turn : model.turns()) {
      TurnId id = turn.id();
      Optional<String> difference =
          same("turn(" + id + ", as written)", s -> s.turn(id, View.AS_WRITTEN))
              .or(() -> same("turn(" + id + ", latest)", s -> s.turn(id, View.LATEST)))
              .or(() -> same("overlays(" + id + ")", s -> s.overlays(id)))
              .or(
                  () ->
                      same(
                          "findChild(" + turn.parent() + ", " + turn.payloadHash() + ")",
                          s -> childLike(s, turn.parent(), turn.payloadHash())))
              .or(() -> same("ancestor(" + id + ", half)", s -> s.ancestor(id, turn.depth() / 2)));
      if (difference.isPresent()) {
        return difference;
      }
    }
    return Optional.empty();
  }

  private Optional<String> blobs() {
    for (BlobHash blob : model.blobs()) {
      Optional<String> difference =
          same("has(" + blob + ")", s -> s.has(blob))
              .or(() -> same("sizeBytes(" + blob + ")", s -> s.sizeBytes(blob)))
              .or(() -> same("findChunkList(" + blob + ")", s -> s.findChunkList(blob)))
              .or(() -> same("get(" + blob + ")", s -> s.get(blob)))
              .or(() -> large(blob));
      if (difference.isPresent()) {
        return difference;
      }
    }
    return Optional.empty();
  }

  private Optional<String> large(BlobHash blob) {
    return model.findChunkList(blob).isEmpty()
        ? Optional.empty()
        : same("read(" + blob + ")", s -> RandomOperations.allOf(s.read(blob)));
  }

  private Optional<String> paths() {
    for (ContextHead head : model.heads()) {
      ContextId id = head.id();
      Optional<String> difference =
          same("head(" + id + ")", s -> s.head(id))
              .or(() -> same("last(" + id + ")", s -> s.last(id, pageTurns, View.HEADERS)));
      if (difference.isPresent()) {
        return difference;
      }
    }
    return Optional.empty();
  }

  /// Whether each append that had a key answers its first turn again. Changes the store if one does
  /// not, so it is the last thing to look at.
  static Optional<String> findInRetries(StoreModel model, BulkStore store) {
    return model.keys().entrySet().stream()
        .sorted(Comparator.comparing(entry -> entry.getValue()))
        .map(
            entry -> {
              ContextId context = entry.getKey().context();
              Turn first = model.turn(entry.getValue(), View.AS_WRITTEN);
              NewTurn retry =
                  NewTurn.of(first.payload(), first.type(), first.encoding())
                      .withKey(entry.getKey().key());
              return new StoreDifference(model, store, 0)
                  .same("retry of turn " + first.id(), s -> s.append(context, retry));
            })
        .flatMap(Optional::stream)
        .findFirst();
  }

  private Optional<String> same(String what, Function<BulkStore, Object> question) {
    Operation operation = new Operation(what, question);
    Operation.Answer expected = operation.ask(model);
    Operation.Answer found = operation.ask(store);
    return expected.equals(found)
        ? Optional.empty()
        : Optional.of(what + "\n  expected " + expected + "\n  found    " + found);
  }

  /// What a store finds as a child, without its number: of several that are alike it may find any.
  static Optional<String> childLike(Store store, TurnId parent, BlobHash payload) {
    return store
        .findChild(parent, payload)
        .map(id -> store.turn(id, View.AS_WRITTEN.withoutPayloads()))
        .map(turn -> turn.parent() + " " + turn.payloadHash());
  }
}
