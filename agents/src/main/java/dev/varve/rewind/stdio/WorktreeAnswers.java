// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.stdio;

import dev.varve.StoreException;
import dev.varve.git.RepoPath;
import dev.varve.json.JsonLine;
import dev.varve.rewind.PathSelection;
import dev.varve.rewind.RestoreOutcome;
import dev.varve.rewind.RestorePlan;
import dev.varve.rewind.Rewind;
import dev.varve.rewind.Snapshot;
import dev.varve.rewind.UnfinishedRestore;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Answers to the requests about a worktree. [SessionAnswers] answers those about a session.
final class WorktreeAnswers {

  private static final int TRIES = 3;

  private WorktreeAnswers() {}

  static JsonLine answer(JsonLine answer, Rewind rewind, RewindRequest request) {
    return switch (request.act()) {
      case "hello" -> answer.text("root", rewind.root().toString()).number("protocol", 2);
      case "capture" -> SnapshotJson.fields(answer, rewind.capture(request.text("note", "")));
      case "look" -> SnapshotJson.fields(answer, rewind.look());
      case "show" -> SnapshotJson.fields(answer, rewind.snapshot(request.demandText("snapshot")));
      case "list" -> list(answer, rewind.snapshots(), request);
      case "plan" -> RestoreJson.plan(answer, rewind, planning(rewind, request).get(), request);
      case "plan_undo" -> RestoreJson.plan(answer, rewind, rewind.planUndo(), request);
      case "plan_redo" -> RestoreJson.plan(answer, rewind, rewind.planRedo(), request);
      case "restore" -> done(answer, rewind, planning(rewind, request), rewind::restore);
      case "undo" -> done(answer, rewind, rewind::planUndo, rewind::undo);
      case "redo" -> done(answer, rewind, rewind::planRedo, rewind::redo);
      case "begun" -> begun(answer, rewind.begun());
      case "finish" -> RestoreJson.outcome(answer, rewind.finish());
      case "roll_back" -> RestoreJson.outcome(answer, rewind.rollBack());
      default -> throw new StoreException.Invalid("do", "there is no '" + request.act() + "'");
    };
  }

  private static JsonLine list(JsonLine answer, List<Snapshot> all, RewindRequest request) {
    return answer
        .number("count", all.size())
        .objects("snapshots", all.stream().limit(request.limit()).toList(), SnapshotJson::fields);
  }

  private static Supplier<RestorePlan> planning(Rewind rewind, RewindRequest request) {
    Snapshot target = rewind.snapshot(request.demandText("snapshot"));
    List<RepoPath> paths =
        Stream.concat(
                request.list("paths").stream().map(RepoPath::of),
                request.list("paths_escaped").stream().map(RepoPath::parse))
            .toList();
    boolean all =
        !request.lists().containsKey("paths") && !request.lists().containsKey("paths_escaped");
    PathSelection selection = all ? new PathSelection.Everything() : new PathSelection.Below(paths);
    return () -> {
      RestorePlan plan = rewind.plan(target, selection);
      return request.has("keep_edits") ? plan.keepingEdits() : plan;
    };
  }

  private static JsonLine done(
      JsonLine answer,
      Rewind rewind,
      Supplier<RestorePlan> planning,
      Function<RestorePlan, RestoreOutcome> doing) {
    for (int i = 1; ; i++) {
      try {
        RestorePlan plan = planning.get();
        return RestoreJson.outcome(answer, doing.apply(i == TRIES ? plan.leavingMoved() : plan));
      } catch (StoreException.Conflict e) {
        if (i == TRIES || rewind.begun() != null) {
          throw e;
        }
      }
    }
  }

  private static JsonLine begun(JsonLine answer, @Nullable UnfinishedRestore begun) {
    return begun == null
        ? answer.text("kind", null).text("from", null).text("to", null).number("path_count", 0)
        : answer
            .text("kind", begun.kind())
            .text("from", begun.from())
            .text("to", begun.to())
            .number("path_count", begun.paths());
  }

  /// Adds a field that describes a restore that broke off; null if none did.
  static JsonLine begun(JsonLine answer, String name, @Nullable UnfinishedRestore begun) {
    return begun == null
        ? answer.text(name, null)
        : answer.object(name, line -> begun(line, begun));
  }
}
