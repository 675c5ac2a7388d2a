// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.Limits;
import dev.varve.Store;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `varve contexts`
@Command(
    name = "contexts",
    description = "Lists the contexts, the most recently active first.",
    footer = {
      "  varve contexts                 the last 20",
      "  varve contexts --all           every one",
      "  varve contexts --all --json    one JSON object a line, for programs"
    })
final class Contexts implements Callable<Integer> {

  private static final int PAGE = 1_000;

  private final Varve varve;

  @Option(names = "-n", paramLabel = "N", description = "How many (default: ${DEFAULT-VALUE}).")
  private int limit = 20;

  @Option(names = "--all", description = "All of them.")
  private boolean all;

  @Mixin private final JsonOption output = new JsonOption();

  Contexts(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    if (!all) {
      Limits.DEFAULTS.checkPage(limit);
    }
    Terminal terminal = varve.terminal();
    Table table = new Table(">context", ">head", ">depth", "last active", "", "title");
    long shown = 0;
    boolean more;
    try (Store store = varve.openExisting()) {
      ContextId after = null;
      List<ContextHead> page;
      do {
        page = store.contexts(after, pageSize(shown));
        for (ContextHead context : page) {
          print(context, store, table);
          after = context.id();
          shown++;
        }
      } while (!page.isEmpty() && pageSize(shown) > 0);
      more = !all && !page.isEmpty() && !store.contexts(after, 1).isEmpty();
    }
    if (!output.json() && shown > 0) {
      table.print(terminal);
    }
    if (shown == 0 && limit > 0) {
      terminal.say("The store is empty.");
    } else if (more && terminal.errIsTerminal()) {
      terminal.say("There are more: --all shows them.");
    }
    return ExitCodes.OK;
  }

  private int pageSize(long shown) {
    return all ? PAGE : (int) Math.min(PAGE, Math.max(0, limit - shown));
  }

  private void print(ContextHead context, Store store, Table table) {
    Terminal terminal = varve.terminal();
    String title = About.title(context, store);
    if (output.json()) {
      ContextPrinter.json(context)
          .text("title", title)
          .print(terminal);
      return;
    }
    boolean empty = context.head().isNone();
    table.row(
        context.id().toString(),
        empty ? "-" : context.head().toString(),
        empty ? "-" : Words.number(context.headDepth()),
        Words.age(context.activeAt(), terminal.clock().instant()),
        Words.minute(context.activeAt(), terminal.zone()),
        title);
  }
}
