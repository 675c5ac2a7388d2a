// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.store;

import dev.varve.Store;
import dev.varve.StoreCounts;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.StyledLine;
import dev.varve.cli.terminal.Terminal;
import dev.varve.json.JsonLine;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `varve stats`
@Command(
    name = "stats",
    description = "Reports how much the store holds, and the space that the store takes.",
    footer = {"  varve stats", "  varve stats --json"})
final class StatsCommand implements Callable<Integer> {

  private static final int NAME_COLUMNS = 14;

  private final CommandSession command;

  @Mixin private final JsonOption output = new JsonOption();

  StatsCommand(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    try (Store store = command.openExisting()) {
      StoreCounts counts = store.counts();
      if (output.json()) {
        printJson(counts, terminal);
      } else {
        print(counts, terminal);
      }
    }
    return ExitCodes.OK;
  }

  private void printJson(StoreCounts counts, Terminal terminal) {
    new JsonLine()
        .text("store", command.address().shown())
        .number("contexts", counts.contexts())
        .number("turns", counts.turns())
        .number("blobs", counts.blobs())
        .number("overlays", counts.overlays())
        .number("types", counts.types())
        .number("raw_bytes", counts.rawBytes())
        .number("stored_bytes", counts.storedBytes())
        .number("disk_bytes", counts.diskBytes())
        .print(terminal);
  }

  private void print(StoreCounts counts, Terminal terminal) {
    field("store", command.address().shown(), terminal);
    field("contexts", HumanText.number(counts.contexts()), terminal);
    field("turns", HumanText.number(counts.turns()), terminal);
    field("blobs", HumanText.number(counts.blobs()), terminal);
    field("overlays", HumanText.number(counts.overlays()), terminal);
    field("types", HumanText.number(counts.types()), terminal);
    field("content", HumanText.size(counts.rawBytes()), terminal);
    field("stored in", HumanText.size(counts.storedBytes()) + percent(counts), terminal);
    field("on the disk", HumanText.size(counts.diskBytes()), terminal);
  }

  private static String percent(StoreCounts counts) {
    if (counts.rawBytes() == 0) {
      return "";
    }
    return " (" + Math.round(100.0 * counts.storedBytes() / counts.rawBytes()) + " % of it)";
  }

  private static void field(String name, String value, Terminal terminal) {
    terminal.println(
        new StyledLine().add(StyledLine.Style.FAINT, name).tab(NAME_COLUMNS).add(value));
  }
}
