// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.history;

import dev.varve.StoreException;
import dev.varve.access.StoreAccess;
import dev.varve.access.WaitingRules;
import dev.varve.cli.imports.ImportOutput;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.StopSignal;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.SafeText;
import dev.varve.cli.terminal.Terminal;
import dev.varve.history.AgentEnvironment;
import dev.varve.history.HistoryProfile;
import dev.varve.history.watch.HistoryWatch;
import dev.varve.history.watch.WatchListener;
import dev.varve.history.watch.WatchPace;
import dev.varve.history.watch.WatchedHome;
import dev.varve.imports.ImportReport;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// `varve sync --watch`: runs a watch, and says what it does.
final class SyncWatch implements WatchListener {

  /// A store that is open elsewhere is tried again later; a signal must not wait longer.
  private static final WaitingRules PATIENCE = WaitingRules.NONE.withEach(Duration.ofSeconds(2));

  private static final int COLUMNS_DEFAULT = 80;
  private static final int TIME_FROM = "2026-11-29 ".length();

  private final CommandSession command;
  private final Terminal terminal;
  private final List<HistoryProfile> profiles;
  private final @Nullable ImportOutput json;

  /// @param json whether each archived session is one JSON object in a line
  SyncWatch(CommandSession command, List<HistoryProfile> profiles, boolean json) {
    this.command = command;
    this.terminal = command.terminal();
    this.profiles = profiles;
    this.json = json ? new ImportOutput(terminal, true) : null;
  }

  /// Watches until the process is asked to stop.
  int run() {
    StoreAccess access = command.address().access(PATIENCE);
    refuseNoStore(access);
    HistoryWatch watch =
        new HistoryWatch(
            this::homes, access::openForImport, terminal.clock(), WatchPace.DEFAULTS, this);
    try (StopSignal _ = StopSignal.on(watch::stop)) {
      watch.run(service());
      terminal.flush();
    } catch (IOException e) {
      throw new StoreException.Io("notifications", "cannot be closed", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return ExitCodes.OK;
  }

  /// A folder that is no store is refused before the watch begins.
  private static void refuseNoStore(StoreAccess access) {
    try {
      access.openForImport().close();
    } catch (StoreException.Busy e) {
      // it is a store; the watch waits for it
    }
  }

  private List<WatchedHome> homes() {
    AgentEnvironment environment = HistoryProfiles.environment(terminal);
    return profiles.stream()
        .flatMap(
            profile ->
                profile.homes(environment).stream().map(home -> new WatchedHome(profile, home)))
        .toList();
  }

  private @Nullable WatchService service() {
    try {
      return FileSystems.getDefault().newWatchService();
    } catch (IOException | UnsupportedOperationException e) {
      trouble("no notifications of changes, looking from time to time: " + e.getMessage());
      return null;
    }
  }

  @Override
  public void begins() {
    terminal.say("watching; Control-C stops it.");
  }

  @Override
  public void archived(String agent, ImportReport report) {
    if (json != null) {
      json.done(report, line -> line.text("agent", agent));
      terminal.flush();
    } else if (terminal.errIsTerminal()) {
      say(agent, report, HumanText.count(report.records().turnsNew(), "turn"), report.title());
    }
  }

  private void say(String agent, ImportReport report, String turns, String title) {
    String time = HumanText.time(terminal.clock().instant(), terminal.zone()).substring(TIME_FROM);
    String outcome = report.outcome().name().toLowerCase(Locale.ROOT);
    String line = "%s  %-11s  %-9s  %-9s  %s".formatted(time, agent, outcome, turns, title);
    int columns = terminal.outIsTerminal() ? terminal.columns() : COLUMNS_DEFAULT;
    terminal.say(SafeText.cut(SafeText.line(line).stripTrailing(), columns));
  }

  @Override
  public void failed(String agent, ImportReport report) {
    if (json != null) {
      json.done(report, line -> line.text("agent", agent));
      terminal.flush();
    }
    trouble(report.source() + ": " + report.problems().first().getFirst().what());
  }

  @Override
  public void trouble(String what) {
    terminal.say("varve: " + what + "; tried again later");
  }

  /// The memory that an import took is given back to the system.
  @Override
  public void idle() {
    System.gc();
  }
}
