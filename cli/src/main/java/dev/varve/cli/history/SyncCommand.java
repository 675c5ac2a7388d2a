// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.history;

import dev.varve.Store;
import dev.varve.cli.imports.ImportOutput;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.ProgressIndicator;
import dev.varve.cli.terminal.Terminal;
import dev.varve.history.AgentEnvironment;
import dev.varve.history.HistoryProfile;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `varve sync`
@Command(
    name = "sync",
    description = {
      "Archives the histories of the agents on this computer that Varve knows.",
      "",
      "Files are only read. A later call adds only new records. With --watch, the",
      "command stays and archives what the agents write while they write it."
    },
    footer = {
      "  varve sync              all agents",
      "  varve sync codex        one of them",
      "  varve sync --watch      until Control-C or a signal stops it",
      "  varve sync --install    how to have the system keep a watch running",
      "  varve agents            what there is, and how much of it is archived"
    })
final class SyncCommand implements Callable<Integer> {

  private final CommandSession command;

  @Parameters(arity = "0..*", paramLabel = "AGENT", description = "Only these agents.")
  private List<String> agents = List.of();

  @Option(names = "--watch", description = "Stays, and archives each change within about a second.")
  private boolean watches;

  @Option(
      names = "--install",
      description = "Prints what makes the system keep a watch running; installs nothing.")
  private boolean installs;

  @Option(
      names = "--write",
      description = "With --install: writes it where the system looks for it.")
  private boolean writes;

  @Mixin private final JsonOption output = new JsonOption();

  SyncCommand(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    if (installs && watches || writes && !installs) {
      throw new CommandException(
          ExitCodes.USAGE,
          writes && !installs
              ? "--write: expected --install, too"
              : "--install and --watch: expected one of them",
          null);
    }
    List<HistoryProfile> profiles =
        agents.isEmpty()
            ? HistoryProfiles.ALL
            : agents.stream().distinct().map(SyncCommand::profile).toList();
    if (installs) {
      return install(profiles);
    }
    return watches ? new SyncWatch(command, profiles, output.json()).run() : sync(profiles);
  }

  private int install(List<HistoryProfile> profiles) {
    Terminal terminal = command.terminal();
    WatchCall call = WatchCall.of(terminal, command.requireFolder(), agents, profiles);
    SyncInstallation installation =
        new SyncInstallation(SystemSupervisor.unit(call, terminal), terminal);
    return writes ? installation.write(output.json()) : installation.print(output.json());
  }

  private int sync(List<HistoryProfile> profiles) {
    Terminal terminal = command.terminal();
    AgentEnvironment environment = HistoryProfiles.environment(terminal);
    ImportOutput listener = new ImportOutput(terminal, output.json());
    try (Store store = command.openForImport();
        ProgressIndicator _ = ProgressIndicator.on(listener::progress, terminal)) {
      for (HistoryProfile profile : profiles) {
        for (Path home : profile.homes(environment)) {
          new HistorySources(store, profile, terminal.clock(), listener).home(home);
        }
      }
    }
    listener.printSummary();
    return listener.failed() > 0 ? ExitCodes.INPUT_OUTPUT : ExitCodes.OK;
  }

  private static HistoryProfile profile(String agent) {
    return HistoryProfiles.find(agent)
        .orElseThrow(
            () ->
                new CommandException(
                    ExitCodes.USAGE,
                    agent + ": no such agent",
                    "'varve agents' lists the known agents."));
  }
}
