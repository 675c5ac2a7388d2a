// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.StoreException;
import dev.varve.checkpoint.Outcome;
import dev.varve.checkpoint.Plan;
import dev.varve.checkpoint.Rewind;
import dev.varve.checkpoint.Selection;
import dev.varve.checkpoint.Snapshot;
import dev.varve.git.RepoPath;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What `varve rewind serve` answers about a worktree. The requests about a session are in
/// [SessionAnswers].
final class WorktreeAnswers {

  private static final int TRIES = 3;

  private WorktreeAnswers() {}

  static JsonLine answer(JsonLine answer, Rewind rewind, RewindRequest request) {
    return switch (request.act()) {
      case "hello" -> answer.text("root", rewind.root().toString()).number("protocol", 2);
      case "capture" -> SnapshotText.fields(answer, rewind.capture(request.text("note", "")));
      case "look" -> SnapshotText.fields(answer, rewind.look());
      case "show" -> SnapshotText.fields(answer, rewind.snapshot(request.demandText("snapshot")));
      case "list" -> list(answer, rewind.snapshots(), request);
      case "plan" -> plan(answer, planning(rewind, request).get());
      case "plan_undo" -> plan(answer, rewind.planUndo());
      case "plan_redo" -> plan(answer, rewind.planRedo());
      case "restore" -> done(answer, rewind, planning(rewind, request), rewind::restore);
      case "undo" -> done(answer, rewind, rewind::planUndo, rewind::undo);
      case "redo" -> done(answer, rewind, rewind::planRedo, rewind::redo);
      case "begun" -> begun(answer, rewind.begun());
      case "finish" -> outcome(answer, rewind.finish());
      case "roll_back" -> outcome(answer, rewind.rollBack());
      default ->
          throw new Refusal(ExitCodes.USAGE, "do: there is no '" + request.act() + "'", null);
    };
  }

  private static JsonLine list(JsonLine answer, List<Snapshot> all, RewindRequest request) {
    return answer
        .number("count", all.size())
        .objects("snapshots", all.stream().limit(limit(request)).toList(), SnapshotText::fields);
  }

  static int limit(RewindRequest request) {
    try {
      return Integer.parseUnsignedInt(request.text("limit", "100"));
    } catch (NumberFormatException e) {
      throw new Refusal(ExitCodes.USAGE, request.act() + ": expected a number as 'limit'", null);
    }
  }

  private static Supplier<Plan> planning(Rewind rewind, RewindRequest request) {
    Snapshot target = rewind.snapshot(request.demandText("snapshot"));
    List<RepoPath> paths =
        Stream.concat(
                request.list("paths").stream().map(RepoPath::of),
                request.list("paths_escaped").stream().map(RepoPath::parse))
            .toList();
    boolean all =
        !request.lists().containsKey("paths") && !request.lists().containsKey("paths_escaped");
    Selection selection = all ? new Selection.Everything() : new Selection.Below(paths);
    return () -> {
      Plan plan = rewind.plan(target, selection);
      return request.has("keep_edits") ? plan.keepingEdits() : plan;
    };
  }

  static JsonLine plan(JsonLine answer, Plan plan) {
    return answer
        .text("target", plan.target().commit())
        .number("changes", plan.changes())
        .objects("paths", plan.paths(), (line, path) -> Restoring.fields(line, path, ""))
        .objects("repositories", plan.repositories(), SnapshotText::fields);
  }

  private static JsonLine done(
      JsonLine answer, Rewind rewind, Supplier<Plan> planning, Function<Plan, Outcome> doing) {
    for (int i = 1; ; i++) {
      try {
        Plan plan = planning.get();
        return outcome(answer, doing.apply(i == TRIES ? plan.leavingMoved() : plan));
      } catch (StoreException.Conflict e) {
        if (i == TRIES || rewind.begun() != null) {
          throw e;
        }
      }
    }
  }

  static JsonLine outcome(JsonLine answer, Outcome outcome) {
    return answer
        .bool("exact", outcome.exact())
        .text("before", outcome.plan().now().commit())
        .text("after", outcome.after().commit())
        .number("changes", outcome.plan().changes())
        .objects(
            "paths",
            outcome.plan().paths(),
            (line, path) -> Restoring.fields(line, path, Restoring.failure(outcome, path)));
  }

  private static JsonLine begun(JsonLine answer, Rewind.@Nullable Begun begun) {
    return begun == null
        ? answer.text("kind", null).text("from", null).text("to", null).number("path_count", 0)
        : answer
            .text("kind", begun.kind())
            .text("from", begun.from())
            .text("to", begun.to())
            .number("path_count", begun.paths());
  }

  /// As a field: null if there is none.
  static JsonLine begun(JsonLine answer, String name, Rewind.@Nullable Begun begun) {
    return begun == null
        ? answer.text(name, null)
        : answer.object(name, line -> begun(line, begun));
  }
}
