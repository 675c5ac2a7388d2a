// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.BlobHash;
import dev.varve.Store;
import dev.varve.TurnId;
import dev.varve.View;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `varve fork`
@Command(
    name = "fork",
    description = "Makes a context that goes on from a turn. Copies nothing. Prints its number.",
    footer = {"  varve fork 12", "  varve fork 12 --title 'Another way'"})
final class Fork implements Callable<Integer> {

  private final Varve varve;

  @Parameters(paramLabel = "TURN", description = "The turn that its history ends with.")
  private TurnId base = TurnId.NONE;

  @Option(names = "--title", paramLabel = "TEXT", description = "What it is about.")
  private @Nullable String title;

  @Mixin private final JsonOption output = new JsonOption();

  Fork(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    try (Store store = varve.openExisting()) {
      store.turn(base, View.HEADERS); // refused here, before the title is stored
      BlobHash about = title == null ? null : store.put(About.titled(title));
      ContextPrinter.printNew(store.createContext(base, about), output, varve.terminal());
    }
    return ExitCodes.OK;
  }
}
