// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.ContextId;
import dev.varve.Store;
import dev.varve.StoreCounts;
import dev.varve.StoreOptions;
import dev.varve.View;
import dev.varve.local.LocalStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/// `varve demo`
@Command(
    name = "demo",
    description = "Writes a small conversation with forks into a new store and shows it.",
    footer = {
      "  varve demo                  in a new temporary folder",
      "  varve demo --store ./demo   in this folder, which must be empty or absent"
    })
final class Demo implements Callable<Integer> {

  private static final int TURNS_MAX = 100;

  private final Varve varve;

  Demo(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() throws IOException {
    Terminal terminal = varve.terminal();
    Path folder = folder();
    try (Store store = LocalStore.open(folder, StoreOptions.DEFAULTS)) {
      if (store.counts().contexts() > 0) {
        throw new Refusal(
            ExitCodes.USAGE,
            folder + ": there is a store with contexts already",
            "Without --store the demo makes a new temporary folder.");
      }
      DemoConversation demo = DemoConversation.write(store);
      terminal.println(
          "A conversation, forked at turn " + demo.forkedAt() + ", and the fork forked again:");
      terminal.println("");
      Family.of(store.head(demo.first()), store).draw(store, TURNS_MAX, terminal);
      terminal.println("");
      tellSizes(demo, store);
      terminal.println("");
      suggest(demo, store, folder);
    }
    return ExitCodes.OK;
  }

  /// Never the user's own store: only a folder named on this very command line.
  private Path folder() throws IOException {
    Optional<Path> named = varve.namedStore();
    return named.isPresent() ? named.get() : Files.createTempDirectory("varve-demo-");
  }

  private void tellSizes(DemoConversation demo, Store store) {
    long[] told = new long[2]; // turns, bytes
    for (ContextId context : List.of(demo.first(), demo.fork(), demo.forkOfFork())) {
      store.replay(
          store.head(context).head(),
          View.AS_WRITTEN.withoutPayloads(),
          turn -> {
            told[0]++;
            told[1] += turn.payloadSizeBytes();
          });
    }
    StoreCounts counts = store.counts();
    Terminal terminal = varve.terminal();
    terminal.println(
        "Three transcripts would repeat " + told[0] + " turns, " + Words.size(told[1]) + ".");
    terminal.println(
        "The store holds "
            + counts.turns()
            + " turns and "
            + counts.blobs()
            + " blobs: "
            + Words.size(counts.rawBytes())
            + ", compressed "
            + Words.size(counts.storedBytes())
            + ".");
    terminal.println("A fork copied nothing, and the file that was read twice is there once.");
  }

  private void suggest(DemoConversation demo, Store store, Path folder) {
    Terminal terminal = varve.terminal();
    String varve =
        ShellWord.quote(terminal.command()) + " --store " + ShellWord.quote(folder.toString());
    String secret = demo.secret().toString();
    String blob = store.turn(demo.secret(), View.LATEST).payloadHash().toString();
    terminal.println("Try next:");
    suggest("the turns of the fork", varve + " log " + demo.fork(), terminal);
    suggest("a turn from which a secret was removed", varve + " show " + secret, terminal);
    suggest(
        "the same turn as it was written", varve + " show " + secret + " --as-written", terminal);
    suggest("a payload by the hash of its bytes", varve + " cat " + blob, terminal);
    suggest("every byte verified", varve + " check", terminal);
  }

  private static void suggest(String what, String command, Terminal terminal) {
    terminal.println(new Line().add("  ").add(Line.Style.FAINT, what));
    terminal.println(new Line().add("    ").add(Line.Style.GREEN, command));
  }
}
