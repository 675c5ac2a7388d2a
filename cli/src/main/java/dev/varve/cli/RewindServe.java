// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.varve.StoreException;
import dev.varve.checkpoint.Outcome;
import dev.varve.checkpoint.Plan;
import dev.varve.checkpoint.Rewind;
import dev.varve.checkpoint.Selection;
import dev.varve.checkpoint.Snapshot;
import dev.varve.git.RepoPath;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `varve rewind serve`
@Command(
    name = "serve",
    description = {
      "Answers requests about a worktree, one JSON object a line on standard input, until it ends.",
      "",
      "For agents and their extensions: one process that stays is quicker than one a request. What"
          + " can be asked is told in docs/stdio.md."
    },
    footer = {
      "  varve rewind serve",
      "  echo '{\"id\":\"1\",\"do\":\"capture\"}' | varve rewind serve"
    })
final class RewindServe implements Callable<Integer> {

  private static final int LINE_BYTES_MAX = 4 << 20;
  private static final int TRIES = 3;

  private final Varve varve;

  @Mixin private final WorktreeOption worktree = new WorktreeOption();

  RewindServe(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() throws IOException {
    Terminal terminal = varve.terminal();
    Rewind rewind = worktree.open(terminal);
    try (InputStream in = new BufferedInputStream(terminal.in())) {
      for (String line = line(in); line != null; line = line(in)) {
        if (!line.isBlank()) {
          answer(rewind, line).print(terminal);
          terminal.flush();
        }
      }
    }
    return ExitCodes.OK;
  }

  /// Up to the line end; null at the end of input. A line that is too long cannot be answered: its
  /// end is not known.
  private static @Nullable String line(InputStream in)
      throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    int b = in.read();
    for (; b >= 0 && b != '\n'; b = in.read()) {
      if (line.size() == LINE_BYTES_MAX) {
        throw new Refusal(ExitCodes.USAGE, "a request of more than 4 MiB", null);
      }
      line.write(b);
    }
    return b < 0 && line.size() == 0 ? null : line.toString(UTF_8);
  }

  private static JsonLine answer(Rewind rewind, String line) {
    String id = "";
    try {
      RewindRequest request = RewindRequest.parse(line);
      id = request.id();
      return answer(rewind, request);
    } catch (Refusal e) {
      return refused(id, e.status(), e.getMessage());
    } catch (StoreException e) {
      return refused(id, ExitCodes.of(e), e.getMessage());
    } catch (RuntimeException e) {
      return refused(id, ExitCodes.INTERNAL, "a mistake in Varve: " + e);
    }
  }

  private static JsonLine refused(
      String id, int status, @Nullable String why) {
    return new JsonLine().text("id", id).bool("ok", false).number("status", status).text("error", why);
  }

  private static JsonLine answer(Rewind rewind, RewindRequest request) {
    JsonLine answer = new JsonLine().text("id", request.id()).bool("ok", true);
    return switch (request.act()) {
      case "hello" -> answer.text("root", rewind.root().toString()).number("protocol", 1);
      case "capture" ->
          SnapshotText.fields(answer, rewind.capture(request.text("note", "")));
      case "look" -> SnapshotText.fields(answer, rewind.look());
      case "show" ->
          SnapshotText.fields(answer, rewind.snapshot(request.demandText("snapshot")));
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
    int limit;
    try {
      limit = Integer.parseUnsignedInt(request.text("limit", "100"));
    } catch (NumberFormatException e) {
      throw new Refusal(ExitCodes.USAGE, "list: expected a number as 'limit'", null);
    }
    return answer
        .number("count", all.size())
        .objects("snapshots", all.stream().limit(limit).toList(), SnapshotText::fields);
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

  private static JsonLine plan(JsonLine answer, Plan plan) {
    return answer
        .text("target", plan.target().commit())
        .number("changes", plan.changes())
        .objects(
            "paths", plan.paths(), (line, path) -> Restoring.fields(line, path, ""));
  }

  private static JsonLine done(
      JsonLine answer, Rewind rewind, Supplier<Plan> planning, Function<Plan, Outcome> doing) {
    for (int i = 1; ; i++) {
      try {
        return outcome(answer, doing.apply(planning.get()));
      } catch (StoreException.Conflict e) {
        if (i == TRIES || rewind.begun() != null) {
          throw e;
        }
      }
    }
  }

  private static JsonLine outcome(JsonLine answer, Outcome outcome) {
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
}
