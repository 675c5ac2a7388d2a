// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.stdio;

import dev.varve.git.RepoPath;
import dev.varve.json.JsonLine;
import dev.varve.rewind.PathResult;
import dev.varve.rewind.PlannedPath;
import dev.varve.rewind.RestoreOutcome;
import dev.varve.rewind.RestorePlan;
import dev.varve.rewind.Rewind;
import java.util.Locale;

/// Plans of restores and their outcomes, for programs.
public final class RestoreJson {

  private RestoreJson() {}

  /// Writes a plan; its size in words only if the request asks for it, because lines have to be
  /// counted for it.
  static JsonLine plan(JsonLine answer, Rewind rewind, RestorePlan plan, RewindRequest request) {
    return answer
        .text("target", plan.target().commit())
        .number("changes", plan.changes())
        .text("size", request.has("size") ? rewind.size(plan).words() : null)
        .objects("paths", plan.paths(), (line, path) -> path(line, path, ""))
        .objects("repositories", plan.repositories(), SnapshotJson::difference);
  }

  static JsonLine outcome(JsonLine answer, RestoreOutcome outcome) {
    return answer
        .bool("exact", outcome.exact())
        .text("before", outcome.plan().now().commit())
        .text("after", outcome.after().commit())
        .number("changes", outcome.plan().changes())
        .objects(
            "paths",
            outcome.plan().paths(),
            (line, path) -> path(line, path, failure(outcome, path)));
  }

  /// Adds the fields of one planned path.
  ///
  /// @param failure the reason why the path is not as planned; empty if it is, or was not tried
  public static JsonLine path(JsonLine json, PlannedPath path, String failure) {
    RepoPath name = path.folder() ? path.path().asFolder() : path.path();
    return json.text("path", name.toString())
        .text("path_escaped", name.escaped())
        .text("action", path.action().name().toLowerCase(Locale.ROOT))
        .text("why", path.why())
        .bool("edited_since", path.editedSince())
        .text("failure", failure);
  }

  /// The reason why a path is not as it was planned; empty if it is as planned.
  public static String failure(RestoreOutcome outcome, PlannedPath path) {
    return outcome.failures().stream()
        .filter(result -> result.path().equals(path.path()))
        .map(PathResult::failure)
        .findFirst()
        .orElse(outcome.notExact().contains(path.path()) ? "is not as it was to be" : "");
  }
}
