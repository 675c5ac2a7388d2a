// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.store;

import dev.varve.BulkStore;
import dev.varve.ErasePlan;
import dev.varve.EraseReceipt;
import dev.varve.EraseRequest;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.DryRunOption;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.ProgressIndicator;
import dev.varve.cli.terminal.Terminal;
import dev.varve.files.FolderTree;
import dev.varve.local.LocalStore;
import java.io.IOException;
import java.util.List;
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
  private volatile String progress = "reading the store";

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
    Terminal terminal = command.terminal();
    EraseOutput print = new EraseOutput(terminal, output.json(), "freed");
    try (BulkStore store = command.openExisting()) {
      ErasePlan plan;
      try (ProgressIndicator _ = ProgressIndicator.on(() -> progress, terminal)) {
        plan =
            store
                .erasures()
                .plan(EraseRequest.GARBAGE, (done, total) -> note("reading", done, total));
      }
      if (dryRun.dry() || plan.counts().packBytes() == 0) {
        print.plan(plan, List.of());
        return ExitCodes.OK;
      }
      if (!yes) {
        print.ask(
            "Free " + HumanText.size(plan.counts().packBytes()) + "?",
            "nothing was freed",
            plan,
            List.of());
      }
      if (store instanceof LocalStore) { // a service begins its own index again
        FolderTree.delete(command.storeFolder().resolve(EraseCommand.SEARCH_FOLDER));
      }
      EraseReceipt receipt;
      try (ProgressIndicator _ = ProgressIndicator.on(() -> progress, terminal)) {
        receipt =
            store
                .erasures()
                .erase(
                    EraseRequest.GARBAGE,
                    plan.digest(),
                    (done, total) -> note("rewriting", done, total));
      }
      print.done(receipt, List.of(), EraseReceipts.file(command.storeFolder(), receipt.run()));
    }
    return ExitCodes.OK;
  }

  private void note(String what, long done, long total) {
    progress = what + " the store, " + HumanText.percent(done, total);
  }
}
