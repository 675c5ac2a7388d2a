// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.session;

import dev.varve.cli.terminal.Terminal;
import java.util.List;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/// The report of a command line that picocli could not read, in plain words.
public final class UsageError {

  /// The list of the values that an argument may have, as picocli prints the list.
  private static final Pattern CHOICE =
      Pattern.compile("expected one of \\[(.*)] \\(case-\\w+\\) but was '(.*)'");

  private UsageError() {}

  /// Reports the mistake on standard error and returns the exit status.
  public static int report(ParameterException e, Terminal terminal) {
    String command = e.getCommandLine().getCommandSpec().qualifiedName();
    List<String> meant =
        e instanceof UnmatchedArgumentException unknown ? suggestions(unknown) : List.of();
    return ErrorExit.misused(command, sentence(e), meant, terminal);
  }

  private static List<String> suggestions(UnmatchedArgumentException e) {
    if (e.getUnmatched().isEmpty()) {
      return List.of();
    }
    CommandSpec spec = e.getCommandLine().getCommandSpec();
    String word = e.getUnmatched().getFirst();
    if (e.isUnknownOption() && !word.startsWith("--")) {
      return List.of(); // every letter is near every other
    }
    if (e.isUnknownOption() && word.equals("--json") && spec.parent() == null) {
      return List.of("'varve COMMAND --json'");
    }
    if (e.isUnknownOption() && word.startsWith("--http") && spec.name().equals("mcp")) {
      return List.of("'varve serve', which has the same tools over HTTP at /mcp");
    }
    if (e.isUnknownOption()) {
      return CommandSuggestions.near(word.replaceFirst("=.*", ""), spec.optionsMap().keySet());
    }
    return spec.parent() == null
        ? CommandSuggestions.ofCommand(word, spec.subcommands().keySet())
        : CommandSuggestions.near(word, spec.subcommands().keySet());
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
      return name(e.getArgSpec())
          + ": "
          + CHOICE
              .matcher(String.valueOf(wrong.getMessage()))
              .replaceFirst("expected one of $1, found '$2'");
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
