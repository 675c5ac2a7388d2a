// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.stdio;

import dev.varve.git.RepoPath;
import dev.varve.json.JsonLine;
import dev.varve.rewind.Checkout;
import dev.varve.rewind.LeftOut;
import dev.varve.rewind.RepositoryDifference;
import dev.varve.rewind.Snapshot;
import dev.varve.rewind.SnapshotMetadata;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Snapshots for programs.
public final class SnapshotJson {

  private SnapshotJson() {}

  /// A snapshot as a line of its own.
  public static JsonLine line(Snapshot snapshot) {
    return fields(new JsonLine(), snapshot);
  }

  /// Adds the fields of a snapshot.
  public static JsonLine fields(JsonLine json, Snapshot snapshot) {
    json.text("snapshot", snapshot.commit())
        .text("tree", snapshot.tree())
        .time("at", snapshot.at())
        .text("worktree", snapshot.metadata().map(SnapshotMetadata::worktree).orElse(null))
        .text("note", snapshot.note());
    leftOut(json, snapshot);
    json.objects(
        "repositories",
        snapshot.metadata().map(SnapshotMetadata::inner).orElseGet(TreeMap::new).entrySet(),
        (line, entry) -> checkout(place(line, entry.getKey()), entry.getValue()));
    return json.objects(
        "empty_folders",
        snapshot
            .metadata()
            .flatMap(SnapshotMetadata::emptyFolders)
            .orElseGet(TreeMap::new)
            .entrySet(),
        (line, entry) -> place(line, entry.getKey().asFolder()).text("mode", entry.getValue()));
  }

  /// Adds the paths that a snapshot left out, with the reasons.
  ///
  /// @param snapshot null if no snapshot was taken: then the list is empty
  static JsonLine leftOut(JsonLine json, @Nullable Snapshot snapshot) {
    Set<Map.Entry<RepoPath, LeftOut>> leftOut =
        snapshot == null || snapshot.metadata().isEmpty()
            ? Set.of()
            : snapshot.metadata().get().leftOut().entrySet();
    return json.objects(
        "left_out",
        leftOut,
        (line, entry) ->
            place(line, entry.getKey())
                .text("why", entry.getValue().name().toLowerCase(Locale.ROOT)));
  }

  /// Adds the difference of a repository inside. A repository that is or was absent is null.
  static JsonLine difference(JsonLine json, RepositoryDifference difference) {
    place(json, difference.path());
    checkout(json, "then", difference.then());
    checkout(json, "now", difference.now());
    return json.text("words", difference.words());
  }

  private static JsonLine place(JsonLine line, RepoPath path) {
    return line.text("path", path.toString()).text("path_escaped", path.escaped());
  }

  private static JsonLine checkout(JsonLine line, Checkout checkout) {
    return line.text("branch", orNull(checkout.branch())).text("commit", orNull(checkout.commit()));
  }

  private static void checkout(JsonLine json, String name, @Nullable Checkout checkout) {
    if (checkout == null) {
      json.text(name, null);
    } else {
      json.object(name, line -> checkout(line, checkout));
    }
  }

  private static @Nullable String orNull(String text) {
    return text.isEmpty() ? null : text;
  }
}
