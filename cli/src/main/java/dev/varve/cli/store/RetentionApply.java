// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.store;

import dev.varve.BulkStore;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.ErasePlan;
import dev.varve.EraseReceipt;
import dev.varve.EraseRequest;
import dev.varve.ReadProgress;
import dev.varve.Store;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.DryRunOption;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.session.TimeArgument;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.Terminal;
import dev.varve.files.FolderTree;
import dev.varve.local.LocalStore;
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
    Terminal terminal = command.terminal();
    EraseOutput print = new EraseOutput(terminal, output.json(), "erased");
    List<RetentionRules.Rule> rules = new RetentionRules(command.requireFolder()).all();
    try (BulkStore store = command.openExisting()) {
      Set<ContextId> chosen = chosen(rules, store, terminal);
      ErasePlan plan = ErasePlan.NOTHING;
      EraseRequest request = EraseRequest.GARBAGE;
      if (!chosen.isEmpty()) {
        request = new EraseRequest(chosen, Set.of(), List.of()).leavingHeld();
        plan = store.erasures().plan(request, ReadProgress.NONE);
      }
      if (dryRun.dry() || plan.counts().blobs() == 0) {
        print.plan(plan, List.of());
        return ExitCodes.OK;
      }
      if (!yes) {
        print.ask(
            "Erase " + HumanText.count(plan.counts().blobs(), "blob") + " for good?",
            "nothing was erased",
            plan,
            List.of());
      }
      if (store instanceof LocalStore) { // a service begins its own index again
        FolderTree.delete(command.storeFolder().resolve(EraseCommand.SEARCH_FOLDER));
      }
      EraseReceipt receipt = store.erasures().erase(request, plan.digest(), ReadProgress.NONE);
      print.done(receipt, List.of(), EraseReceipts.file(command.storeFolder(), receipt.run()));
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
