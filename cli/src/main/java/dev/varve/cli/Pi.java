// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/// `varve pi`
@Command(
    name = "pi",
    description = "Reads and shares sessions of the Pi coding agent, where Pi keeps them.",
    commandListHeading = "%nCommands:%n",
    footer = {
      "  varve pi sessions          what sessions there are",
      "  varve pi tree FILE         the branches of one",
      "  varve pi doctor FILE       what is wrong with it, and a repaired copy",
      "  varve pi scan FILE         whether there are credentials in it",
      "  varve pi publish           the newest session of this folder; prints its branch hash"
    })
final class Pi implements Callable<Integer> {

  @Override
  public Integer call() {
    throw new Refusal(ExitCodes.USAGE, "pi: do what?", "'varve pi --help' lists what it can do.");
  }
}
