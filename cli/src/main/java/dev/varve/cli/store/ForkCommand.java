// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.store;

import dev.varve.BlobHash;
import dev.varve.ContextTitle;
import dev.varve.Store;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `varve fork`
@Command(
    name = "fork",
    description =
        "Makes a context that goes on from a turn. Copies nothing. Prints the context's number.",
    footer = {"  varve fork 12", "  varve fork 12 --title 'Another way'"})
final class ForkCommand implements Callable<Integer> {

  private final CommandSession command;

  @Parameters(paramLabel = "TURN", description = "The last turn of the new context's history.")
  private TurnId base = TurnId.NONE;

  @Option(names = "--title", paramLabel = "TEXT", description = "The title of the context.")
  private @Nullable String title;

  @Mixin private final JsonOption output = new JsonOption();

  ForkCommand(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    try (Store store = command.openExisting()) {
      store.turn(base, View.HEADERS); // refused here, before the title is stored
      BlobHash about = title == null ? null : store.put(new ContextTitle(title).about());
      ContextPrinter.printNew(store.createContext(base, about), output, command.terminal());
    }
    return ExitCodes.OK;
  }
}
