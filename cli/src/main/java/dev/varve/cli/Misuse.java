// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import java.util.List;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/// What picocli finds wrong with a command line, in the words a person uses for it.
final class Misuse {

  private Misuse() {}

  /// Says it and returns the exit status.
  static int tell(ParameterException e, Terminal terminal) {
    String command = e.getCommandLine().getCommandSpec().qualifiedName();
    List<String> meant =
        e instanceof UnmatchedArgumentException unknown ? unknown.getSuggestions() : List.of();
    return Ending.misused(command, sentence(e), meant, terminal);
  }

  private static String sentence(ParameterException e) {
    if (e instanceof UnmatchedArgumentException unknown && !unknown.getUnmatched().isEmpty()) {
      String word = unknown.getUnmatched().getFirst();
      boolean commands = !e.getCommandLine().getSubcommands().isEmpty();
      return unknown.isUnknownOption()
          ? "there is no option '" + word + "'"
          : (commands ? "there is no command '" : "one argument too many: '") + word + "'";
    }
    if (e.getCause() instanceof TypeConversionException wrong && e.getArgSpec() != null) {
      return name(e.getArgSpec()) + ": " + wrong.getMessage();
    }
    return lowerFirst(String.valueOf(e.getMessage()).replaceFirst("^Error: ", ""));
  }

  private static String name(ArgSpec argument) {
    return switch (argument) {
      case OptionSpec option -> option.longestName();
      case PositionalParamSpec positional -> positional.paramLabel();
      default -> argument.paramLabel();
    };
  }

  private static String lowerFirst(String text) {
    return text.isEmpty() ? text : Character.toLowerCase(text.charAt(0)) + text.substring(1);
  }
}
