// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.store;

import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.TurnId;
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

/// `varve patch`
@Command(
    name = "patch",
    description = {
      "Gives a turn another payload for later readers. Prints the overlay's number.",
      "",
      "The turn as it was written stays in the store: 'varve show TURN --as-written'."
    },
    footer = {
      "  varve patch 12 redacted.json",
      "  varve show 12 --raw | sed s/secret/-/ | varve patch 12"
    })
final class PatchCommand implements Callable<Integer> {

  private final CommandSession command;

  @Parameters(index = "0", paramLabel = "TURN", description = "The number of the turn.")
  private TurnId turn = TurnId.NONE;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "FILE",
      description = "The new payload; - or none: standard input.")
  private String file = "-";

  @Mixin private final JsonOption output = new JsonOption();

  PatchCommand(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    Payload payload = CommandInput.read(file, terminal);
    try (Store store = command.openExisting()) {
      long seq = store.patch(turn, payload);
      if (output.json()) {
        new JsonLine().id("turn_id", turn).number("overlay_seq", seq).print(terminal);
      } else {
        terminal.println(Long.toString(seq));
      }
    }
    return ExitCodes.OK;
  }
}
