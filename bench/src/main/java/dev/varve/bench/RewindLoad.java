// SPDX-License-Identifier: Apache-2.0
package dev.varve.bench;

import dev.varve.rewind.Rewind;
import dev.varve.rewind.git.GitRewind;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Locale;

/// Captures of a repository of many files, beside the way of the reference: a fresh temporary
/// index, `git add -A`, `git write-tree`. Both in turns, so that they meet the same machine.
///
/// `java … dev.varve.bench.RewindLoad --folder DIR [--files 20000] [--rounds 15]`. Printed are the
/// medians in wall-clock milliseconds, and processor milliseconds a capture, of this process and
/// all that it ran; Linux counts the latter in hundredths of a second.
final class RewindLoad {

  private static final int WARMING_ROUNDS = 10;

  private final Path repository;
  private final Path index;
  private final ManyFiles files;

  private RewindLoad(Path folder) {
    this.repository = folder.resolve("repository");
    this.index = folder.resolve("index");
    this.files = new ManyFiles(repository);
  }

  public static void main(String[] args) throws Exception {
    BenchOptions options = BenchOptions.of(args);
    Path folder = BenchFolders.make(options.folder());
    try {
      RewindLoad load = new RewindLoad(folder);
      load.files.make(options.get("files", 20_000));
      load.run(options.get("rounds", 15));
    } finally {
      BenchFolders.delete(folder);
    }
  }

  private void run(int rounds) throws Exception {
    Rewind rewind =
        GitRewind.at(repository, InstantSource.system(), Rewind.FILE_BYTES_MAX_DEFAULT)
            .withFileCache();
    MeasuredRuns first = new MeasuredRuns();
    first.measure(() -> rewind.capture(""));
    for (int i = 0; i < WARMING_ROUNDS; i++) {
      files.write(i);
      if (!rewind.capture("").tree().equals(files.fresh(index))) {
        throw new AssertionError("two ways, two trees");
      }
    }
    for (boolean change : new boolean[] {false, true}) {
      MeasuredRuns theirs = new MeasuredRuns();
      MeasuredRuns ours = new MeasuredRuns();
      for (int i = 0; i < rounds; i++) {
        if (change) {
          files.write(100 + i);
        }
        ours.measure(() -> rewind.capture(""));
        theirs.measure(() -> files.fresh(index));
      }
      report(change ? "one file changed" : "unchanged", theirs, ours);
    }
    System.out.printf(Locale.ROOT, "first capture of a process: %.0f ms%n", first.median());
  }

  private static void report(String what, MeasuredRuns theirs, MeasuredRuns ours) {
    System.out.printf(
        Locale.ROOT,
        "%-17s wall: fresh index %6.1f ms, varve %6.1f ms, 1/%.1f; processor: %6.1f ms, %6.1f ms,"
            + " 1/%.1f%n",
        what,
        theirs.median(),
        ours.median(),
        theirs.median() / ours.median(),
        theirs.processor(),
        ours.processor(),
        theirs.processor() / ours.processor());
  }
}
