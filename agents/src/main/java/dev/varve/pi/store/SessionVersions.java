// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.store;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.TurnId;
import dev.varve.imports.ManifestContext;
import dev.varve.pi.session.SessionKey;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The versions of one session in a store, each with its manifest: the context's `about` describes
/// the newest version and leads to the one before.
///
/// @param context the session's
/// @param newest null until the first import is complete
record SessionVersions(ManifestContext context, PiAbout.@Nullable Whole newest) {

  static Optional<SessionVersions> find(Store store, SessionKey key) {
    return ManifestContext.find(store, key.payload()).map(SessionVersions::of);
  }

  static SessionVersions findOrCreate(Store store, SessionKey key) {
    return of(ManifestContext.findOrCreate(store, key.payload(), SessionKey.TYPE));
  }

  private static SessionVersions of(ManifestContext context) {
    return new SessionVersions(
        context, context.about().flatMap(SessionVersions::whole).orElse(null));
  }

  private static Optional<PiAbout.Whole> whole(Payload about) {
    return PiAbout.read(about)
        .flatMap(
            read -> read instanceof PiAbout.Whole whole ? Optional.of(whole) : Optional.empty());
  }

  /// Makes `about` the newest version. From now on its import counts.
  void add(PiAbout.Whole about) {
    context.describe(about.withPrevious(context.aboutHash().orElse(null)).payload());
  }

  /// Adds `about` behind the newest version, which stays the newest.
  void addOlder(PiAbout.Whole newestOne, PiAbout.Whole about) {
    BlobHash before = context.store().put(about.withPrevious(newestOne.previous()).payload());
    context.describe(newestOne.withPrevious(before).payload());
  }

  /// True if a manifest is the manifest of a version.
  boolean contains(TurnId manifest) {
    PiAbout.Whole at = newest;
    while (at != null) {
      if (at.manifest().equals(manifest)) {
        return true;
      }
      at = before(at);
    }
    return false;
  }

  /// The version before. A chain of hashes has no circles.
  private PiAbout.@Nullable Whole before(PiAbout.Whole whole) {
    BlobHash previous = whole.previous();
    return previous == null ? null : whole(context.store().get(previous)).orElse(null);
  }
}
