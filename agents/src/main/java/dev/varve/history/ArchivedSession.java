// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.TurnId;
import dev.varve.imports.ManifestContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A session in a store, with its newest version.
public final class ArchivedSession {

  private final HistoryVersions versions;
  private final SessionAbout about;
  private final HistoryManifest manifest;

  private ArchivedSession(HistoryVersions versions, SessionAbout about) {
    this.versions = versions;
    this.about = about;
    this.manifest = HistoryManifest.get(versions.context().store(), about.manifest());
  }

  /// The session to which a context belongs, as that of its manifests or of a leaf; empty if it
  /// belongs to none.
  ///
  /// @throws StoreException.NotFound if there is no such context
  public static Optional<ArchivedSession> find(Store store, ContextId context) {
    BlobHash hash = store.head(context).about();
    if (hash == null) {
      return Optional.empty();
    }
    Payload described = store.get(hash);
    Optional<SessionAbout> own = SessionAbout.read(described);
    ContextId manifests =
        own.isPresent() ? context : LeafAbouts.manifestContext(described).orElse(null);
    return manifests == null ? Optional.empty() : at(store, manifests);
  }

  /// The session whose manifests a context holds; empty for every other context.
  public static Optional<ArchivedSession> findManifest(Store store, ContextId context) {
    return at(store, context);
  }

  private static Optional<ArchivedSession> at(Store store, ContextId manifests) {
    BlobHash hash = store.head(manifests).about();
    Optional<SessionAbout> about =
        hash == null ? Optional.empty() : SessionAbout.read(store.get(hash));
    return about.map(
        found -> {
          TurnId key = store.ancestor(found.manifest(), 0);
          ManifestContext context = new ManifestContext(store, manifests, key);
          return new ArchivedSession(new HistoryVersions(context, found), found);
        });
  }

  /// The session of an agent with a key; empty if it was never imported.
  public static Optional<ArchivedSession> find(Store store, String agent, String key) {
    return HistoryVersions.find(store, agent, key)
        .filter(found -> found.newest() != null)
        .flatMap(found -> at(store, found.context().id()));
  }

  public SessionAbout about() {
    return about;
  }

  public HistoryManifest manifest() {
    return manifest;
  }

  HistoryVersions versions() {
    return versions;
  }

  /// The path of the transcript when it was archived; nothing need be there now.
  Path source() {
    return Path.of(manifest.home()).resolve(about.view().file());
  }

  /// The session, and before it those that it goes on from, root first.
  ///
  /// @throws StoreException.NotFound if one of them is not archived
  List<ArchivedSession> chain(Store store) {
    List<ArchivedSession> chain = new ArrayList<>();
    ArchivedSession at = this;
    while (true) {
      chain.addFirst(at);
      String base = at.about.base();
      if (base.isEmpty()) {
        return chain;
      }
      String agent = at.about.agent();
      at =
          find(store, agent, base)
              .orElseThrow(() -> new StoreException.NotFound(agent + " session", base));
      ArchivedSession next = at;
      if (chain.stream().anyMatch(each -> each.manifest.key().equals(next.manifest.key()))) {
        return chain; // a circle: a hostile pointer
      }
    }
  }
}
