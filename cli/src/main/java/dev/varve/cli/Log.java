// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.Store;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.TurnPage;
import dev.varve.View;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `varve log`
@Command(
    name = "log",
    description = "Shows the turns of a context, the newest first.",
    footer = {
      "  varve log                  the context that was active last",
      "  varve log 3 -n 50          the last 50 turns of context 3",
      "  varve log 3 --before 120   the 20 turns before turn 120",
      "  varve log 3 --graph        context 3 and its forks, drawn as a tree",
      "  varve log 3 --json | head  for programs: one JSON object a line"
    })
final class Log implements Callable<Integer> {

  private static final int HASH_DIGITS = 8;

  private final Varve varve;

  @Parameters(
      arity = "0..1",
      paramLabel = "CONTEXT",
      description = "Its number (default: the one that was active last).")
  private @Nullable ContextId context;

  @Option(names = "-n", paramLabel = "N", description = "How many (default: ${DEFAULT-VALUE}).")
  private int limit = 20;

  @Option(
      names = "--before",
      paramLabel = "TURN",
      description = "Only turns older than this one of the context.")
  private @Nullable TurnId before;

  @Option(names = "--graph", description = "Draws the context and all that share turns with it.")
  private boolean graph;

  @Mixin private final JsonOption output = new JsonOption();

  Log(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    Terminal terminal = varve.terminal();
    try (Store store = varve.openExisting()) {
      ContextHead head = context != null ? store.head(context) : lastActive(store);
      if (head.head().isNone()) {
        terminal.say("Context " + head.id() + " has no turns yet.");
        return ExitCodes.OK;
      }
      if (graph) {
        if (before != null || output.json()) {
          throw new Refusal(ExitCodes.USAGE, "--graph goes neither with --before nor --json", null);
        }
        Family.of(head, store).draw(store, limit, terminal);
        return ExitCodes.OK;
      }
      TurnPage page =
          before == null
              ? store.last(head.id(), limit, View.HEADERS)
              : store.before(head.id(), before, limit, View.HEADERS);
      print(page.turns().reversed(), store);
      if (page.nextCursor() != null) {
        terminal.say("Older turns: varve log " + head.id() + " --before " + page.nextCursor());
      }
    }
    return ExitCodes.OK;
  }

  private static ContextHead lastActive(Store store) {
    for (ContextHead context : new AllContexts(store, 10)) {
      if (!About.of(context, store).isBookkeeping()) {
        return context;
      }
    }
    throw new Refusal(ExitCodes.NOT_FOUND, "the store is empty", "'varve new' makes a context.");
  }

  private void print(List<Turn> turns, Store store) {
    Terminal terminal = varve.terminal();
    Table table = new Table(">turn", ">depth", "type", ">size", "hash", "written", "text");
    for (Turn turn : turns) {
      String text = Preview.of(turn, store);
      if (output.json()) {
        TurnJson.of(turn).text("text", text).print(terminal);
        continue;
      }
      table.row(
          turn.id().toString(),
          Words.number(turn.depth()),
          TurnJson.typeName(turn.type()),
          Words.size(turn.payloadSizeBytes()),
          turn.payloadHash().toString().substring(0, HASH_DIGITS),
          Words.minute(turn.createdAt(), terminal.zone()),
          text);
    }
    if (!output.json() && !turns.isEmpty()) {
      table.print(terminal);
    }
  }
}
