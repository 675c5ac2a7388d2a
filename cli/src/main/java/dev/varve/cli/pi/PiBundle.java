// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.pi;

import dev.varve.StoreException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.ProgressIndicator;
import dev.varve.cli.terminal.Terminal;
import dev.varve.json.JsonLine;
import dev.varve.pi.exchange.BranchBundle;
import dev.varve.pi.exchange.BranchChain;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `varve pi bundle`
@Command(
    name = "bundle",
    description = {
      "Puts branches, with the sessions they were forked from, into one file that 'varve pi get"
          + " --from' takes. Prints the branch hashes.",
      "",
      "The file is a zip archive; the same branches give the same bytes."
    },
    footer = {
      "  varve pi bundle session.jsonl -o fork.bundle",
      "  varve pi bundle HASH HASH -o both.bundle",
      "  varve pi verify fork.bundle"
    })
final class PiBundle implements Callable<Integer> {

  private final CommandSession command;

  @Parameters(
      arity = "1..*",
      paramLabel = "HASH|SESSION",
      description = "Branch hashes; files, or ids of sessions.")
  private List<String> arguments = List.of();

  @Option(
      names = {"-o", "--output"},
      required = true,
      paramLabel = "FILE",
      description = "A file that must not exist yet.")
  private Path target = Path.of("");

  @Mixin private final CredentialCheck credentials = new CredentialCheck();
  @Mixin private final PiOptions pi = new PiOptions();
  @Mixin private final JsonOption output = new JsonOption();

  PiBundle(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    try (ProgressIndicator _ = ProgressIndicator.on("writing", command.terminal())) {
      new PiChains(command, pi).with(arguments, this::write);
    } catch (StoreException.Io e) {
      throw PiPlaces.refusal(e);
    }
    return ExitCodes.OK;
  }

  private void write(List<BranchChain> chains) {
    Terminal terminal = command.terminal();
    for (BranchChain chain : chains) {
      credentials.demandNone(chain.parcels(), command, _ -> {});
    }
    int blobs = BranchBundle.write(chains, target);
    terminal.status("");
    for (BranchChain chain : chains) {
      if (output.json()) {
        new JsonLine()
            .hash("branch_hash", chain.branch())
            .text("file", target.toString())
            .number("blobs", blobs)
            .hash("missing_parent_hash", chain.missing().orElse(null))
            .print(terminal);
      } else {
        terminal.println(chain.branch().toString());
      }
    }
  }
}
