// SPDX-License-Identifier: Apache-2.0
package dev.varve.imports;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.hash.Blake3;
import java.util.Optional;

/// The context in which a store keeps what it knows of one source. Its root turn is the source's
/// *key*; each manifest, which describes one version of the source, is a child of the key.
///
/// The context's `about` names the newest manifest and is written last. So a version is either
/// imported or not, whatever happens in between.
///
/// @param id the context
/// @param key the root turn
public record ManifestContext(Store store, ContextId id, TurnId key) {

  /// The context of the source with this key, if the source was seen before.
  public static Optional<ManifestContext> find(Store store, Payload key) {
    return store
        .findChild(TurnId.NONE, Blake3.hash(key.unsafeArray()))
        .map(turn -> new ManifestContext(store, store.turn(turn, View.HEADERS).context(), turn));
  }

  /// Like [#find], but makes the context if there is none.
  ///
  /// @param type the declared type of the key's turn
  public static ManifestContext findOrCreate(Store store, Payload key, DeclaredType type) {
    return find(store, key)
        .orElseGet(
            () -> {
              ContextId context = store.createContext().id();
              NewTurn root = NewTurn.of(key, type, Encoding.RAW).withParent(TurnId.NONE);
              return new ManifestContext(store, context, store.append(context, root).id());
            });
  }

  /// The turn of a manifest, if it was added.
  public Optional<TurnId> find(Payload manifest) {
    return store.findChild(key, Blake3.hash(manifest.unsafeArray()));
  }

  /// Adds a manifest unless it is there. It counts once [#describe] names it.
  public TurnId add(Payload manifest, DeclaredType type, Encoding encoding) {
    return find(manifest)
        .orElseGet(
            () -> store.append(id, NewTurn.of(manifest, type, encoding).withParent(key)).id());
  }

  /// The hash of the context's `about`; empty until the first import is complete.
  public Optional<BlobHash> aboutHash() {
    return Optional.ofNullable(store.head(id).about());
  }

  /// The context's `about`; empty until the first import is complete.
  public Optional<Payload> about() {
    return aboutHash().map(store::get);
  }

  /// Replaces the context's `about`. From now on the manifest that it names is the newest.
  public void describe(Payload about) {
    store.describe(id, store.put(about));
  }
}
