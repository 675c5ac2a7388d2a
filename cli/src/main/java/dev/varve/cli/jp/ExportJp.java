// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.jp;

import dev.varve.ContextId;
import dev.varve.Store;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.Terminal;
import dev.varve.jp.travel.JpExport;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `varve export jp`
@Command(
    name = "jp",
    description = {
      "Writes the folder that a conversation of JP was imported from, each file byte for byte.",
      "",
      "The stream is put together from turns and blobs, and compared with the hash of the imported"
          + " stream before anything is written."
    },
    footer = {"  varve export jp 7 -o project/.jp      makes conversations/17800000001-a-title/"})
final class ExportJp implements Callable<Integer> {

  private final CommandSession command;

  @Parameters(paramLabel = "CONTEXT", description = "The conversation's context.")
  private ContextId context = new ContextId(0);

  @Option(
      names = {"-o", "--output"},
      paramLabel = "DIR",
      required = true,
      description = "A folder like .jp; made if it is absent.")
  private Path storage = Path.of(".");

  ExportJp(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    try (Store store = command.openExisting()) {
      JpExport.Report report = JpExport.conversation(store, context, storage, terminal.clock());
      terminal.println(report.folder().toString());
      terminal.say(
          HumanText.count(report.files(), "file")
              + (report.blobs() > 0 ? ", " + HumanText.count(report.blobs(), "blob") : ""));
    }
    return ExitCodes.OK;
  }
}
