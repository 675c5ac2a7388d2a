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
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `varve retention apply`
@Command(
    name = "apply",
    description = {
      "Erases what the rules of retention choose, but for what holds keep.",
      "",
      "Shows what goes, asks, erases, and writes a receipt, as 'varve erase' does."
    },
    footer = {
      "  varve retention apply --dry-run    shows what would go",
      "  varve retention apply --yes        for a timer"
    })
final class RetentionApply implements Callable<Integer> {

  private final CommandSession command;

  @Mixin private final DryRunOption dryRun = new DryRunOption();

  @Option(
      names = {"-y", "--yes"},
      description = "Erases without asking.")
  private boolean yes;

  @Mixin private final GitOptions git = new GitOptions();
  @Mixin private final JsonOption output = new JsonOption();

  RetentionApply(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() throws IOException {
    List<RetentionRules.Rule> rules = RetentionRules.of(command).all();
    ErasureDialog dialog = new ErasureDialog(command, ErasureDialog.Purpose.ERASE, output.json());
    if (rules.isEmpty()) {
      command.terminal().say(RetentionRules.NONE);
    }
    try (BulkStore store = command.openExisting()) {
      Optional<EraseRequest> request;
      ErasePlan plan = ErasePlan.NOTHING;
      try (ProgressIndicator _ = dialog.indicator()) {
        Instant now = command.terminal().clock().instant();
        request = RetentionRules.request(rules, store, now);
        if (request.isPresent()) {
          plan = dialog.plan(store, request.get());
        }
      }
      return dialog.run(
          store,
          request.orElse(EraseRequest.GARBAGE),
          plan,
          new ErasureDialog.Answers(dryRun.dry(), yes, git));
    }
  }
}
