// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import dev.varve.Store;
import dev.varve.server.contexts.ContextIndex;
import dev.varve.server.contexts.ContextViews;
import dev.varve.server.contexts.LiveSessions;
import dev.varve.server.contexts.TurnsView;
import dev.varve.server.files.FileViews;
import dev.varve.server.types.TypeRegistry;
import java.time.InstantSource;

/// What can be seen of a store besides its bytes: what payloads mean, what contexts say, which
/// files were there.
///
/// @param sessions who writes; hears of events, as `index` does
public record Views(
    TypeRegistry registry,
    LiveSessions sessions,
    ContextIndex index,
    ContextViews contexts,
    TurnsView turns,
    FileViews files) {

  /// All is read when somebody asks.
  public static Views of(Store store, TypeRegistry registry, InstantSource clock) {
    LiveSessions sessions = new LiveSessions();
    ContextIndex index = new ContextIndex(store);
    return new Views(
        registry,
        sessions,
        index,
        new ContextViews(store, index, sessions, clock),
        new TurnsView(store, registry),
        new FileViews(store));
  }
}
