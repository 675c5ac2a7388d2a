// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.store;

import dev.varve.ContextHead;
import dev.varve.Store;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `varve new`
@Command(
    name = "new",
    description =
        "Makes an empty context, and the store if there is none. Prints the context's number.",
    footer = {
      "  varve new --title 'Fix the build'",
      "  context=$(varve new); echo hello | varve append \"$context\" -"
    })
final class NewCommand implements Callable<Integer> {

  private final CommandSession command;

  @Option(names = "--title", paramLabel = "TEXT", description = "The title of the context.")
  private @Nullable String title;

  @Mixin private final JsonOption output = new JsonOption();

  NewCommand(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    try (Store store = command.open()) {
      ContextHead made = title == null ? store.createContext() : store.createContext(title);
      ContextPrinter.printNew(made, output, command.terminal());
    }
    return ExitCodes.OK;
  }
}
