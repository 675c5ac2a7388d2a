// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.rewind;

import dev.varve.cli.pi.PiOptions;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.DryRunOption;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.ProgressIndicator;
import dev.varve.cli.terminal.Terminal;
import dev.varve.json.JsonLine;
import dev.varve.rewind.Rewind;
import dev.varve.rewind.Snapshot;
import dev.varve.rewind.pi.RewindSettings;
import dev.varve.rewind.pi.RewindSettings.Retention;
import dev.varve.rewind.pi.SettingsReader;
import dev.varve.rewind.pi.SnapshotSweep;
import dev.varve.rewind.stdio.SnapshotJson;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `varve rewind gc`
@Command(
    name = "gc",
    description = {
      "Lets old snapshots go, as Pi's settings or the options say.",
      "",
      "Git collects the bytes later; in the store they stay, and their number is reported."
          + " Snapshots that a session, a running prompt or undo needs are kept. If a session"
          + " cannot be read, every snapshot is kept."
    },
    footer = {
      "  varve rewind gc --dry-run",
      "  varve rewind gc --max-snapshots 500 --max-age-days 30",
      "  varve rewind gc --all-sessions --dry-run --json"
    })
final class RewindGc implements Callable<Integer> {

  private final CommandSession command;

  @Mixin private final DryRunOption dryRun = new DryRunOption();

  @Option(
      names = "--max-snapshots",
      paramLabel = "N",
      description = "The number of unprotected snapshots to keep.")
  private @Nullable Long snapshotsMax;

  @Option(
      names = "--max-age-days",
      paramLabel = "DAYS",
      description = "The greatest age of an unprotected snapshot.")
  private @Nullable Double daysMax;

  @Option(
      names = "--all-sessions",
      description = "Lets snapshots of any session or of none go, not only of sessions begun here.")
  private boolean everySession;

  @Mixin private final WorktreeOption worktree = new WorktreeOption();
  @Mixin private final PiOptions pi = new PiOptions();
  @Mixin private final JsonOption output = new JsonOption();

  RewindGc(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    Rewind rewind = worktree.open(command);
    Retention rules = rules(SettingsReader.of(pi.agent(terminal), rewind.root()), terminal);
    if (rules.snapshotsMax() == null && rules.daysMax() == null) {
      terminal.say(
          "nothing is to go: Pi's settings have no 'rewind.retention', and there is no"
              + " --max-snapshots or --max-age-days");
    }
    SnapshotSweep.Result result;
    try (ProgressIndicator _ = ProgressIndicator.on("reading the sessions", terminal)) {
      result =
          new SnapshotSweep(rewind, rules, terminal.clock().instant(), () -> false)
              .run(pi.folder(terminal).all(), null, Set.of(), dryRun.dry());
    }
    Set<String> names = new HashSet<>();
    result.dropped().forEach(snapshot -> names.add(snapshot.commit()));
    long retainedBytes = names.isEmpty() ? 0 : rewind.retainedBytes(names);
    return output.json()
        ? json(result, retainedBytes, terminal)
        : print(result, retainedBytes, terminal);
  }

  private Retention rules(RewindSettings settings, Terminal terminal) {
    settings.problems().forEach(terminal::say);
    Retention set =
        settings.retention() == null
            ? new Retention(null, null, false, false, null)
            : settings.retention();
    if (snapshotsMax != null && snapshotsMax < 0 || daysMax != null && !(daysMax >= 0)) {
      throw new CommandException(ExitCodes.USAGE, "gc: expected numbers of 0 or more", null);
    }
    return new Retention(
        snapshotsMax != null ? snapshotsMax : set.snapshotsMax(),
        daysMax != null ? daysMax : set.daysMax(),
        set.pinLabelled(),
        everySession || set.everySession(),
        null);
  }

  private int json(SnapshotSweep.Result result, long retainedBytes, Terminal terminal) {
    new JsonLine()
        .bool("dry_run", dryRun.dry())
        .objects("dropped", result.dropped(), SnapshotJson::fields)
        .number("kept", result.kept())
        .number("pinned", result.pinned())
        .number("staying_bytes", retainedBytes)
        .text("why", result.why().isEmpty() ? null : result.why())
        .print(terminal);
    return result.why().isEmpty() ? ExitCodes.OK : ExitCodes.INPUT_OUTPUT;
  }

  private int print(SnapshotSweep.Result result, long retainedBytes, Terminal terminal) {
    if (!result.why().isEmpty()) {
      throw new CommandException(
          ExitCodes.INPUT_OUTPUT,
          "all " + HumanText.count(result.kept(), "snapshot") + " kept: " + result.why(),
          null);
    }
    if (dryRun.dry()) {
      for (Snapshot snapshot : result.dropped()) {
        terminal.println(
            SnapshotText.name(snapshot)
                + "  "
                + HumanText.time(snapshot.at(), terminal.zone())
                + (snapshot.note().isEmpty() ? "" : "  " + snapshot.note()));
      }
    }
    terminal.println(
        HumanText.count(result.dropped().size(), "snapshot")
            + (dryRun.dry() ? " would go, " : " let go, ")
            + HumanText.number(result.kept())
            + " kept, "
            + HumanText.number(result.pinned())
            + " of them at any age");
    if (retainedBytes > 0) {
      terminal.println(
          "blobs that only they held stay in the store, which deletes nothing: "
              + HumanText.size(retainedBytes));
    }
    return ExitCodes.OK;
  }
}
