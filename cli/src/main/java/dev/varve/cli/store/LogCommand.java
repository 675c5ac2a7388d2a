// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.store;

import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.Store;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.TurnPage;
import dev.varve.View;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.CountArgument;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.Terminal;
import dev.varve.cli.terminal.TextTable;
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
final class LogCommand implements Callable<Integer> {

  private static final int HASH_DIGITS = 8;

  private final CommandSession command;

  @Parameters(
      arity = "0..1",
      paramLabel = "CONTEXT",
      description = "The number of the context (default: the context that was active last).")
  private @Nullable ContextId context;

  @Option(
      names = "-n",
      paramLabel = "N",
      converter = CountArgument.class,
      description = "The number of turns to show (default: ${DEFAULT-VALUE}).")
  private int limit = 20;

  @Option(
      names = "--before",
      paramLabel = "TURN",
      description = "Only turns before this turn of the context.")
  private @Nullable TurnId before;

  @Option(
      names = "--graph",
      description = "Draws the context and all contexts that share turns with it.")
  private boolean graph;

  @Mixin private final JsonOption output = new JsonOption();

  LogCommand(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    try (Store store = command.openExisting()) {
      ContextHead head = context != null ? store.head(context) : lastActive(store);
      if (head.head().isNone()) {
        terminal.say("Context " + head.id() + " has no turns yet.");
        return ExitCodes.OK;
      }
      if (graph) {
        if (before != null || output.json()) {
          throw new CommandException(
              ExitCodes.USAGE, "--graph goes neither with --before nor --json", null);
        }
        RelatedContexts.of(head, store).draw(store, limit, terminal);
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
    List<RecentContexts.Found> newest = RecentContexts.find(store, 1, new ContextFilter()).found();
    if (!newest.isEmpty()) {
      return store.head(newest.getFirst().context());
    }
    throw new CommandException(
        ExitCodes.NOT_FOUND, "the store is empty", "'varve new' makes a context.");
  }

  private void print(List<Turn> turns, Store store) {
    Terminal terminal = command.terminal();
    TextTable table = new TextTable(">turn", ">depth", "type", ">size", "hash", "written", "text");
    for (Turn turn : turns) {
      String text = TurnPreview.of(turn, store);
      if (output.json()) {
        TurnJson.of(turn).text("text", text).print(terminal);
        continue;
      }
      table.row(
          turn.id().toString(),
          HumanText.number(turn.depth()),
          TurnJson.typeName(turn.type()),
          HumanText.size(turn.payloadSizeBytes()),
          turn.payloadHash().toString().substring(0, HASH_DIGITS),
          HumanText.minute(turn.createdAt(), terminal.zone()),
          text);
    }
    if (!output.json() && !turns.isEmpty()) {
      table.print(terminal);
    }
  }
}
