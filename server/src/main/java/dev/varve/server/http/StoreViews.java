// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import dev.varve.Store;
import dev.varve.server.contexts.BranchViews;
import dev.varve.server.contexts.ContextIndex;
import dev.varve.server.contexts.ContextViews;
import dev.varve.server.contexts.LiveSessions;
import dev.varve.server.contexts.TurnsView;
import dev.varve.server.files.FileRestores;
import dev.varve.server.files.FileViews;
import dev.varve.server.search.LiveSearch;
import dev.varve.server.surveys.StoreSurveys;
import dev.varve.server.types.TypeRegistry;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/// The derived views of a store: the meaning of payloads, the metadata of contexts, the files of
/// turns and the surveys.
///
/// @param sessions the clients that write; must receive the events, as must `index` and `search`
/// @param search null if turns cannot be found by their words here
public record StoreViews(
    TypeRegistry registry,
    LiveSessions sessions,
    ContextIndex index,
    ContextViews contexts,
    BranchViews branches,
    TurnsView turns,
    FileViews files,
    @Nullable LiveSearch search,
    StoreSurveys surveys) {

  /// Views that read the store when a client asks.
  ///
  /// @param index of the same store
  public static StoreViews of(
      Store store,
      TypeRegistry registry,
      ContextIndex index,
      @Nullable LiveSearch search,
      InstantSource clock) {
    return of(store, registry, index, search, clock, FileRestores.NONE);
  }

  /// The same, with restores on this machine.
  public static StoreViews of(
      Store store,
      TypeRegistry registry,
      ContextIndex index,
      @Nullable LiveSearch search,
      InstantSource clock,
      FileRestores restores) {
    LiveSessions sessions = new LiveSessions();
    return new StoreViews(
        registry,
        sessions,
        index,
        new ContextViews(store, index, sessions, clock),
        new BranchViews(store, index, sessions),
        new TurnsView(store, registry),
        new FileViews(store, restores),
        search,
        StoreSurveys.of(store, index, clock));
  }
}
