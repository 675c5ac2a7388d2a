// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.jp.place.Root;
import dev.varve.jp.sweep.Sweep;
import dev.varve.jp.sweep.SweepOptions;
import dev.varve.jp.sweep.SweepReport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `varve jp gc`
@Command(
    name = "gc",
    description = {
      "Removes blobs that no conversation refers to, into blobs/.trash, where they stay for a"
          + " month.",
      "",
      "Looks at live, archived, trashed and nested conversations of each root. Keeps what was"
          + " written or used within a week, and what git needs: tracked here, or referred to on"
          + " another branch, in a stash, in a worktree. Removes nothing while a reference cannot"
          + " be read."
    },
    footer = {
      "  varve jp gc --dry-run         what would go, and why the rest would not",
      "  varve jp gc",
      "  varve jp gc --grace 0 --trash 0"
    })
final class JpGc implements Callable<Integer> {

  private final Varve varve;

  @Mixin private final JpWorkspace place = new JpWorkspace();
  @Mixin private final JsonOption output = new JsonOption();

  @Option(
      names = {"-n", "--dry-run"},
      description = "Tells what would be done, and does nothing.")
  private boolean dry;

  @Option(
      names = "--grace",
      paramLabel = "TIME",
      description = "Spares what was written or used within it: 12h, 7d (default: 7d).")
  private String grace = "7d";

  @Option(
      names = "--trash",
      paramLabel = "TIME",
      description = "How long removed blobs can be put back (default: 30d).")
  private String trash = "30d";

  JpGc(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Integer call() {
    Terminal terminal = varve.terminal();
    SweepOptions options =
        SweepOptions.DEFAULTS
            .withGrace(JpSweeps.duration("--grace", grace))
            .withTrashKept(JpSweeps.duration("--trash", trash))
            .withDry(dry);
    List<SweepReport> reports = new ArrayList<>();
    for (Root root : place.find(terminal).roots()) {
      SweepReport report;
      try (Waiting _ = Waiting.on("sweeping the " + root.kind().words() + " root", terminal)) {
        report = Sweep.run(root, terminal.clock(), options);
      }
      reports.add(report);
      if (output.json()) {
        JpSweeps.printJson(report, terminal);
      } else {
        JpSweeps.print(report, dry, terminal);
      }
    }
    return JpSweeps.status(reports);
  }
}
