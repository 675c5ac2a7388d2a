// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.erase;

import dev.varve.BulkStore;
import dev.varve.ErasePlan;
import dev.varve.EraseRequest;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.DryRunOption;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.ProgressIndicator;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `varve gc`
@Command(
    name = "gc",
    description = {
      "Frees the space of payloads that a patch or a deletion hides.",
      "",
      "Shows what goes, asks, and writes the store's blobs anew without it. A payload",
      "stays that anything else needs, or a hold. Turns then have no payload where they",
      "are read as they were written. Readers go on meanwhile, also those of a service."
    },
    footer = {
      "  varve gc --dry-run    shows what goes, and how many bytes",
      "  varve gc --yes        frees them without asking"
    })
final class GcCommand implements Callable<Integer> {

  private final CommandSession command;

  @Mixin private final DryRunOption dryRun = new DryRunOption();

  @Option(
      names = {"-y", "--yes"},
      description = "Frees the space without asking.")
  private boolean yes;

  @Mixin private final JsonOption output = new JsonOption();

  GcCommand(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() throws IOException {
    ErasureDialog dialog =
        new ErasureDialog(command, ErasureDialog.Purpose.FREE_SPACE, output.json());
    try (BulkStore store = command.openExisting()) {
      ErasePlan plan;
      try (ProgressIndicator _ = dialog.indicator()) {
        plan = dialog.plan(store, EraseRequest.GARBAGE);
      }
      return dialog.run(
          store, EraseRequest.GARBAGE, plan, new ErasureDialog.Answers(dryRun.dry(), yes, null));
    }
  }
}
