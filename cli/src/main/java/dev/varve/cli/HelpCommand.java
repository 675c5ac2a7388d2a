// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `varve help`
@Command(
    name = "help",
    description = "Explains a command, or the exit status.",
    footer = {"  varve help log", "  varve help import pi", "  varve help exit-codes"})
final class HelpCommand implements Callable<Integer> {

  private final Varve varve;

  @Parameters(arity = "0..*", paramLabel = "TOPIC", description = "A command, or 'exit-codes'.")
  private List<String> topic = List.of();

  HelpCommand(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    Terminal terminal = varve.terminal();
    if (topic.equals(List.of("exit-codes"))) {
      terminal.println("What the exit status of varve says:");
      for (Map.Entry<String, String> meaning : ExitCodes.meanings().entrySet()) {
        terminal.println(
            new Line()
                .add(
                    " ".repeat(6 - meaning.getKey().length())
                        + meaning.getKey()
                        + "  "
                        + meaning.getValue()));
      }
      return ExitCodes.OK;
    }
    CommandLine command = Commands.model(terminal);
    for (String word : topic) {
      CommandLine sub = command.getSubcommands().get(word);
      if (sub == null) {
        throw new Refusal(
            ExitCodes.NOT_FOUND,
            "there is no help on '" + String.join(" ", topic) + "'",
            "'varve help' lists the commands; there is also 'varve help exit-codes'.");
      }
      command = sub;
    }
    terminal.printOwn(command.getUsageMessage(command.getColorScheme()));
    return ExitCodes.OK;
  }
}
