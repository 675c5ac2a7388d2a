// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.history;

import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.Terminal;
import dev.varve.cli.terminal.TextTable;
import dev.varve.history.AgentEnvironment;
import dev.varve.history.HistoryProfile;
import dev.varve.imports.UnreadablePath;
import dev.varve.json.JsonLine;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `varve agents`
@Command(
    name = "agents",
    description =
        "Lists the agents with histories on this computer, and the part that is archived.",
    footer = {"  varve agents", "  varve agents --json"})
final class AgentsCommand implements Callable<Integer> {

  private final CommandSession command;

  @Mixin private final JsonOption output = new JsonOption();

  AgentsCommand(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    AgentEnvironment environment = HistoryProfiles.environment(terminal);
    TextTable table = new TextTable("agent", ">sessions", ">size", ">archived", "folder");
    long behind = 0;
    long unreadable = 0;
    try (Store store = existing()) {
      for (HistoryProfile profile : HistoryProfiles.ALL) {
        for (Path home : profile.homes(environment)) {
          HistoryStatus status;
          try {
            status = HistoryStatus.of(profile, home, store);
          } catch (StoreException.Invalid | StoreException.Io e) {
            terminal.say(profile.agent() + ": " + e.getMessage());
            unreadable++;
            continue;
          }
          for (UnreadablePath path : status.unreadable()) {
            terminal.say(profile.agent() + ": " + path.file() + ": " + path.why());
            unreadable++;
          }
          behind += status.sessions() - status.archived();
          if (output.json()) {
            printJson(status, profile.isExperimental(), terminal);
          } else {
            print(status, profile.isExperimental(), table);
          }
        }
      }
    }
    if (!output.json()) {
      table.print(terminal);
      if (behind > 0) {
        terminal.say("'varve sync' archives what is not archived yet.");
      }
    }
    return unreadable > 0 ? ExitCodes.INPUT_OUTPUT : ExitCodes.OK;
  }

  /// Null if there is no store: nothing is archived then.
  private @Nullable Store existing() {
    try {
      return command.openExisting();
    } catch (StoreException.NoStore e) {
      return null;
    }
  }

  private static void print(HistoryStatus status, boolean experimental, TextTable table) {
    boolean none = status.sessions() == 0;
    table.row(
        status.agent() + (experimental ? " (experimental)" : ""),
        none ? "-" : HumanText.number(status.sessions()),
        none ? "-" : HumanText.size(status.sizeBytes()),
        none ? "-" : HumanText.percent(status.archivedBytes(), status.sizeBytes()),
        status.home().toString());
  }

  private static void printJson(HistoryStatus status, boolean experimental, Terminal terminal) {
    new JsonLine()
        .text("agent", status.agent())
        .text("folder", status.home().toString())
        .number("sessions", status.sessions())
        .number("size_bytes", status.sizeBytes())
        .number("sessions_archived", status.archived())
        .number("archived_bytes", status.archivedBytes())
        .bool("experimental", experimental)
        .print(terminal);
  }
}
