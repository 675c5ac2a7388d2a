// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.jp;

import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.DryRunOption;
import dev.varve.cli.session.DurationText;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.ProgressIndicator;
import dev.varve.cli.terminal.Terminal;
import dev.varve.jp.place.Workspace;
import dev.varve.jp.place.WorkspaceRoot;
import dev.varve.jp.sweep.BlobSweep;
import dev.varve.jp.sweep.SweepDay;
import dev.varve.jp.sweep.SweepOptions;
import dev.varve.jp.sweep.SweepReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `varve jp gc`
@Command(
    name = "gc",
    description = {
      "Moves blobs to which no conversation refers into blobs/.trash, where they stay for a month.",
      "",
      "The conversations of the workspace and of the user-local root count for the blobs of both:"
          + " live, archived, trashed and nested conversations. Blobs that were written or used"
          + " within a week are kept, and blobs that git needs: tracked here, or referred to on"
          + " another branch, in a stash or in a worktree. Nothing is removed while a reference"
          + " cannot be read.",
      "",
      "With --background: quiet, once a day, for at most ten seconds, and without waiting for"
          + " anybody. JP's hooks run while JP waits: end them with '&'."
    },
    footer = {
      "  varve jp gc --dry-run         what would go, and why the rest would not",
      "  varve jp gc",
      "  varve jp gc --grace 0 --trash 0",
      "  varve jp gc --background &    on every start of something"
    })
final class JpGc implements Callable<Integer> {

  private static final Duration EVERY = Duration.ofDays(1);
  private static final String BACKGROUND_BOUND = "10s";

  private final CommandSession command;

  @Mixin private final WorkspaceOption place = new WorkspaceOption();
  @Mixin private final JsonOption output = new JsonOption();

  @Mixin private final DryRunOption dryRun = new DryRunOption();

  @Option(
      names = "--grace",
      paramLabel = "TIME",
      description =
          "Spares blobs that were written or used within this time: 12h, 7d (default: 7d).")
  private String grace = "7d";

  @Option(
      names = "--trash",
      paramLabel = "TIME",
      description = "The time for which removed blobs can be put back (default: 30d).")
  private String trash = "30d";

  @Option(
      names = "--within",
      paramLabel = "TIME",
      description = "The longest time that the sweep may take (default: no bound).")
  private @Nullable String within;

  @Option(
      names = "--background",
      description = "Quiet, once a day, within 10s, waiting for nobody.")
  private boolean background;

  JpGc(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() {
    Terminal terminal = command.terminal();
    AtomicBoolean ended = new AtomicBoolean();
    SweepOptions options = options(ended);
    // A signal ends the process when its hooks are done; what is under way is one rename.
    Thread hook = Thread.ofPlatform().unstarted(() -> ended.set(true));
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      return sweep(options, terminal);
    } finally {
      if (!ended.get()) {
        Runtime.getRuntime().removeShutdownHook(hook);
      }
    }
  }

  private SweepOptions options(AtomicBoolean ended) {
    SweepOptions options =
        SweepOptions.DEFAULTS
            .withGrace(DurationText.parse("--grace", grace))
            .withTrashKept(DurationText.parse("--trash", trash))
            .withDry(dryRun.dry());
    if (background) {
      options = options.withPatience(Duration.ZERO);
    }
    String bound = within == null && background ? BACKGROUND_BOUND : within;
    if (bound == null) {
      return options.withStop(ended::get);
    }
    Duration longest = DurationText.parse("--within", bound);
    long startNanos = System.nanoTime();
    return options
        .withPatience(options.patience().compareTo(longest) < 0 ? options.patience() : longest)
        .withStop(() -> ended.get() || System.nanoTime() - startNanos > longest.toNanos());
  }

  private int sweep(SweepOptions options, Terminal terminal) {
    Workspace workspace = place.find(terminal);
    List<SweepReport> reports = new ArrayList<>();
    for (WorkspaceRoot root : workspace.roots()) {
      if (background && SweepDay.isRecent(root, EVERY, terminal.clock())) {
        continue;
      }
      SweepReport report = sweep(workspace, root, options, terminal);
      reports.add(report);
      if (report.ending() == SweepReport.Ending.DONE && !dryRun.dry()) {
        SweepDay.note(root, terminal.clock());
      }
      if (output.json()) {
        SweepOutput.printJson(report, terminal);
      } else if (!background) {
        SweepOutput.print(report, dryRun.dry(), terminal);
      } else if (report.ending() == SweepReport.Ending.BLOCKED) {
        terminal.say(root.blobs() + ": nothing was removed: " + report.why());
      }
    }
    int status = SweepOutput.status(reports);
    return background && status == ExitCodes.UNAVAILABLE ? ExitCodes.OK : status;
  }

  private SweepReport sweep(
      Workspace workspace, WorkspaceRoot root, SweepOptions options, Terminal terminal) {
    if (background) {
      return BlobSweep.run(workspace, root, terminal.clock(), options);
    }
    try (ProgressIndicator _ =
        ProgressIndicator.on("sweeping the " + root.kind().words() + " root", terminal)) {
      return BlobSweep.run(workspace, root, terminal.clock(), options);
    }
  }
}
