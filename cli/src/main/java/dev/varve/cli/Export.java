// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/// `varve export`
@Command(
    name = "export",
    description = "Gives back what was imported, byte for byte.",
    footer = {"  varve export pi 7 -o session.jsonl"})
final class Export implements Callable<Integer> {

  @Override
  public Integer call() {
    throw new Refusal(
        ExitCodes.USAGE, "export: as what?", "'varve export --help' lists the formats.");
  }
}
