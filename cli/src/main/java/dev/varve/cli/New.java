// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.BlobHash;
import dev.varve.Store;
import dev.varve.TurnId;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `varve new`
@Command(
    name = "new",
    description = "Makes an empty context, and the store if there is none. Prints its number.",
    footer = {
      "  varve new --title 'Fix the build'",
      "  context=$(varve new); echo hello | varve append \"$context\" -"
    })
final class New implements Callable<Integer> {

  private final Varve varve;

  @Option(names = "--title", paramLabel = "TEXT", description = "What it is about.")
  private @Nullable String title;

  @Mixin private final JsonOption output = new JsonOption();

  New(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    try (Store store = varve.open()) {
      BlobHash about = title == null ? null : store.put(About.titled(title));
      ContextPrinter.printNew(store.createContext(TurnId.NONE, about), output, varve.terminal());
    }
    return ExitCodes.OK;
  }
}
