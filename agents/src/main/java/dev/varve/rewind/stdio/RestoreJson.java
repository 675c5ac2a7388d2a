// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.stdio;

import dev.varve.git.RepoPath;
import dev.varve.json.JsonLine;
import dev.varve.rewind.PlannedPath;
import dev.varve.rewind.RestoreOutcome;
import dev.varve.rewind.RestorePlan;
import dev.varve.rewind.Rewind;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

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
    Map<RepoPath, String> failures = failures(outcome);
    return answer
        .bool("exact", outcome.exact())
        .text("before", outcome.plan().now().commit())
        .text("after", outcome.after().commit())
        .number("changes", outcome.plan().changes())
        .objects(
            "paths",
            outcome.plan().paths(),
            (line, path) -> path(line, path, failures.getOrDefault(path.path(), "")));
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

  /// Adds the number of the paths that are not as they were planned, and some of these paths.
  ///
  /// @param pathsMax the most paths that are listed
  public static JsonLine failures(JsonLine json, RestoreOutcome outcome, int pathsMax) {
    SortedMap<RepoPath, String> failures = failures(outcome);
    return json.number("failure_count", failures.size())
        .objects(
            "failures",
            failures.entrySet().stream().limit(pathsMax).toList(),
            (line, failed) ->
                line.text("path", failed.getKey().toString())
                    .text("path_escaped", failed.getKey().escaped())
                    .text("failure", failed.getValue()));
  }

  /// The paths that are not as they were planned, in the order of their bytes, each with the
  /// reason.
  public static SortedMap<RepoPath, String> failures(RestoreOutcome outcome) {
    SortedMap<RepoPath, String> failures = new TreeMap<>();
    outcome.notExact().forEach(path -> failures.put(path, "is not as it was to be"));
    outcome.failures().forEach(result -> failures.put(result.path(), result.failure()));
    return failures;
  }
}
