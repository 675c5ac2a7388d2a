// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.checkpoint.Rewind;
import dev.varve.checkpoint.Snapshot;
import dev.varve.ledger.Settings;
import dev.varve.ledger.Settings.Retention;
import dev.varve.ledger.Sweep;
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
      "Git collects what was let go later; of snapshots in the store the bytes stay, and how many"
          + " is told. Kept is what a session stands on, what a running prompt needs, and what undo"
          + " needs. If a session cannot be read, everything is kept."
    },
    footer = {
      "  varve rewind gc --dry-run",
      "  varve rewind gc --max-snapshots 500 --max-age-days 30",
      "  varve rewind gc --all-sessions --dry-run --json"
    })
final class RewindGc implements Callable<Integer> {

  private final Varve varve;

  @Option(
      names = {"-n", "--dry-run"},
      description = "Shows what would go, and changes nothing.")
  private boolean dryRun;

  @Option(
      names = "--max-snapshots",
      paramLabel = "N",
      description = "How many are kept that nothing protects.")
  private @Nullable Long snapshotsMax;

  @Option(names = "--max-age-days", paramLabel = "DAYS", description = "How old they may be.")
  private @Nullable Double daysMax;

  @Option(
      names = "--all-sessions",
      description = "Of all sessions, and of none. Else of those that began in this worktree.")
  private boolean everySession;

  @Mixin private final WorktreeOption worktree = new WorktreeOption();
  @Mixin private final PiOptions pi = new PiOptions();
  @Mixin private final JsonOption output = new JsonOption();

  RewindGc(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    Terminal terminal = varve.terminal();
    Rewind rewind = worktree.open(terminal);
    Retention rules = rules(Settings.of(pi.agent(terminal), rewind.root()), terminal);
    if (rules.snapshotsMax() == null && rules.daysMax() == null) {
      terminal.say(
          "nothing is to go: Pi's settings have no 'rewind.retention', and there is no"
              + " --max-snapshots or --max-age-days");
    }
    Sweep.Result result;
    try (Waiting _ = Waiting.on("reading the sessions", terminal)) {
      result =
          new Sweep(rewind, rules, terminal.clock().instant(), () -> false)
              .run(pi.folder(terminal).all(), null, Set.of(), dryRun);
    }
    Set<String> names = new HashSet<>();
    result.dropped().forEach(snapshot -> names.add(snapshot.commit()));
    long staying = names.isEmpty() ? 0 : rewind.staying(names);
    return output.json() ? json(result, staying, terminal) : print(result, staying, terminal);
  }

  private Retention rules(Settings settings, Terminal terminal) {
    settings.problems().forEach(terminal::say);
    Retention set =
        settings.retention() == null
            ? new Retention(null, null, false, false, null)
            : settings.retention();
    if (snapshotsMax != null && snapshotsMax < 0 || daysMax != null && !(daysMax >= 0)) {
      throw new Refusal(ExitCodes.USAGE, "gc: expected numbers of 0 or more", null);
    }
    return new Retention(
        snapshotsMax != null ? snapshotsMax : set.snapshotsMax(),
        daysMax != null ? daysMax : set.daysMax(),
        set.pinLabelled(),
        everySession || set.everySession(),
        null);
  }

  private int json(Sweep.Result result, long staying, Terminal terminal) {
    new JsonLine()
        .bool("dry_run", dryRun)
        .objects("dropped", result.dropped(), SnapshotText::fields)
        .number("kept", result.kept())
        .number("pinned", result.pinned())
        .number("staying_bytes", staying)
        .text("why", result.why().isEmpty() ? null : result.why())
        .print(terminal);
    return result.why().isEmpty() ? ExitCodes.OK : ExitCodes.INPUT_OUTPUT;
  }

  private int print(Sweep.Result result, long staying, Terminal terminal) {
    if (!result.why().isEmpty()) {
      throw new Refusal(
          ExitCodes.INPUT_OUTPUT,
          "all " + Words.count(result.kept(), "snapshot") + " kept: " + result.why(),
          null);
    }
    if (dryRun) {
      for (Snapshot snapshot : result.dropped()) {
        terminal.println(
            SnapshotText.name(snapshot)
                + "  "
                + Words.time(snapshot.at(), terminal.zone())
                + (snapshot.note().isEmpty() ? "" : "  " + snapshot.note()));
      }
    }
    terminal.println(
        Words.count(result.dropped().size(), "snapshot")
            + (dryRun ? " would go, " : " let go, ")
            + Words.number(result.kept())
            + " kept, "
            + Words.number(result.pinned())
            + " of them whatever their age");
    if (staying > 0) {
      terminal.println(
          "what only they held stays in the store, which deletes nothing: " + Words.size(staying));
    }
    return ExitCodes.OK;
  }
}
