// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.pi;

import dev.varve.StoreException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.ProgressIndicator;
import dev.varve.cli.terminal.Terminal;
import dev.varve.json.JsonLine;
import dev.varve.pi.exchange.BlobTarget;
import dev.varve.pi.exchange.BranchChain;
import dev.varve.pi.exchange.BranchPush;
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
      "Sends branches, with the sessions they were forked from, to a server or into a folder. Sends"
          + " only blobs that the target lacks. Prints the branch hashes.",
      "",
      "Sessions are published first. Others can read everything that a session holds: nothing is"
          + " sent if a rule of 'varve pi scan' sees a credential in the blobs to be sent."
    },
    footer = {
      "  varve pi push session.jsonl --to http://127.0.0.1:9010",
      "  varve pi push HASH --to https://example.org --token-file token",
      "  varve pi push HASH --to /media/stick"
    })
final class PiPush implements Callable<Integer> {

  private final CommandSession command;
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

  @Option(
      names = "--verify",
      description = "Reads back the blobs that the target has, and sends damaged blobs again.")
  private boolean verify;

  @Mixin private final CredentialCheck credentials = new CredentialCheck();
  @Mixin private final PiPlaces places = new PiPlaces();
  @Mixin private final PiOptions pi = new PiOptions();
  @Mixin private final JsonOption output = new JsonOption();

  PiPush(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    try {
      new PiChains(command, pi).atLeisure(arguments, this::send);
    } catch (StoreException.Io e) {
      throw PiPlaces.refusal(e);
    }
    return ExitCodes.OK;
  }

  private void send(List<BranchChain> chains) {
    Terminal terminal = command.terminal();
    try (BlobTarget target = places.target(to, command);
        ProgressIndicator _ = ProgressIndicator.on(() -> progress, terminal)) {
      BranchPush push =
          new BranchPush(
              target,
              parcel -> progress = "sending " + HumanText.size(parcel.sizeBytes()),
              outgoing ->
                  credentials.demandNone(
                      outgoing,
                      command,
                      bytes -> progress = "looking for credentials, " + HumanText.size(bytes)),
              verify);
      for (BranchChain chain : chains) {
        report(chain, push.chain(chain), target.describe());
      }
    }
  }

  private void report(BranchChain chain, BranchPush.Report report, String target) {
    Terminal terminal = command.terminal();
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
              + HumanText.count(report.blobs(), "blob")
              + " sent, "
              + HumanText.size(report.bytesSent()));
    }
  }
}
