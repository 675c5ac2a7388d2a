// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.jp.place.Root;
import dev.varve.jp.sweep.Sweep;
import dev.varve.jp.sweep.SweepDay;
import dev.varve.jp.sweep.SweepOptions;
import dev.varve.jp.sweep.SweepReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `varve jp sweep`
@Command(
    name = "sweep",
    description = {
      "Does what 'varve jp gc' does, within a bounded time. May be ended at any moment.",
      "",
      "With --background: says nothing but errors, waits for nobody, and does nothing if the last"
          + " one was less than a day ago. It stays in the foreground of its process: start it with"
          + " '&' or from a hook."
    },
    footer = {
      "  varve jp sweep --background &       on every start of something",
      "  varve jp sweep --within 2s"
    })
final class JpSweep implements Callable<Integer> {

  private static final Duration EVERY = Duration.ofDays(1);
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final Varve varve;

  @Mixin private final JpWorkspace place = new JpWorkspace();
  @Mixin private final JsonOption output = new JsonOption();

  @Option(names = "--background", description = "Quiet, at once or not at all, once a day.")
  private boolean background;

  @Option(
      names = "--within",
      paramLabel = "TIME",
      description = "How long it may take (default: 10s).")
  private String within = "10s";

  JpSweep(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    Terminal terminal = varve.terminal();
    Duration bound = JpSweeps.duration("--within", within);
    long startNanos = System.nanoTime();
    AtomicBoolean told = new AtomicBoolean();
    SweepOptions options =
        SweepOptions.DEFAULTS
            .withPatience(background || bound.compareTo(PATIENCE) < 0 ? Duration.ZERO : PATIENCE)
            .withStop(() -> told.get() || System.nanoTime() - startNanos > bound.toNanos());
    // A signal ends the process when its hooks are done; what is under way is one rename.
    Thread hook = Thread.ofPlatform().unstarted(() -> told.set(true));
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      return sweep(options, terminal);
    } finally {
      if (!told.get()) {
        Runtime.getRuntime().removeShutdownHook(hook);
      }
    }
  }

  private int sweep(SweepOptions options, Terminal terminal) {
    List<SweepReport> reports = new ArrayList<>();
    for (Root root : place.find(terminal).roots()) {
      if (background && SweepDay.isRecent(root, EVERY, terminal.clock())) {
        continue;
      }
      SweepReport report = Sweep.run(root, terminal.clock(), options);
      reports.add(report);
      if (report.ending() == SweepReport.Ending.DONE) {
        SweepDay.note(root, terminal.clock());
      }
      if (output.json()) {
        JpSweeps.printJson(report, terminal);
      } else if (!background) {
        JpSweeps.print(report, false, terminal);
      } else if (report.ending() == SweepReport.Ending.BLOCKED) {
        terminal.say(root.blobs() + ": not swept: " + report.why());
      }
    }
    int status = JpSweeps.status(reports);
    return background && status == ExitCodes.UNAVAILABLE ? ExitCodes.OK : status;
  }
}
