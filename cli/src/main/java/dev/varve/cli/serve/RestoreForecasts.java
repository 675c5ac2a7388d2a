// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.serve;

import dev.varve.Store;
import dev.varve.Turn;
import dev.varve.access.StoreAccess;
import dev.varve.json.JsonLine;
import dev.varve.rewind.folder.FolderRestore;
import dev.varve.rewind.stdio.RestoreJson;
import dev.varve.server.files.RestoreAdvice;
import java.time.InstantSource;
import java.util.Optional;

/// Plans of restores of the snapshots that Rewind keeps in the served store.
///
/// @param access the way to the store, which leads through the service itself
record RestoreForecasts(StoreAccess access, InstantSource clock) implements RestoreAdvice {

  private static final int PATHS_MAX = 2_000;

  @Override
  public Optional<String> plan(Store store, Turn turn) {
    return Optional.ofNullable(store.head(turn.context()).about())
        .flatMap(about -> FolderRestore.of(store.get(about), turn, access, clock))
        .map(RestoreForecasts::json);
  }

  private static String json(FolderRestore restore) {
    StringBuilder text = new StringBuilder();
    new JsonLine()
        .text("root", restore.root().toString())
        .text("snapshot", restore.plan().target().commit())
        .number("changes", restore.plan().changes())
        .text("size", restore.size().words())
        .number("path_count", restore.plan().paths().size())
        .objects(
            "paths",
            restore.plan().paths().stream().limit(PATHS_MAX).toList(),
            (line, path) -> RestoreJson.path(line, path, ""))
        .print(text::append);
    return text.toString();
  }
}
