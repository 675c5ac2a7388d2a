// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import dev.varve.BlobHash;
import dev.varve.Store;
import dev.varve.imports.ManifestContext;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The versions of one session in a store: the context's `about` describes the newest version and
/// leads to the one before.
///
/// @param context the session's
/// @param newest null until the first import is complete
record HistoryVersions(ManifestContext context, @Nullable SessionAbout newest) {

  static Optional<HistoryVersions> find(Store store, String agent, String key) {
    return SessionKeys.find(store, agent, key).map(HistoryVersions::of);
  }

  static HistoryVersions findOrCreate(Store store, String agent, String key) {
    return of(SessionKeys.findOrCreate(store, agent, key));
  }

  static HistoryVersions of(ManifestContext context) {
    return new HistoryVersions(context, context.about().flatMap(SessionAbout::read).orElse(null));
  }

  /// The manifest of the newest version.
  Optional<HistoryManifest> newestManifest() {
    return newest == null
        ? Optional.empty()
        : Optional.of(HistoryManifest.get(context.store(), newest.manifest()));
  }

  /// Makes `about` the newest version. From now on its import counts.
  void add(SessionAbout about) {
    BlobHash before = context.aboutHash().orElse(null);
    context.describe(about.withPrevious(before).payload());
  }

  /// Puts `about` in the place of the newest version, whose bytes it has.
  void replace(SessionAbout about) {
    SessionAbout old = newest;
    context.describe(about.withPrevious(old == null ? null : old.previous()).payload());
  }
}
