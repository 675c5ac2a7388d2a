// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.erase;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.access.DatabaseStore;
import dev.varve.cli.session.CommandInput;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.Terminal;
import dev.varve.json.JsonLine;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `varve readmit`
@Command(
    name = "readmit",
    description = {
      "Takes content back that was erased, on purpose.",
      "",
      "Puts the content, and lets later writers put it. Prints the blob's hash. No",
      "service may have the store meanwhile."
    },
    footer = {"  printf continue | varve readmit", "  varve readmit picture.png"})
final class ReadmitCommand implements Callable<Integer> {

  private final CommandSession command;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "FILE",
      description = "The content; - or none: standard input.")
  private String file = "-";

  @Mixin private final JsonOption output = new JsonOption();

  ReadmitCommand(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    Payload content = CommandInput.read(file, terminal);
    readmit(content);
    BlobHash hash;
    try (Store store = command.openExisting()) {
      hash = store.put(content);
    }
    if (output.json()) {
      new JsonLine().hash("hash", hash).print(terminal);
    } else {
      terminal.println(hash.toString());
    }
    return ExitCodes.OK;
  }

  private void readmit(Payload content) {
    try (Store store = command.openExisting()) {
      if (store instanceof DatabaseStore database) {
        database.readmit(content);
        return;
      }
    }
    command.access().hold().readmitAndClose(content);
  }
}
