// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.history;

import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.terminal.Terminal;
import dev.varve.history.AgentEnvironment;
import dev.varve.history.HistoryProfile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A call of `varve sync` that a supervisor makes as this call would be made here: the same
/// command, store and agents, and the variables of the environment that count for them.
///
/// @param command the command's absolute path
/// @param variables that are set here and count
record WatchCall(
    Path command, Path store, List<String> agents, Map<String, String> variables, Path userHome) {

  /// The variables by which the launcher finds Java.
  private static final List<String> JAVA =
      List.of("VARVE_JAVA_HOME", "JAVA_HOME", "VARVE_JVM_DIRS", "VARVE_JAVA_OPTS");

  /// @param agents the names on the command line; none for all
  /// @throws CommandException if the command or a value cannot stand in a unit
  static WatchCall of(
      Terminal terminal, Path store, List<String> agents, Collection<HistoryProfile> profiles) {
    Map<String, String> variables = new TreeMap<>();
    AgentEnvironment here = HistoryProfiles.environment(terminal);
    AgentEnvironment noting =
        new AgentEnvironment(
            here.userHome(),
            name -> {
              variables.put(name, terminal.variable(name));
              return terminal.variable(name);
            });
    profiles.forEach(profile -> profile.homes(noting));
    JAVA.forEach(name -> variables.put(name, terminal.variable(name)));
    variables.values().removeIf(String::isEmpty);
    WatchCall call =
        new WatchCall(
            command(terminal),
            store.toAbsolutePath().normalize(),
            agents,
            variables,
            here.userHome());
    call.words("").forEach(WatchCall::demandOneLine);
    variables.values().forEach(WatchCall::demandOneLine);
    return call;
  }

  /// The words of the call.
  ///
  /// @param option the last word; none if empty
  List<String> words(String option) {
    List<String> words = new ArrayList<>();
    words.addAll(List.of(command.toString(), "--store", store.toString(), "sync"));
    words.addAll(agents);
    if (!option.isEmpty()) {
      words.add(option);
    }
    return words;
  }

  /// The launcher; a word without a folder is looked for where the shell found it.
  private static Path command(Terminal terminal) {
    Path named = Path.of(terminal.command());
    if (named.isAbsolute() || named.getNameCount() > 1) {
      return named.toAbsolutePath().normalize();
    }
    for (String folder : terminal.variable("PATH").split(":", -1)) {
      Path file = Path.of(folder).resolve(named).toAbsolutePath();
      if (!folder.isEmpty() && Files.isRegularFile(file) && Files.isExecutable(file)) {
        return file;
      }
    }
    throw new CommandException(
        ExitCodes.USAGE, named + ": the command is not on the PATH", "Call it by its path.");
  }

  private static void demandOneLine(String value) {
    if (value.chars().anyMatch(Character::isISOControl)) {
      throw new CommandException(
          ExitCodes.USAGE, "a path with a control character cannot stand in a unit", null);
    }
  }
}
