// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.serve;

import dev.varve.BlobHash;
import dev.varve.Store;
import dev.varve.Turn;
import dev.varve.access.StoreAccess;
import dev.varve.git.RepoPath;
import dev.varve.json.JsonLine;
import dev.varve.rewind.RestoreOutcome;
import dev.varve.rewind.folder.FolderRestore;
import dev.varve.rewind.stdio.RestoreJson;
import dev.varve.server.files.FileRestores;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Restores of the snapshots that Rewind keeps in the served store.
///
/// @param access the way to the store, which leads through the service itself
/// @param areCarriedOut whether the owner of the service allowed more than plans
record FolderRestores(StoreAccess access, InstantSource clock, boolean areCarriedOut)
    implements FileRestores {

  private static final int PATHS_MAX = 2_000;

  @Override
  public Optional<String> plan(Store store, Turn turn, Kind kind) {
    return planned(store, turn, kind).map(this::json);
  }

  @Override
  public Optional<String> carryOut(Store store, Turn turn, Kind kind, BlobHash agreed) {
    return planned(store, turn, kind).map(restore -> json(restore, restore.carryOut(agreed)));
  }

  private Optional<FolderRestore> planned(Store store, Turn turn, Kind kind) {
    return Optional.ofNullable(store.head(turn.context()).about())
        .map(store::get)
        .flatMap(
            about ->
                switch (kind) {
                  case RESTORE -> FolderRestore.of(about, turn, access, clock);
                  case UNDO -> FolderRestore.undo(about, turn, access, clock);
                });
  }

  private String json(FolderRestore restore) {
    StringBuilder text = new StringBuilder();
    Map<RepoPath, FolderRestore.PathContent> contents = restore.contents();
    new JsonLine()
        .text("root", restore.root().toString())
        .hash("plan_digest", restore.digest())
        .bool("is_allowed", areCarriedOut)
        .text("snapshot", restore.plan().target().commit())
        .number("changes", restore.plan().changes())
        .text("size", restore.size().words())
        .number("path_count", restore.plan().paths().size())
        .objects(
            "paths",
            restore.plan().paths().stream().limit(PATHS_MAX).toList(),
            (line, path) -> content(RestoreJson.path(line, path, ""), contents.get(path.path())))
        .print(text::append);
    return text.toString();
  }

  private static void content(JsonLine line, FolderRestore.@Nullable PathContent content) {
    line.hash("content_now", content == null ? null : content.now())
        .hash("content_then", content == null ? null : content.then());
  }

  private static String json(FolderRestore restore, RestoreOutcome outcome) {
    StringBuilder text = new StringBuilder();
    JsonLine line =
        new JsonLine()
            .text("root", restore.root().toString())
            .text("snapshot", outcome.plan().target().commit())
            .number("changes", outcome.plan().changes());
    RestoreJson.failures(line, outcome, PATHS_MAX).print(text::append);
    return text.toString();
  }
}
