// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.checkpoint.Checkout;
import dev.varve.checkpoint.Facts;
import dev.varve.checkpoint.LeftOut;
import dev.varve.checkpoint.Plan;
import dev.varve.checkpoint.RepositoryDifference;
import dev.varve.checkpoint.Snapshot;
import dev.varve.git.RepoPath;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
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
    leftOut(json, snapshot);
    json.objects(
        "repositories",
        snapshot.facts().map(Facts::inner).orElseGet(TreeMap::new).entrySet(),
        (line, entry) -> checkout(place(line, entry.getKey()), entry.getValue()));
    return json.objects(
        "empty_folders",
        snapshot.facts().flatMap(Facts::emptyFolders).orElseGet(TreeMap::new).entrySet(),
        (line, entry) -> place(line, entry.getKey().asFolder()).text("mode", entry.getValue()));
  }

  private static JsonLine place(JsonLine line, RepoPath path) {
    return line.text("path", path.toString()).text("path_escaped", path.escaped());
  }

  private static JsonLine checkout(JsonLine line, Checkout checkout) {
    return line.text("branch", orNull(checkout.branch())).text("commit", orNull(checkout.commit()));
  }

  private static @Nullable String orNull(String text) {
    return text.isEmpty() ? null : text;
  }

  /// `null` stands for a repository that is or was not there.
  static JsonLine fields(JsonLine json, RepositoryDifference difference) {
    place(json, difference.path());
    checkout(json, "then", difference.then());
    checkout(json, "now", difference.now());
    return json.text("words", difference.words());
  }

  private static void checkout(JsonLine json, String name, @Nullable Checkout checkout) {
    if (checkout == null) {
      json.text(name, null);
    } else {
      json.object(name, line -> checkout(line, checkout));
    }
  }

  /// What a restore leaves as it is.
  static void tellRepositories(Plan plan, Terminal terminal) {
    plan.repositories()
        .forEach(each -> terminal.say("repository " + each.path() + " " + each.words()));
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
            place(line, entry.getKey())
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
