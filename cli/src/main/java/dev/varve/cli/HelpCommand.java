// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.terminal.StyledLine;
import dev.varve.cli.terminal.Terminal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `varve help`
@Command(
    name = "help",
    description = "Explains a command, or the exit status.",
    footer = {"  varve help log", "  varve help import pi", "  varve help exit-status"})
final class HelpCommand implements Callable<Integer> {

  private final CommandSession command;

  @Spec private @Nullable CommandSpec spec;

  @Parameters(arity = "0..*", paramLabel = "TOPIC", description = "A command, or 'exit-status'.")
  private List<String> topic = List.of();

  HelpCommand(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    if (topic.equals(List.of("exit-status"))) {
      terminal.println("The exit statuses of varve:");
      for (Map.Entry<String, String> meaning : ExitCodes.meanings().entrySet()) {
        terminal.println(
            new StyledLine()
                .add(
                    " ".repeat(6 - meaning.getKey().length())
                        + meaning.getKey()
                        + "  "
                        + meaning.getValue()));
      }
      return ExitCodes.OK;
    }
    CommandLine about = Objects.requireNonNull(spec).root().commandLine();
    for (String word : topic) {
      CommandLine sub = about.getSubcommands().get(word);
      if (sub == null) {
        throw new CommandException(
            ExitCodes.NOT_FOUND,
            "there is no help on '" + String.join(" ", topic) + "'",
            "'varve help' lists the commands; there is also 'varve help exit-status'.");
      }
      about = sub;
    }
    terminal.printOwn(about.getUsageMessage(about.getColorScheme()));
    return ExitCodes.OK;
  }
}
