// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.erase;

import dev.varve.ContextHold;
import dev.varve.ContextHolds;
import dev.varve.ContextId;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.session.TimeArgument;
import dev.varve.cli.terminal.Terminal;
import dev.varve.json.JsonLine;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `varve keep`
@Command(
    name = "keep",
    description = {
      "Holds a context: nothing that it needs is erased, by whatever rule.",
      "",
      "A hold ends with its time, or when it is released. An erasure that a hold is",
      "in the way of is refused, and names the hold."
    },
    footer = {
      "  varve keep --context 3 --until 2027-01-01 --reason audit",
      "  varve keep --context 3 --release",
      "  varve keep --list"
    })
final class KeepCommand implements Callable<Integer> {

  private final CommandSession command;

  @Option(names = "--context", paramLabel = "CONTEXT", description = "The number of the context.")
  private @Nullable ContextId context;

  @Option(
      names = "--until",
      paramLabel = "TIME",
      description = "When the hold ends: 2027-01-01. Without: when it is released.")
  private @Nullable String until;

  @Option(names = "--reason", paramLabel = "TEXT", description = "A line that says why.")
  private String reason = "";

  @Option(names = "--release", description = "Ends the hold of the context.")
  private boolean release;

  @Option(names = "--list", description = "Lists all holds.")
  private boolean list;

  @Mixin private final JsonOption output = new JsonOption();

  KeepCommand(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    ContextId chosen = context;
    boolean placing = chosen != null && !release;
    if (list == (chosen != null)
        || !placing && (until != null || !reason.isEmpty() || list && release)) {
      throw new CommandException(
          ExitCodes.USAGE,
          "keep: expected --context, --context with --release, or --list",
          "'varve keep --help' shows examples.");
    }
    try (Store store = command.openExisting()) {
      print(chosen == null ? store.holds().all() : List.of(change(store.holds(), chosen)));
    }
    return ExitCodes.OK;
  }

  private ContextHold change(ContextHolds holds, ContextId chosen) {
    if (release) {
      return holds
          .release(chosen)
          .orElseThrow(() -> new StoreException.NotFound("hold of context", chosen.toString()));
    }
    Instant end = until == null ? null : TimeArgument.parse("--until", until, command.terminal());
    return holds.hold(chosen, end, reason);
  }

  private void print(List<ContextHold> holds) {
    Terminal terminal = command.terminal();
    Instant now = terminal.clock().instant();
    for (ContextHold hold : holds) {
      boolean lasts = hold.lastsAt(now) && !release;
      if (output.json()) {
        new JsonLine()
            .id("context_id", hold.context())
            .time("since", hold.since())
            .text("until", hold.until() == null ? null : String.valueOf(hold.until()))
            .text("reason", hold.reason())
            .bool("lasts", lasts)
            .print(terminal);
      } else {
        terminal.println(hold.words() + (release ? ": released" : lasts ? "" : ": over"));
      }
    }
  }
}
