// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.serve;

import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.terminal.Terminal;
import dev.varve.json.JsonLine;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// The values of a command's options from four places: the command line, the environment
/// (`VARVE_CACHE_MIB` is `--cache-mib`), a settings file (`cache-mib = 64`), and the default. The
/// first place that has a value counts. An empty variable is an absent one.
final class ServeSettings {

  /// cxdb's variables that mean the same as an option.
  private static final Map<String, String> VARIABLES_OF_CXDB =
      Map.of("binary", "CXDB_BIND", "http", "CXDB_HTTP_BIND");

  /// Options that are about one call of the command rather than about the service.
  private static final Set<String> OF_ONE_CALL = Set.of("config", "print-config", "json", "help");

  private final List<OptionSpec> options;
  private final Map<String, String> sources = new TreeMap<>();
  private final SettingsFile file;

  /// @param file the settings file's own values
  private ServeSettings(CommandSpec spec, Terminal terminal, SettingsFile file) {
    this.file = file;
    options =
        spec.options().stream().filter(option -> !OF_ONE_CALL.contains(name(option))).toList();
    file.refuseOthers(options.stream().map(ServeSettings::name).collect(Collectors.toSet()));
    for (OptionSpec option : options) {
      if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
        sources.put(name(option), "the command line");
      } else {
        take(option, terminal);
      }
    }
  }

  /// Fills in the options that the command line leaves open.
  ///
  /// @param named the settings file that the command line names; otherwise `VARVE_CONFIG` names it
  static ServeSettings apply(CommandSpec spec, Terminal terminal, @Nullable Path named) {
    String other = terminal.variable("VARVE_CONFIG");
    Path file = named != null || other.isEmpty() ? named : path("VARVE_CONFIG", other);
    return new ServeSettings(
        spec, terminal, file == null ? SettingsFile.NONE : SettingsFile.read(file));
  }

  private void take(OptionSpec option, Terminal terminal) {
    String name = name(option);
    String variable = variable(name);
    String cxdbs = VARIABLES_OF_CXDB.getOrDefault(name, "");
    Optional<String> inFile = file.value(name);
    if (!terminal.variable(variable).isEmpty()) {
      set(option, variable, terminal.variable(variable));
    } else if (inFile.isPresent()) {
      set(option, file.place(name), inFile.get());
    } else if (!cxdbs.isEmpty() && !terminal.variable(cxdbs).isEmpty()) {
      set(option, cxdbs, terminal.variable(cxdbs));
    }
  }

  private void set(OptionSpec option, String source, String text) {
    sources.put(name(option), source);
    Object value =
        switch (option.type().getSimpleName()) {
          case "Path" -> path(source, text);
          case "int" -> number(source, text);
          case "boolean" -> flag(source, text);
          case "List" -> new ArrayList<>(List.of(text.strip().split("\\s*,\\s*")));
          default -> text;
        };
    try {
      option.setter().set(value);
    } catch (Exception e) {
      throw new IllegalStateException(option + " cannot be set", e);
    }
  }

  private static int number(String source, String text) {
    try {
      return Integer.parseInt(text.strip());
    } catch (NumberFormatException e) {
      throw new CommandException(
          ExitCodes.USAGE, source + ": expected a number, found '" + text + "'", null);
    }
  }

  private static boolean flag(String source, String text) {
    return switch (text.strip()) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new CommandException(
              ExitCodes.USAGE, source + ": expected true or false, found '" + text + "'", null);
    };
  }

  private static Path path(String source, String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new CommandException(
          ExitCodes.USAGE, source + ": expected a path, found '" + text + "'", null);
    }
  }

  /// The same refusal, with the place that the refused option's value came from.
  CommandException placed(CommandException refusal) {
    String message = String.valueOf(refusal.getMessage());
    String option =
        message.startsWith("--") ? message.substring(2).replaceFirst("[:, ].*", "") : "";
    String source = sources.getOrDefault(option, "the command line");
    return source.equals("the command line")
        ? refusal
        : new CommandException(
            refusal.status(), message, "--" + option + " has its value from " + source + ".");
  }

  /// The places that values came from, without the values, for people.
  String origins() {
    Set<String> places = new LinkedHashSet<>();
    for (String source : sources.values()) {
      places.add(source.startsWith("'") ? file.name() : source);
    }
    return places.isEmpty() ? "defaults" : String.join(", ", places);
  }

  /// Prints each option with its value and the value's source: as a settings file, or as one object
  /// a line.
  void print(Terminal terminal, boolean json) {
    for (OptionSpec option : options) {
      String source = sources.getOrDefault(name(option), "the default");
      String value = value(option);
      if (json) {
        new JsonLine()
            .text("option", name(option))
            .text("value", value)
            .text("source", source)
            .print(terminal);
      } else {
        terminal.println("# " + variable(name(option)) + ", from " + source);
        terminal.println((value.isEmpty() ? "# " : "") + (name(option) + " = " + value).strip());
      }
    }
  }

  private static String value(OptionSpec option) {
    Object value = option.getValue();
    return switch (value) {
      case null -> "";
      case List<?> list -> list.stream().map(String::valueOf).collect(Collectors.joining(","));
      default -> value.toString();
    };
  }

  /// Names the variables that cxdb's server reads and this service does not.
  static void reportUnusedOfCxdb(Terminal terminal) {
    List<String> unused =
        terminal.variablesFrom("CXDB_").stream()
            .filter(name -> !VARIABLES_OF_CXDB.containsValue(name))
            .toList();
    if (!unused.isEmpty()) {
      terminal.say("not used: " + String.join(", ", unused) + "; see 'varve serve --help'");
    }
  }

  private static String name(OptionSpec option) {
    return option.longestName().substring(2);
  }

  private static String variable(String name) {
    return "VARVE_" + name.toUpperCase(Locale.ROOT).replace('-', '_');
  }
}
