// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.ExitCodes;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/// `varve export`
@Command(
    name = "export",
    description = "Writes imported conversations out again, byte for byte.",
    footer = {"  varve export pi 7 -o session.jsonl", "  varve export jp 7 -o project/.jp"})
final class ExportCommands implements Callable<Integer> {

  @Override
  public Integer call() {
    throw new CommandException(
        ExitCodes.USAGE, "export: expected a format", "'varve export --help' lists the formats.");
  }
}
