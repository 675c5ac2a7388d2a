// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.store;

import dev.varve.BlobHash;
import dev.varve.Store;
import dev.varve.cli.session.CommandInput;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.CountedInput;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.ProgressIndicator;
import dev.varve.cli.terminal.Terminal;
import dev.varve.json.JsonLine;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `varve put`
@Command(
    name = "put",
    description = {
      "Stores a blob of up to 4 GiB, and makes the store if there is none. Prints the blob's hash.",
      "",
      "A blob of more than 64 KiB is kept in chunks, each chunk once: a later version of a file"
          + " takes little more space than its new parts."
    },
    footer = {"  varve put picture.png", "  git diff | varve put", "  varve put session.jsonl"})
final class PutCommand implements Callable<Integer> {

  private final CommandSession command;

  @Parameters(arity = "0..1", paramLabel = "FILE", description = "- or none: standard input.")
  private String file = "-";

  @Mixin private final JsonOption output = new JsonOption();

  PutCommand(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    return CommandInput.stream(file, command.terminal(), this::put);
  }

  private int put(InputStream in) throws IOException {
    Terminal terminal = command.terminal();
    CountedInput counted = new CountedInput(in);
    try (Store store = command.open()) {
      BlobHash hash;
      try (ProgressIndicator _ = waiting(counted, terminal)) {
        hash = store.put(counted, null);
      }
      if (output.json()) {
        new JsonLine().hash("hash", hash).number("size_bytes", counted.sizeBytes()).print(terminal);
      } else {
        terminal.println(hash.toString());
      }
    }
    return ExitCodes.OK;
  }

  private @Nullable ProgressIndicator waiting(CountedInput counted, Terminal terminal) {
    return CommandInput.isTyped(file, terminal)
        ? null
        : ProgressIndicator.on(() -> HumanText.size(counted.sizeBytes()) + " read", terminal);
  }
}
