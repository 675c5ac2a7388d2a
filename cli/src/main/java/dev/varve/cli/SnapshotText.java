// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.checkpoint.Facts;
import dev.varve.checkpoint.LeftOut;
import dev.varve.checkpoint.Snapshot;
import dev.varve.git.RepoPath;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A snapshot for people and for programs.
final class SnapshotText {

  private static final int SHORT = 12;
  private static final int LEFT_OUT_TOLD = 10;

  private SnapshotText() {}

  static String name(Snapshot snapshot) {
    return snapshot.commit().substring(0, SHORT);
  }

  static JsonLine json(Snapshot snapshot) {
    return fields(new JsonLine(), snapshot);
  }

  static JsonLine fields(JsonLine json, Snapshot snapshot) {
    json.text("snapshot", snapshot.commit())
        .text("tree", snapshot.tree())
        .time("at", snapshot.at())
        .text("worktree", snapshot.facts().map(Facts::worktree).orElse(null))
        .text("note", snapshot.note());
    return leftOut(json, snapshot);
  }

  static JsonLine leftOut(JsonLine json, @Nullable Snapshot snapshot) {
    Set<Map.Entry<RepoPath, LeftOut>> leftOut =
        snapshot == null || snapshot.facts().isEmpty()
            ? Set.of()
            : snapshot.facts().get().leftOut().entrySet();
    return json.objects(
        "left_out",
        leftOut,
        (line, entry) ->
            line.text("path", entry.getKey().toString())
                .text("path_escaped", entry.getKey().escaped())
                .text("why", entry.getValue().name().toLowerCase(Locale.ROOT)));
  }

  /// What is there and not in the snapshot, said so that nobody relies on it.
  static void tellLeftOut(Snapshot snapshot, Terminal terminal) {
    snapshot
        .facts()
        .ifPresent(
            facts -> {
              facts.leftOut().entrySet().stream()
                  .limit(LEFT_OUT_TOLD)
                  .forEach(
                      entry ->
                          terminal.say(
                              "not captured: "
                                  + entry.getKey()
                                  + " ("
                                  + entry.getValue().words()
                                  + ")"));
              int more = facts.leftOut().size() - LEFT_OUT_TOLD;
              if (more > 0) {
                terminal.say("not captured: " + Words.count(more, "more path"));
              }
            });
  }
}
