// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.store;

import dev.varve.ContextHead;
import dev.varve.Store;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.CountArgument;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.SafeText;
import dev.varve.cli.terminal.Terminal;
import dev.varve.cli.terminal.TextTable;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `varve contexts`
@Command(
    name = "contexts",
    description = "Lists the contexts, the most recently active conversation first.",
    footer = {
      "  varve contexts                      the last 20",
      "  varve contexts --agent pi -n 5      the last 5 of Pi",
      "  varve contexts --project . --since 7d",
      "                                      of this folder, from the last week",
      "  varve contexts --all --json         every one, one JSON object a line, for programs"
    })
final class ContextsCommand implements Callable<Integer> {

  private static final int AGENT_COLUMNS = 11;
  private static final int PROJECT_COLUMNS = 13;

  private final CommandSession command;

  @Option(
      names = "-n",
      paramLabel = "N",
      converter = CountArgument.class,
      description = "The number of contexts to list (default: ${DEFAULT-VALUE}).")
  private int limit = 20;

  @Option(
      names = "--all",
      description = "Lists every context, also contexts with only the notes of an import.")
  private boolean all;

  @Mixin private final ContextFilter filter = new ContextFilter();

  @Mixin private final JsonOption output = new JsonOption();

  ContextsCommand(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    filter.prepare(command.terminal());
    RecentContexts contexts;
    try (Store store = command.openExisting()) {
      contexts =
          all ? RecentContexts.all(store, filter) : RecentContexts.find(store, limit, filter);
      if (output.json()) {
        contexts.found().forEach(found -> printJson(found, store));
      } else if (!contexts.found().isEmpty()) {
        print(contexts.found(), store);
      }
    }
    remark(contexts);
    return ExitCodes.OK;
  }

  private void remark(RecentContexts contexts) {
    Terminal terminal = command.terminal();
    if (contexts.incomplete()) {
      terminal.say(
          "Only the "
              + HumanText.count(RecentContexts.LOOKED_AT_MAX, "context")
              + " written last were looked at; --all looks at every context.");
    } else if (contexts.hasMore()) {
      terminal.say("There are more: -n N shows N contexts, --all shows every context.");
    } else if (contexts.found().isEmpty()) {
      terminal.say(
          filter.isGiven()
              ? "No context matches; 'varve contexts' without options lists the last 20."
              : "There are no contexts yet: 'varve new' makes a context, 'varve import' imports"
                  + " conversations.");
    }
  }

  private void printJson(RecentContexts.Found found, Store store) {
    ContextHead context = store.head(found.context());
    ContextDescription about = ContextDescription.of(context, store);
    ContextPrinter.json(context)
        .text("title", about.title())
        .text("kind", about.kind())
        .text("file", about.file())
        .text("agent", about.agent())
        .text("project", about.project())
        .text("folder", about.folder())
        .number("turns", turns(context))
        .time("conversation_active_at", found.activeAt())
        .print(command.terminal());
  }

  private void print(List<RecentContexts.Found> contexts, Store store) {
    Terminal terminal = command.terminal();
    TextTable table =
        new TextTable(">context", "last active", "agent", "project", ">turns", "title");
    for (RecentContexts.Found found : contexts) {
      ContextHead context = store.head(found.context());
      ContextDescription about = ContextDescription.of(context, store);
      table.row(
          context.id().toString(),
          HumanText.age(found.activeAt(), terminal.clock().instant()),
          SafeText.cut(SafeText.line(about.agent()), AGENT_COLUMNS),
          SafeText.cut(SafeText.line(about.project()), PROJECT_COLUMNS),
          HumanText.number(turns(context)),
          about.title().isEmpty() ? about.file() : about.title());
    }
    table.print(terminal);
  }

  private static long turns(ContextHead context) {
    return context.head().isNone() ? 0 : context.headDepth() + 1L;
  }
}
