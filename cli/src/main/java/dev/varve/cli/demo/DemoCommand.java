// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.demo;

import dev.varve.ContextId;
import dev.varve.Store;
import dev.varve.StoreCounts;
import dev.varve.View;
import dev.varve.cli.session.CommandEntry;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.StoreAddress;
import dev.varve.cli.store.RelatedContexts;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.ShellWord;
import dev.varve.cli.terminal.StyledLine;
import dev.varve.cli.terminal.Terminal;
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
public final class DemoCommand implements Callable<Integer> {

  public static final CommandEntry ENTRY = new CommandEntry("demo", DemoCommand::new);

  private static final int TURNS_MAX = 100;

  private final CommandSession command;

  DemoCommand(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() throws IOException {
    Terminal terminal = command.terminal();
    Path folder = folder();
    try (Store store = command.accessTo(new StoreAddress.InFolder(folder)).open()) {
      if (store.counts().contexts() > 0) {
        throw new CommandException(
            ExitCodes.USAGE,
            folder + ": there is a store with contexts already",
            "Without --store the demo makes a new temporary folder.");
      }
      DemoConversation demo = DemoConversation.write(store);
      terminal.println(
          "A conversation, forked at turn " + demo.forkedAt() + ", and the fork forked again:");
      terminal.println("");
      RelatedContexts.of(store.head(demo.first()), store).draw(store, TURNS_MAX, terminal);
      terminal.println("");
      printSizes(demo, store);
      terminal.println("");
      suggest(demo, store, folder);
    }
    return ExitCodes.OK;
  }

  /// Never the user's own store: only a folder named on this very command line.
  private Path folder() throws IOException {
    Optional<StoreAddress> named = command.namedStore();
    return named.isPresent()
        ? CommandSession.requireFolder(named.get())
        : Files.createTempDirectory("varve-demo-");
  }

  private void printSizes(DemoConversation demo, Store store) {
    long[] repeated = new long[2]; // turns, bytes
    for (ContextId context : List.of(demo.first(), demo.fork(), demo.forkOfFork())) {
      store.replay(
          store.head(context).head(),
          View.AS_WRITTEN.withoutPayloads(),
          turn -> {
            repeated[0]++;
            repeated[1] += turn.payloadSizeBytes();
          });
    }
    StoreCounts counts = store.counts();
    Terminal terminal = command.terminal();
    terminal.println(
        "Three transcripts would repeat "
            + repeated[0]
            + " turns, "
            + HumanText.size(repeated[1])
            + ".");
    terminal.println(
        "The store holds "
            + counts.turns()
            + " turns and "
            + counts.blobs()
            + " blobs: "
            + HumanText.size(counts.rawBytes())
            + ", compressed "
            + HumanText.size(counts.storedBytes())
            + ".");
    terminal.println("A fork copied nothing, and the file that was read twice is stored once.");
  }

  private void suggest(DemoConversation demo, Store store, Path folder) {
    Terminal terminal = command.terminal();
    String called =
        ShellWord.quote(terminal.command()) + " --store " + ShellWord.quote(folder.toString());
    String secret = demo.secret().toString();
    String blob = store.turn(demo.secret(), View.LATEST).payloadHash().toString();
    terminal.println("Try next:");
    suggest("the turns of the fork", called + " log " + demo.fork(), terminal);
    suggest("a turn from which a secret was removed", called + " show " + secret, terminal);
    suggest(
        "the same turn as it was written", called + " show " + secret + " --as-written", terminal);
    suggest("a payload by the hash of its bytes", called + " cat " + blob, terminal);
    suggest("every byte verified", called + " check", terminal);
  }

  private static void suggest(String what, String command, Terminal terminal) {
    terminal.println(new StyledLine().add("  ").add(StyledLine.Style.FAINT, what));
    terminal.println(new StyledLine().add("    ").add(StyledLine.Style.GREEN, command));
  }
}
