// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.erase;

import dev.varve.ErasePlan;
import dev.varve.EraseReceipt;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.StyledLine;
import dev.varve.cli.terminal.Terminal;
import dev.varve.json.JsonLine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/// The output of an erasure, as lines and as JSON.
final class EraseOutput {

  private static final int LISTED_MAX = 20;

  private final Terminal terminal;
  private final boolean json;
  private final String done;

  /// @param done the word for what was done
  EraseOutput(Terminal terminal, boolean json, String done) {
    this.terminal = terminal;
    this.json = json;
    this.done = done;
  }

  /// Prints a forecast.
  void plan(ErasePlan plan, UnreachedContent elsewhere) {
    if (json) {
      fields(new JsonLine().bool("erased", false), plan, elsewhere).print(terminal);
      return;
    }
    counts("would go", plan);
    plan.going().stream()
        .limit(LISTED_MAX)
        .forEach(blob -> terminal.println(blob.hash() + "  " + blob.cause().word()));
    more(plan.counts().blobs());
    ErasePlan.Counts counts = plan.counts();
    if (counts.staying() > 0) {
      terminal.println("stays: " + HumanText.count(counts.staying(), "blob"));
      plan.staying().stream()
          .limit(LISTED_MAX)
          .forEach(
              blob -> {
                terminal.println(blob.hash().toString());
                terminal.println("  for " + blob.because());
              });
      more(counts.staying());
    }
    if (counts.blobs() > 0 || !elsewhere.git().findings().isEmpty()) {
      unreached(elsewhere);
    } else {
      elsewhere.print(terminal);
    }
  }

  private void more(long count) {
    if (count > LISTED_MAX) {
      terminal.println(
          "… and "
              + HumanText.number(count - LISTED_MAX)
              + " more; --json lists "
              + HumanText.number(ErasePlan.LISTED_MAX));
    }
  }

  private void counts(String what, ErasePlan plan) {
    ErasePlan.Counts counts = plan.counts();
    terminal.println(
        what
            + ": "
            + HumanText.count(counts.blobs(), "blob")
            + ", "
            + HumanText.size(counts.packBytes())
            + "; turns that lose their payload: "
            + HumanText.number(counts.turns()));
  }

  private void unreached(UnreachedContent elsewhere) {
    elsewhere.print(terminal);
    if (!elsewhere.git().findings().isEmpty()) {
      terminal.say("'--prune-git' takes these snapshots out of git.");
    }
    terminal.say("Backups, bundles and copies in other stores are not reached.");
  }

  /// Shows a plan and asks at the terminal whether to carry it out.
  ///
  /// @param kept what the refusal says if the answer is no
  /// @throws CommandException if the answer is no, or nobody is there to answer
  void ask(String question, String kept, ErasePlan plan, UnreachedContent elsewhere)
      throws IOException {
    if (!terminal.inIsTerminal() || !terminal.errIsTerminal() || json) {
      throw new CommandException(
          ExitCodes.USAGE,
          question + " No terminal is there to answer.",
          "--yes does it without asking, --dry-run shows what would go.");
    }
    plan(plan, elsewhere);
    terminal.flush();
    terminal.complain(StyledLine.of(question + " [y/N]"));
    StringBuilder answer = new StringBuilder();
    for (int c = terminal.in().read(); c >= 0 && c != '\n'; c = terminal.in().read()) {
      answer.append((char) c);
    }
    if (!answer.toString().strip().toLowerCase(Locale.ROOT).startsWith("y")) {
      throw new CommandException(ExitCodes.USAGE, kept, null);
    }
  }

  /// Prints what was done.
  ///
  /// @param file the receipt
  /// @param pruned what was taken out of git
  void done(
      EraseReceipt receipt,
      UnreachedContent elsewhere,
      Path file,
      List<GitFinding.Outcome> pruned) {
    if (json) {
      JsonLine line =
          fields(
              new JsonLine()
                  .bool("erased", true)
                  .number("run", receipt.run())
                  .time("erased_at", receipt.erasedAt())
                  .text("receipt", file.toString())
                  .number("pack_bytes_before", receipt.packBytes().before())
                  .number("pack_bytes_after", receipt.packBytes().after()),
              receipt.plan(),
              elsewhere);
      GitSnapshots.add(pruned, line).print(terminal);
      return;
    }
    counts(done, receipt.plan());
    GitSnapshots.print(pruned, terminal);
    terminal.println("receipt: " + file);
    unreached(elsewhere);
    terminal.say("'varve check --erased RECEIPT' reads every file and shows that nothing is left.");
  }

  /// Prints what was taken out of git where the store had nothing to erase.
  void pruned(ErasePlan plan, UnreachedContent elsewhere, List<GitFinding.Outcome> pruned) {
    if (json) {
      JsonLine line = fields(new JsonLine().bool("erased", false), plan, elsewhere);
      GitSnapshots.add(pruned, line).print(terminal);
      return;
    }
    counts(done, plan);
    GitSnapshots.print(pruned, terminal);
    elsewhere.print(terminal);
  }

  private static JsonLine fields(JsonLine line, ErasePlan plan, UnreachedContent elsewhere) {
    ErasePlan.Counts counts = plan.counts();
    return elsewhere.add(
        line.number("blobs", counts.blobs())
            .number("raw_bytes", counts.rawBytes())
            .number("pack_bytes", counts.packBytes())
            .number("blobs_staying", counts.staying())
            .number("turns_losing_payload", counts.turns())
            .objects(
                "going",
                plan.going(),
                (each, blob) ->
                    each.hash("hash", blob.hash())
                        .number("size_bytes", blob.sizeBytes())
                        .text("cause", blob.cause().word()))
            .objects(
                "staying",
                plan.staying(),
                (each, blob) -> each.hash("hash", blob.hash()).text("because", blob.because()))
            .ids("turns", plan.turns()));
  }
}
