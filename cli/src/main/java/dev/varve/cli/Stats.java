// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.Store;
import dev.varve.StoreCounts;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `varve stats`
@Command(
    name = "stats",
    description = "Says how much the store holds and what it takes.",
    footer = {"  varve stats", "  varve stats --json"})
final class Stats implements Callable<Integer> {

  private static final int NAME_COLUMNS = 14;

  private final Varve varve;

  @Mixin private final JsonOption output = new JsonOption();

  Stats(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    Terminal terminal = varve.terminal();
    try (Store store = varve.openExisting()) {
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
        .text("store", varve.storeFolder().toAbsolutePath().toString())
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
    field("store", varve.storeFolder().toAbsolutePath().toString(), terminal);
    field("contexts", Words.number(counts.contexts()), terminal);
    field("turns", Words.number(counts.turns()), terminal);
    field("blobs", Words.number(counts.blobs()), terminal);
    field("overlays", Words.number(counts.overlays()), terminal);
    field("types", Words.number(counts.types()), terminal);
    field("content", Words.size(counts.rawBytes()), terminal);
    field("stored in", Words.size(counts.storedBytes()) + percent(counts), terminal);
    field("on the disk", Words.size(counts.diskBytes()), terminal);
  }

  private static String percent(StoreCounts counts) {
    if (counts.rawBytes() == 0) {
      return "";
    }
    return " (" + Math.round(100.0 * counts.storedBytes() / counts.rawBytes()) + " % of it)";
  }

  private static void field(String name, String value, Terminal terminal) {
    terminal.println(new Line().add(Line.Style.FAINT, name).tab(NAME_COLUMNS).add(value));
  }
}
