// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.cli.history.RecognizedImport;
import dev.varve.cli.session.CommandEntry;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.CommandSuggestions;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `varve import`
@Command(
    name = "import",
    description =
        "Imports conversations that other programs keep. Makes the store if there is none.",
    footer = {
      "  varve import session.jsonl      of whichever agent",
      "  varve import old-laptop/        all sessions in a folder",
      "  varve import claude-code ~/.claude",
      "  varve import pi ~/.pi/agent/sessions",
      "  varve import jp --workspace project",
      "  varve import jsonl chat.jsonl   of any program: one message a line",
      "  varve import cxdb /var/lib/cxdb --store ./store"
    })
final class ImportCommands implements Callable<Integer> {

  private final CommandSession command;

  @Parameters(
      arity = "0..*",
      paramLabel = "FILE|DIR",
      description =
          "Sessions of agents, or folders with them; the format is found from the content.")
  private List<Path> files = List.of();

  @Mixin private final JsonOption output = new JsonOption();

  ImportCommands(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    if (files.isEmpty()) {
      throw new CommandException(
          ExitCodes.USAGE,
          "import: expected a file or a format",
          "'varve import --help' lists the formats.");
    }
    files.forEach(ImportCommands::demandNoSlip);
    return new RecognizedImport(command, output.json()).run(files);
  }

  /// Refuses a word that is no file and looks like the name of a format.
  private static void demandNoSlip(Path file) {
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    List<String> meant =
        CommandSuggestions.near(
            file.toString(), CommandModel.imports().stream().map(CommandEntry::name).toList());
    if (!meant.isEmpty()) {
      throw new CommandException(
          ExitCodes.NOT_FOUND,
          file + ": no such file or folder",
          "Did you mean varve import " + String.join(" or ", meant) + "?");
    }
  }
}
