// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.ContextHead;
import dev.varve.Limits;
import dev.varve.Store;
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

  /// So much of a title leaves room for the name of a file.
  private static final int TITLE_COLUMNS = 48;

  private final Varve varve;

  @Option(names = "-n", paramLabel = "N", description = "How many (default: ${DEFAULT-VALUE}).")
  private int limit = 20;

  @Option(
      names = "--all",
      description = "Every one, also those that only hold the notes of an import.")
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
    Table table = new Table(">context", ">head", ">depth", "last active", "", "title", "from");
    long shown = 0;
    boolean more = false;
    try (Store store = varve.openExisting()) {
      for (ContextHead context : new AllContexts(store, all ? Integer.MAX_VALUE : limit + 1)) {
        About about = About.of(context, store);
        if (about.isBookkeeping() && !all) {
          continue;
        }
        more = !all && shown == limit;
        if (more) {
          break;
        }
        print(context, about, table);
        shown++;
      }
    }
    if (!output.json() && shown > 0) {
      table.print(terminal);
    }
    if (shown == 0 && !more) {
      terminal.say(
          "There are no contexts yet: 'varve new' makes one, 'varve import' brings them in.");
    } else if (more) {
      terminal.say("There are more: -n N shows N of them, --all shows every one.");
    }
    return ExitCodes.OK;
  }

  private void print(ContextHead context, About about, Table table) {
    Terminal terminal = varve.terminal();
    if (output.json()) {
      ContextPrinter.json(context)
          .text("title", about.title())
          .text("kind", about.kind())
          .text("file", about.file())
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
        about.file().isEmpty()
            ? about.title()
            : SafeText.cut(SafeText.line(about.title()), TITLE_COLUMNS),
        about.file());
  }
}
