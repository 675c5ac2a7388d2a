// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.erase;

import dev.varve.BulkStore;
import dev.varve.ErasePlan;
import dev.varve.EraseReceipt;
import dev.varve.EraseRequest;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.access.DatabaseStore;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ErrorExit;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.store.EraseReceipts;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.ProgressIndicator;
import dev.varve.local.LocalStore;
import dev.varve.search.StoreSearch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The steps that all commands with an erasure have in common: the plan is shown, a question asked,
/// and what was agreed to is erased.
final class ErasureDialog {

  private final CommandSession command;
  private final Purpose purpose;
  private final EraseOutput print;
  private volatile String progress = "reading the store";

  /// The purpose of an erasure, in the words of its question.
  enum Purpose {
    ERASE("erased"),
    FREE_SPACE("freed");

    private final String done;

    Purpose(String done) {
      this.done = done;
    }

    private boolean isNothing(ErasePlan plan) {
      return (this == ERASE ? plan.counts().blobs() : plan.counts().packBytes()) == 0;
    }

    /// @param snapshots the number of snapshots that go out of git
    private String question(ErasePlan plan, int snapshots) {
      if (this == FREE_SPACE) {
        return "Free " + HumanText.size(plan.counts().packBytes()) + "?";
      }
      return "Erase "
          + HumanText.count(plan.counts().blobs(), "blob")
          + (snapshots == 0 ? "" : " and " + HumanText.count(snapshots, "snapshot") + " in git")
          + " for good?";
    }
  }

  /// The answers that the arguments of the command give.
  ///
  /// @param dry whether the plan is only shown
  /// @param yes whether nobody is asked
  /// @param git what is to be done about snapshots in git; null: nothing belongs to the erasure
  record Answers(boolean dry, boolean yes, @Nullable GitOptions git) {}

  ErasureDialog(CommandSession command, Purpose purpose, boolean json) {
    this.command = command;
    this.purpose = purpose;
    this.print = new EraseOutput(command.terminal(), json, purpose.done);
  }

  /// Shows how far the reading and the rewriting are, until it is closed.
  ProgressIndicator indicator() {
    return ProgressIndicator.on(() -> progress, command.terminal());
  }

  ErasePlan plan(Store store, EraseRequest request) {
    return store.erasures().plan(request, (done, total) -> note("reading", done, total));
  }

  /// Prints that nothing was chosen.
  void nothing() {
    print.plan(ErasePlan.NOTHING, UnreachedContent.NONE);
  }

  /// Shows the plan, or asks and erases. Snapshots in git go first: the turns of a context, which
  /// name its snapshots, are still there if that fails.
  ///
  /// @return the exit status
  /// @throws CommandException if the answer is no, or nobody is there to answer
  int run(BulkStore store, EraseRequest request, ErasePlan plan, Answers answers)
      throws IOException {
    UnreachedContent elsewhere;
    try (ProgressIndicator _ = indicator()) {
      elsewhere = unreached(store, request, plan, answers.git());
    }
    boolean prunes =
        answers.git() != null && answers.git().prunes() && !elsewhere.git().findings().isEmpty();
    if (answers.dry() || purpose.isNothing(plan) && !prunes) {
      print.plan(plan, elsewhere);
      return ExitCodes.OK;
    }
    if (!answers.yes()) {
      String question = purpose.question(plan, prunes ? elsewhere.git().snapshots() : 0);
      print.ask(question, "nothing was " + purpose.done, plan, elsewhere);
    }
    List<GitFinding.Outcome> pruned = List.of();
    if (prunes) {
      try (ProgressIndicator _ = indicator()) {
        pruned = elsewhere.git().remove(doing -> progress = doing);
      }
    }
    UnreachedContent left = prunes ? elsewhere.withoutGit() : elsewhere;
    if (purpose.isNothing(plan)) {
      print.pruned(plan, left, pruned);
    } else {
      try {
        erase(store, request, plan, left, pruned);
      } catch (RuntimeException | IOException e) {
        sayGone(pruned);
        throw e;
      }
    }
    return pruned.stream().allMatch(outcome -> outcome.problem().isEmpty())
        ? ExitCodes.OK
        : ExitCodes.INPUT_OUTPUT;
  }

  /// Reports what is gone from git although the erasure of the store failed.
  private void sayGone(List<GitFinding.Outcome> pruned) {
    int snapshots = pruned.stream().mapToInt(GitFinding.Outcome::snapshots).sum();
    if (snapshots > 0) {
      command
          .terminal()
          .say(
              HumanText.count(snapshots, "snapshot")
                  + " already taken out of git; the same command erases the rest.");
    }
  }

  private UnreachedContent unreached(
      Store store, EraseRequest request, ErasePlan plan, @Nullable GitOptions git)
      throws IOException {
    GitSnapshots snapshots =
        git == null
            ? GitSnapshots.NONE
            : GitSnapshots.find(
                store,
                request,
                git.named(),
                command.terminal().clock().instant(),
                doing -> progress = doing);
    return UnreachedContent.of(command.storeFolder(), store, request, plan, snapshots);
  }

  private void erase(
      BulkStore store,
      EraseRequest request,
      ErasePlan plan,
      UnreachedContent left,
      List<GitFinding.Outcome> pruned)
      throws IOException {
    if (store instanceof LocalStore) { // a service begins its own index again
      StoreSearch.deleteIndex(command.storeFolder());
    }
    progress = "rewriting the store";
    EraseReceipt receipt;
    try (ProgressIndicator _ = indicator()) {
      receipt =
          store
              .erasures()
              .erase(request, plan.digest(), (done, total) -> note("rewriting", done, total));
    } catch (StoreException.Io e) {
      throw store instanceof LocalStore ? e : unknown(e);
    }
    if (store instanceof DatabaseStore database) {
      StoreSearch.forget(command.storeFolder(), database);
      EraseReceipts.fetch(store, command.storeFolder());
    }
    Path file = EraseReceipts.file(command.storeFolder(), receipt.run());
    if (!pruned.isEmpty()) {
      try {
        GitReceipt.add(file, pruned);
      } catch (StoreException e) {
        command.terminal().say("The receipt does not name git: " + e.getMessage());
      }
    }
    print.done(receipt, left, file, pruned);
    if (store instanceof DatabaseStore) {
      command
          .terminal()
          .say("The files of the database keep deleted rows until it has written them anew.");
    }
  }

  /// The refusal where a service did not say whether it erased.
  private static CommandException unknown(StoreException.Io e) {
    return new CommandException(
        ExitCodes.INPUT_OUTPUT,
        "it is not known whether anything was erased: " + ErrorExit.sentence(e),
        "'varve erase --receipts' lists the erasure if it was done.");
  }

  private void note(String what, long done, long total) {
    progress = what + " the store, " + HumanText.percent(done, total);
  }
}
