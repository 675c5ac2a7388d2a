// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/// `varve jp`
@Command(
    name = "jp",
    description = "Keeps the payloads of JP's conversations in blobs beside them (RFD 066).",
    commandListHeading = "%nCommands:%n",
    footer = {
      "  varve jp check                          what JP as released does with each conversation",
      "  varve jp externalize --format rfd066    payloads into blobs",
      "  varve jp inline                         and back, byte for byte"
    })
final class Jp implements Callable<Integer> {

  @Override
  public Integer call() {
    throw new Refusal(ExitCodes.USAGE, "jp: do what?", "'varve jp --help' lists the commands.");
  }
}
