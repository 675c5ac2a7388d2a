// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.erase;

import dev.varve.BulkStore;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.ErasePlan;
import dev.varve.EraseRequest;
import dev.varve.Store;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.DryRunOption;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.session.TimeArgument;
import dev.varve.cli.store.AllContexts;
import dev.varve.cli.store.ContextDescription;
import dev.varve.cli.store.ContextFilter;
import dev.varve.cli.terminal.ProgressIndicator;
import dev.varve.cli.terminal.Terminal;
import java.io.IOException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
      EraseRequest request = EraseRequest.GARBAGE;
      ErasePlan plan = ErasePlan.NOTHING;
      try (ProgressIndicator _ = dialog.indicator()) {
        Set<ContextId> chosen = chosen(rules, store, command.terminal());
        if (!chosen.isEmpty()) {
          request = new EraseRequest(chosen, Set.of(), List.of()).leavingHeld();
          plan = dialog.plan(store, request);
        }
      }
      dialog.run(store, request, plan, new ErasureDialog.Answers(dryRun.dry(), yes));
    }
    return ExitCodes.OK;
  }

  private static Set<ContextId> chosen(
      List<RetentionRules.Rule> rules, Store store, Terminal terminal) {
    Set<ContextId> chosen = new HashSet<>();
    if (rules.isEmpty()) {
      return chosen;
    }
    for (ContextHead head : new AllContexts(store, 100)) {
      for (RetentionRules.Rule rule : rules) {
        Instant end = TimeArgument.parse("--older-than", rule.olderThan(), terminal);
        if (head.activeAt().isBefore(end)
            && (rule.project().isEmpty()
                || ContextFilter.isProject(rule.project(), ContextDescription.of(head, store)))) {
          chosen.add(head.id());
        }
      }
    }
    return chosen;
  }
}
