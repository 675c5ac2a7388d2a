// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.store;

import dev.varve.DeclaredType;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.cli.imports.ImportSources;
import dev.varve.cli.imports.LineChain;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandInput;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.Terminal;
import dev.varve.json.JsonLine;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `varve import jsonl`
@Command(
    name = "jsonl",
    description = {
      "Imports conversations of one message a line: each line becomes a turn, byte for byte.",
      "",
      "Each file becomes a context. A second import adds only the lines that are new,",
      "and files that begin with the same lines share the turns of these lines."
    },
    footer = {
      "  varve import jsonl chat.jsonl --type chat.Message@1",
      "  varve import jsonl chats/*.jsonl",
      "  ./export-chat | varve import jsonl - --title 'A chat'"
    })
final class ImportJsonl implements Callable<Integer> {

  private final CommandSession command;

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "A message on each line; - is standard input.")
  private List<String> files = List.of();

  @Option(
      names = "--type",
      paramLabel = "T@V",
      description = "The type of the payloads, and the type's version.")
  private DeclaredType type = DeclaredType.UNDECLARED;

  @Option(
      names = "--title",
      paramLabel = "TEXT",
      description = "The title of new contexts (default: the name of the file).")
  private @Nullable String title;

  @Mixin private final JsonOption output = new JsonOption();

  ImportJsonl(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    demandFiles();
    boolean piped = files.contains("-"); // the other end may write for days
    try (Store store = piped ? command.openBesideImports() : command.openForImport()) {
      for (String file : files) {
        LineChain chain = new LineChain(store, type, title == null ? name(file) : title);
        CommandInput.stream(file, terminal, in -> read(in, chain));
        print(file, chain, terminal);
      }
    }
    return ExitCodes.OK;
  }

  /// Refuses what cannot be read before anything is written.
  private void demandFiles() {
    if (files.stream().filter("-"::equals).count() > 1) {
      throw new CommandException(
          ExitCodes.USAGE, "import jsonl: expected standard input once, found '-' again", null);
    }
    for (String file : files) {
      if (!file.equals("-")) {
        ImportSources.demandReadable(Path.of(file));
        if (Files.isDirectory(Path.of(file))) {
          throw new CommandException(
              ExitCodes.USAGE, file + ": expected a file, found a folder", null);
        }
      }
    }
  }

  private static int read(InputStream in, LineChain chain) throws IOException {
    PayloadLines lines = new PayloadLines(in);
    for (Payload line = lines.next(); line != null; line = lines.next()) {
      chain.add(line);
    }
    return ExitCodes.OK;
  }

  private static String name(String file) {
    return file.equals("-")
        ? "standard input"
        : String.valueOf(Path.of(file).toAbsolutePath().getFileName());
  }

  private void print(String file, LineChain chain, Terminal terminal) {
    if (output.json()) {
      new JsonLine()
          .text("file", file)
          .text("context_id", chain.context() == null ? null : chain.context().toString())
          .id("head_turn_id", chain.end())
          .number("turns_new", chain.added())
          .number("turns_shared", chain.shared())
          .print(terminal);
    } else if (chain.context() == null) {
      terminal.report(file + ": no lines");
    } else {
      terminal.report(
          file
              + ": context "
              + chain.context()
              + ", "
              + HumanText.count(chain.added(), "new turn")
              + ", "
              + HumanText.count(chain.shared(), "turn")
              + " there already");
    }
  }
}
