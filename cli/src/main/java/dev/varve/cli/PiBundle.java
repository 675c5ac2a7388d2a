// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.StoreException;
import dev.varve.travel.Bundle;
import dev.varve.travel.Chain;
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

  private final Varve varve;

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

  @Mixin private final PiOptions pi = new PiOptions();
  @Mixin private final JsonOption output = new JsonOption();

  PiBundle(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    try (Waiting _ = Waiting.on("writing", varve.terminal())) {
      new PiChains(varve, pi).with(arguments, this::write);
    } catch (StoreException.Io e) {
      throw PiPlaces.refusal(e);
    }
    return ExitCodes.OK;
  }

  private void write(List<Chain> chains) {
    Terminal terminal = varve.terminal();
    int blobs = Bundle.write(chains, target);
    terminal.status("");
    for (Chain chain : chains) {
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
