// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi;

import dev.varve.BlobHash;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.hash.Blake3;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Where a session's manifests stand: a context whose root turn is the session's key, and each
/// manifest a child of it.
///
/// What the context is [about][PiAbout.Whole] names the newest manifest. It is written last, so a
/// session is either as it was or imported, whatever happens in between.
///
/// @param key the root turn
/// @param newest null until the first manifest is on the shelf
record Shelf(Store store, ContextId context, TurnId key, PiAbout.@Nullable Whole newest) {

  static Optional<Shelf> find(Store store, SessionKey key) {
    return store
        .findChild(TurnId.NONE, Blake3.hash(key.payload().unsafeArray()))
        .map(
            turn -> {
              ContextId context = store.turn(turn, View.HEADERS).context();
              return new Shelf(store, context, turn, read(store, store.head(context)));
            });
  }

  static Shelf create(Store store, SessionKey key) {
    ContextHead context = store.createContext();
    NewTurn root = NewTurn.of(key.payload(), SessionKey.TYPE, Encoding.RAW).withParent(TurnId.NONE);
    return new Shelf(store, context.id(), store.append(context.id(), root).id(), null);
  }

  private static PiAbout.@Nullable Whole read(Store store, ContextHead context) {
    return context.about() != null
            && PiAbout.read(store.get(context.about())).orElse(null) instanceof PiAbout.Whole whole
        ? whole
        : null;
  }

  /// The manifest as a turn of the shelf, if it is on it.
  Optional<TurnId> find(Payload manifest) {
    return store.findChild(key, Blake3.hash(manifest.unsafeArray()));
  }

  /// Puts a manifest on the shelf. It counts once [#put] has said so.
  TurnId add(Payload manifest) {
    return store
        .append(context, NewTurn.of(manifest, Manifest.TYPE, Encoding.RAW).withParent(key))
        .id();
  }

  /// Makes `about` the newest, in front of what was. From now on it counts.
  void put(PiAbout.Whole about) {
    describe(about.withPrevious(store.head(context).about()));
  }

  /// Lists `about` behind the newest, which stays so.
  void slipUnder(PiAbout.Whole newest, PiAbout.Whole about) {
    BlobHash before = store.put(about.withPrevious(newest.previous()).payload());
    describe(newest.withPrevious(before));
  }

  private void describe(PiAbout.Whole about) {
    store.describe(context, store.put(about.payload()));
  }

  /// Whether a manifest is the newest one or among those before it.
  boolean lists(TurnId manifest) {
    PiAbout.Whole at = newest;
    while (at != null) {
      if (at.manifest().equals(manifest)) {
        return true;
      }
      at = before(at);
    }
    return false;
  }

  /// What was on the shelf before `whole`. A chain of hashes has no circles.
  PiAbout.@Nullable Whole before(PiAbout.Whole whole) {
    BlobHash previous = whole.previous();
    return previous != null
            && PiAbout.read(store.get(previous)).orElse(null) instanceof PiAbout.Whole before
        ? before
        : null;
  }
}
