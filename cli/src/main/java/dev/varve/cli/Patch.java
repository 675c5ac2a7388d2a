// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.TurnId;
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
final class Patch implements Callable<Integer> {

  private final Varve varve;

  @Parameters(index = "0", paramLabel = "TURN", description = "Its number.")
  private TurnId turn = TurnId.NONE;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "FILE",
      description = "The new payload; - or none: standard input.")
  private String file = "-";

  @Mixin private final JsonOption output = new JsonOption();

  Patch(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    Terminal terminal = varve.terminal();
    Payload payload = Input.read(file, terminal);
    try (Store store = varve.openExisting()) {
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
