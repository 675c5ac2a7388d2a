// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.store;

import dev.varve.BlobHash;
import dev.varve.CheckReport;
import dev.varve.Store;
import dev.varve.access.DatabaseStore;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.JsonOption;
import dev.varve.cli.terminal.HumanText;
import dev.varve.cli.terminal.ProgressIndicator;
import dev.varve.cli.terminal.StyledLine;
import dev.varve.cli.terminal.Terminal;
import dev.varve.erase.ErasureProof;
import dev.varve.json.JsonLine;
import dev.varve.local.LocalStore;
import dev.varve.search.StoreSearch;
import dev.varve.server.types.TypeBundleFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `varve check`
@Command(
    name = "check",
    description = "Reads the whole store and verifies every checksum, hash and link.",
    footer = {
      "  varve check              exit status 3 if anything is damaged",
      "  varve check --rebuild    makes the indexes again from the data, then verifies"
    })
final class CheckCommand implements Callable<Integer> {

  /// A service begins its index again within about a second, and keeps it a moment later.
  private static final long LOOK_NANOS = 100_000_000;

  private static final int LOOKS_MAX = 100;

  private final CommandSession command;
  private volatile String progress = "verifying the store";

  @Option(
      names = "--rebuild",
      description = "First deletes the derived files, and makes them again from the others.")
  private boolean rebuild;

  @Option(
      names = "--erased",
      paramLabel = "RECEIPT",
      description = "Also shows that nothing is left of what an erasure took.")
  private @Nullable Path receipt;

  @Mixin private final JsonOption output = new JsonOption();

  CheckCommand(CommandSession command) {
    this.command = command;
  }

  @Override
  public Integer call() throws IOException {
    Terminal terminal = command.terminal();
    EraseReceipts.@Nullable Receipt named = receipt == null ? null : EraseReceipts.read(receipt);
    Set<BlobHash> erased = named == null ? Set.of() : named.hashes();
    CheckReport report;
    TypeBundleFiles.CheckResult bundles;
    if (rebuild) {
      command.access().rebuild();
    }
    try (Store store = command.openExisting()) {
      try (ProgressIndicator _ = ProgressIndicator.on(() -> progress, terminal)) {
        report = store.check(this::reached);
        bundles = TypeBundleFiles.check(command.storeFolder());
        report = with(report, left(store, erased));
      }
    }
    if (named != null) {
      report = with(report, PrunedRepositories.findLeft(named.git(), terminal));
    }
    report = withBundles(report, bundles);
    if (output.json()) {
      printJson(report, bundles.bundles(), terminal);
    } else {
      print(report, bundles.bundles(), terminal);
      if (!erased.isEmpty() && report.sound()) {
        terminal.println("nothing is left of " + HumanText.count(erased.size(), "erased blob"));
      }
    }
    return report.sound() ? ExitCodes.OK : ExitCodes.DAMAGED;
  }

  /// The records of erased blobs that are in any file, and the blobs that the store still gives.
  private List<CheckReport.Problem> left(Store store, Set<BlobHash> erased) {
    if (erased.isEmpty()) {
      return List.of();
    }
    progress = "looking for erased blobs";
    if (store instanceof LocalStore && Files.isWritable(command.storeFolder())) {
      // a service may have been killed while it wrote what contexts said before the erasure
      LocalStore.deleteContextRows(command.storeFolder());
    }
    if (StoreSearch.isStale(command.storeFolder())) { // a kill came before the erasure's end
      if (store instanceof LocalStore) {
        StoreSearch.deleteIndex(command.storeFolder());
      } else if (store instanceof DatabaseStore database) { // or it was another machine's
        StoreSearch.forget(command.storeFolder(), database);
        awaitService();
      }
    }
    List<CheckReport.Problem> left =
        new ArrayList<>(ErasureProof.findLeft(command.storeFolder(), erased));
    if (StoreSearch.isStale(command.storeFolder())) {
      left.add(
          new CheckReport.Problem(
              "search", 0, "search: the index may have words that were erased", true));
    }
    erased.stream()
        .filter(store::has)
        .forEach(
            hash ->
                left.add(
                    new CheckReport.Problem("", 0, "erased blob " + hash + " is there", false)));
    return left;
  }

  /// Gives a service that has the index open the time to hear of an erasure.
  private void awaitService() {
    for (int looks = 0; looks < LOOKS_MAX && StoreSearch.isStale(command.storeFolder()); looks++) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private void reached(long doneBytes, long totalBytes) {
    progress = "verifying the store, " + HumanText.percent(doneBytes, totalBytes);
  }

  private static CheckReport withBundles(CheckReport report, TypeBundleFiles.CheckResult bundles) {
    List<CheckReport.Problem> problems = new ArrayList<>();
    bundles
        .problems()
        .forEach((file, what) -> problems.add(new CheckReport.Problem(file, 0, what, false)));
    return with(report, problems);
  }

  private static CheckReport with(CheckReport report, List<CheckReport.Problem> more) {
    List<CheckReport.Problem> problems = new ArrayList<>(report.problems());
    problems.addAll(more);
    return new CheckReport(
        report.blobs(),
        report.turns(),
        report.contexts(),
        report.overlays(),
        report.newest(),
        problems);
  }

  private static void printJson(CheckReport report, int bundles, Terminal terminal) {
    CheckReport.NewestTurn newest = report.newest();
    new JsonLine()
        .bool("sound", report.sound())
        .number("blobs", report.blobs())
        .number("turns", report.turns())
        .number("contexts", report.contexts())
        .number("overlays", report.overlays())
        .number("bundles", bundles)
        .text("newest_turn", newest == null ? null : newest.id().toString())
        .text("newest_created_at", newest == null ? null : newest.createdAt().toString())
        .objects(
            "problems",
            report.problems(),
            (line, problem) ->
                line.text("file", problem.file())
                    .number("offset", problem.offset())
                    .text("what", problem.what())
                    .bool("can_be_rebuilt", problem.derived()))
        .print(terminal);
  }

  private static void print(CheckReport report, int bundles, Terminal terminal) {
    for (CheckReport.Problem problem : report.problems()) {
      String end = problem.derived() ? " (can be rebuilt)" : "";
      terminal.println(new StyledLine().add(StyledLine.Style.RED, problem.what() + end));
    }
    terminal.println(
        "verified "
            + HumanText.count(report.blobs(), "blob")
            + ", "
            + HumanText.count(report.turns(), "turn")
            + ", "
            + HumanText.count(report.contexts(), "context")
            + ", "
            + HumanText.count(report.overlays(), "overlay")
            + (bundles == 0 ? "" : ", " + HumanText.count(bundles, "bundle")));
    CheckReport.NewestTurn newest = report.newest();
    if (newest != null) {
      terminal.say("The newest turn is " + newest.id() + " of " + newest.createdAt() + ".");
    }
    if (report.sound()) {
      terminal.println(new StyledLine().add(StyledLine.Style.GREEN, "no problems"));
      return;
    }
    boolean lost = report.problems().stream().anyMatch(problem -> !problem.derived());
    terminal.println(
        new StyledLine()
            .add(StyledLine.Style.RED, HumanText.count(report.problems().size(), "problem")));
    terminal.say(
        lost
            ? "The places named above are damaged; all the rest was verified. Copy the folder"
                + " before you try to mend the store."
            : "Nothing is lost: 'varve check --rebuild' makes the damaged files again.");
  }
}
