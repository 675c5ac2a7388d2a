// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.ContextId;
import dev.varve.Store;
import dev.varve.jp.travel.JpExport;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `varve jp export`
@Command(
    name = "export",
    description = {
      "Writes the folder that a conversation of JP was imported from, each file byte for byte.",
      "",
      "The stream is put together from turns and blobs, and compared with the hash of what was"
          + " imported before anything is written."
    },
    footer = {"  varve jp export 7 -o project/.jp      makes conversations/17800000001-a-title/"})
final class JpExports implements Callable<Integer> {

  private final Varve varve;

  @Parameters(paramLabel = "CONTEXT", description = "The conversation's context.")
  private ContextId context = new ContextId(0);

  @Option(
      names = {"-o", "--output"},
      paramLabel = "DIR",
      required = true,
      description = "A folder like .jp; made if it is absent.")
  private Path storage = Path.of(".");

  JpExports(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    Terminal terminal = varve.terminal();
    try (Store store = varve.openExisting()) {
      JpExport.Report report = JpExport.conversation(store, context, storage, terminal.clock());
      terminal.println(report.folder().toString());
      terminal.say(
          Words.count(report.files(), "file")
              + (report.blobs() > 0 ? ", " + Words.count(report.blobs(), "blob") : ""));
    }
    return ExitCodes.OK;
  }
}
