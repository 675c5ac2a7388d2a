// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.pi;

import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.Terminal;
import dev.varve.pi.branch.AgentFolder;
import dev.varve.pi.branch.BranchIndex;
import dev.varve.pi.branch.HashStates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/// The options that name the place of Pi's sessions, and the place of Varve's notes on them.
public final class PiOptions {

  private static final JsonFactory JSON = new JsonFactory();

  @Option(
      names = "--agent-dir",
      paramLabel = "DIR",
      description = "Pi's folder. Else $$PI_CODING_AGENT_DIR, else ~/.pi/agent.")
  private @Nullable Path agentDir;

  @Option(
      names = "--session-dir",
      paramLabel = "DIR",
      description =
          "The folder of all sessions, if Pi was given one. Else $$PI_CODING_AGENT_SESSION_DIR,"
              + " else what Pi's settings say.")
  private @Nullable Path sessionDir;

  /// The options as if they were given on the command line.
  ///
  /// @param agentDir Pi's folder; empty for the usual folder
  public static PiOptions at(String agentDir, Terminal terminal) {
    PiOptions options = new PiOptions();
    options.agentDir = agentDir.isEmpty() ? null : path(agentDir, terminal);
    return options;
  }

  /// The folder of the sessions.
  public AgentFolder folder(Terminal terminal) {
    Path agent = agent(terminal);
    if (sessionDir != null) {
      return new AgentFolder(sessionDir.toAbsolutePath(), true);
    }
    String variable = terminal.variable("PI_CODING_AGENT_SESSION_DIR");
    String custom = variable.isEmpty() ? settings(agent.resolve("settings.json")) : variable;
    return custom.isEmpty()
        ? new AgentFolder(agent.resolve("sessions"), false)
        : new AgentFolder(path(custom, terminal), true);
  }

  /// Pi's own folder.
  public Path agent(Terminal terminal) {
    if (agentDir != null) {
      return agentDir.toAbsolutePath();
    }
    String variable = terminal.variable("PI_CODING_AGENT_DIR");
    return path(variable.isEmpty() ? "~/.pi/agent" : variable, terminal);
  }

  private static Path path(String text, Terminal terminal) {
    String home = terminal.variable("HOME");
    String user = home.isEmpty() ? System.getProperty("user.home", ".") : home;
    try {
      boolean below = text.equals("~") || text.startsWith("~/");
      return Path.of(below ? user + text.substring(1) : text).toAbsolutePath();
    } catch (InvalidPathException e) {
      throw new CommandException(ExitCodes.USAGE, "not a path: " + text, null);
    }
  }

  /// The `sessionDir` of Pi's settings; empty if there is none. Settings that cannot be read are
  /// left to Pi to report.
  private static String settings(Path file) {
    String found = "";
    if (!Files.isRegularFile(file)) {
      return found;
    }
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), Files.readString(file))) {
      if (json.nextToken() == JsonToken.START_OBJECT) {
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
          boolean wanted = json.currentName().equals("sessionDir");
          if (json.nextToken() == JsonToken.VALUE_STRING && wanted) {
            found = json.getString();
          }
          json.skipChildren();
        }
      }
      return found;
    } catch (IOException | JacksonException e) {
      return "";
    }
  }

  /// The folder for Varve's notes on sessions, beside the store's own files.
  static Path notes(CommandSession command) {
    return command.storeFolder().resolve("pi");
  }

  static BranchIndex index(CommandSession command) {
    return new BranchIndex(notes(command).resolve("manifest.json"));
  }

  /// The place where the states of hashers are kept.
  enum States {
    beside,
    store,
    none;

    HashStates of(CommandSession command) {
      return switch (this) {
        case beside -> new HashStates.Beside();
        case store -> new HashStates.In(notes(command).resolve("states"));
        case none -> new HashStates.None();
      };
    }
  }

  /// The sessions that the arguments of a command name: files, ids or the beginnings of ids;
  /// without arguments, the newest session of `project`.
  List<Path> sessions(List<String> arguments, Path project, Terminal terminal) {
    if (arguments.isEmpty()) {
      return List.of(newest(project, terminal));
    }
    return arguments.stream().map(argument -> session(argument, terminal)).toList();
  }

  private Path newest(Path project, Terminal terminal) {
    try {
      Path cwd = project.toRealPath();
      return folder(terminal)
          .newestOf(cwd)
          .orElseThrow(
              () ->
                  new CommandException(
                      ExitCodes.NOT_FOUND,
                      "Pi has no session of " + cwd,
                      "Name a file or an id; sessions are looked for in "
                          + folder(terminal).sessions()
                          + "."));
    } catch (IOException e) {
      throw new CommandException(ExitCodes.NOT_FOUND, project + ": no such folder", null);
    }
  }

  /// One session: a file, or an id or its beginning.
  Path session(String argument, Terminal terminal) {
    if (argument.isEmpty()) {
      throw new CommandException(ExitCodes.USAGE, "expected a file or an id, found nothing", null);
    }
    try {
      Path file = Path.of(argument);
      if (Files.exists(file)) {
        return file;
      }
    } catch (InvalidPathException e) {
      // then it is no file, but perhaps an id
    }
    AgentFolder folder = folder(terminal);
    List<Path> found = argument.contains("/") ? List.of() : folder.find(argument);
    if (found.size() > 1) {
      throw new CommandException(
          ExitCodes.USAGE,
          argument + ": " + HumanText.count(found.size(), "session") + " begin so",
          "Write more of the id, or the file.");
    }
    if (found.isEmpty()) {
      throw new CommandException(
          ExitCodes.NOT_FOUND,
          argument + ": no such file, and no session in " + folder.sessions() + " with this id",
          null);
    }
    return found.getFirst();
  }
}
