// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.StoreException;
import dev.varve.travel.BlobTarget;
import dev.varve.travel.Chain;
import dev.varve.travel.Push;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `varve pi push`
@Command(
    name = "push",
    description = {
      "Sends branches, with the sessions they were forked from, to a server or into a folder. Only"
          + " what is not there travels. Prints the branch hashes.",
      "",
      "Sessions are published first. What a session holds, others can then read: see 'varve pi"
          + " scan'."
    },
    footer = {
      "  varve pi push session.jsonl --to http://127.0.0.1:9010",
      "  varve pi push HASH --to https://example.org --token-file token",
      "  varve pi push HASH --to /media/stick"
    })
final class PiPush implements Callable<Integer> {

  private final Varve varve;
  private volatile String progress = "asking what is there";

  @Parameters(
      arity = "1..*",
      paramLabel = "HASH|SESSION",
      description = "Branch hashes; files, or ids of sessions.")
  private List<String> arguments = List.of();

  @Option(
      names = "--to",
      required = true,
      paramLabel = "PLACE",
      description = "A server's address, a folder, or another store's folder.")
  private String to = "";

  @Mixin private final PiPlaces places = new PiPlaces();
  @Mixin private final PiOptions pi = new PiOptions();
  @Mixin private final JsonOption output = new JsonOption();

  PiPush(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    try {
      new PiChains(varve, pi).atLeisure(arguments, this::send);
    } catch (StoreException.Io e) {
      throw PiPlaces.refusal(e);
    }
    return ExitCodes.OK;
  }

  private void send(List<Chain> chains) {
    Terminal terminal = varve.terminal();
    try (BlobTarget target = places.target(to, terminal);
        Waiting _ = Waiting.on(() -> progress, terminal)) {
      Push push =
          new Push(target, parcel -> progress = "sending " + Words.size(parcel.sizeBytes()));
      for (Chain chain : chains) {
        tell(chain, push.chain(chain), target.describe());
      }
    }
  }

  private void tell(Chain chain, Push.Report report, String target) {
    Terminal terminal = varve.terminal();
    terminal.status("");
    if (output.json()) {
      new JsonLine()
          .hash("branch_hash", chain.branch())
          .text("to", target)
          .number("blobs", report.blobs())
          .number("blobs_sent", report.blobsSent())
          .number("bytes_sent", report.bytesSent())
          .hash("missing_parent_hash", chain.missing().orElse(null))
          .print(terminal);
    } else {
      terminal.println(chain.branch().toString());
      terminal.say(
          report.blobsSent()
              + " of "
              + Words.count(report.blobs(), "blob")
              + " sent, "
              + Words.size(report.bytesSent()));
    }
  }
}
