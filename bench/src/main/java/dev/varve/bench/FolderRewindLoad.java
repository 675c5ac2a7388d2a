// SPDX-License-Identifier: Apache-2.0
package dev.varve.bench;

import dev.varve.access.StoreAccess;
import dev.varve.access.WaitingRules;
import dev.varve.git.TreeChange;
import dev.varve.rewind.Rewind;
import dev.varve.rewind.Snapshot;
import dev.varve.rewind.folder.FolderArchive;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/// Captures of a folder of many files into a store, beside what people do without it: `cp -a` of
/// all, `rsync` with hard links to the copy before if it is installed, and git's way with a fresh
/// index (`git add -A`, `git write-tree`). All in turns, so that they meet the same machine. None
/// of them takes the ignored files.
///
/// `java … dev.varve.bench.FolderRewindLoad --folder DIR [--files 20000] [--rounds 7]`. Printed are
/// the medians in wall-clock milliseconds, processor milliseconds of this process and all that it
/// ran, and the bytes that a round leaves on the disk, files counted to their ends. The store
/// forces what it writes to the disk; the others do not.
final class FolderRewindLoad {

  private static final int WARMING_ROUNDS = 3;

  private final Path folder;
  private final Path repository;
  private final Path copies;
  private final ManyFiles files;
  private final StoreAccess access;
  private final boolean rsync;
  private int copied;

  private FolderRewindLoad(Path folder) throws IOException {
    this.folder = folder;
    this.repository = folder.resolve("repository");
    this.copies = Files.createDirectories(folder.resolve("copies"));
    this.files = new ManyFiles(repository);
    this.access = StoreAccess.of(folder.resolve("store"), WaitingRules.NONE);
    this.rsync = isInstalled("rsync");
  }

  public static void main(String[] args) throws Exception {
    BenchOptions options = BenchOptions.of(args);
    Path folder = BenchFolders.make(options.folder());
    try {
      FolderRewindLoad load = new FolderRewindLoad(folder);
      load.files.make(options.get("files", 20_000));
      Files.writeString(load.repository.resolve(".varveignore"), "node_modules/\n");
      load.run(options.get("rounds", 7));
    } finally {
      BenchFolders.delete(folder);
    }
  }

  private Rewind rewind() {
    return Rewind.of(
        FolderArchive.at(repository, access, InstantSource.system(), Rewind.FILE_BYTES_MAX_DEFAULT),
        InstantSource.system());
  }

  private void run(int rounds) throws Exception {
    Rewind rewind = rewind();
    MeasuredRuns first = new MeasuredRuns();
    first.measure(() -> rewind.capture(""));
    long stored = BenchFolders.sizeBytes(access.folder());
    prove(rewind);
    for (Way way : ways(rewind)) {
      way.work().run(); // what they leave the first time is not theirs of a round
    }
    System.out.printf(
        Locale.ROOT,
        "first capture %.0f ms, processor %.0f ms; %,d bytes of files are %,d in the store%n",
        first.median(),
        first.processor(),
        BenchFolders.sizeBytes(repository.resolve("src")),
        stored);
    for (boolean change : new boolean[] {false, true}) {
      Map<String, MeasuredRuns> ways = new LinkedHashMap<>();
      Map<String, Long> bytes = new LinkedHashMap<>();
      for (int i = 0; i < rounds; i++) {
        if (change) {
          files.write(100 + i);
        }
        for (Way way : ways(rewind)) {
          long before = ownBytes(way.where());
          ways.computeIfAbsent(way.name(), _ -> new MeasuredRuns()).measure(way.work());
          bytes.merge(way.name(), way.leaves(before), Long::sum);
        }
      }
      report(change ? "one file changed" : "unchanged", ways, bytes, rounds);
    }
  }

  /// A way to keep a state.
  ///
  /// @param where what it leaves lies below
  private record Way(String name, Path where, MeasuredRuns.Work work) {
    long leaves(long before) throws IOException {
      return ownBytes(where) - before;
    }
  }

  /// The size of all files below a folder that have no other name elsewhere.
  private static long ownBytes(Path folder) throws IOException {
    if (Files.notExists(folder)) {
      return 0;
    }
    long bytes = 0;
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : (Iterable<Path>) all.filter(Files::isRegularFile)::iterator) {
        bytes += Files.getAttribute(file, "unix:nlink").equals(1) ? Files.size(file) : 0;
      }
    }
    return bytes;
  }

  private List<Way> ways(Rewind rewind) {
    Path fresh = copies.resolve(Integer.toString(copied + 1));
    Path source = repository.resolve("src");
    List<Way> ways = new ArrayList<>();
    ways.add(new Way("varve", access.folder(), () -> rewind.capture("")));
    ways.add(
        new Way(
            "fresh index",
            repository.resolve(".git/objects"),
            () -> files.fresh(folder.resolve("index"))));
    ways.add(new Way("cp -a", fresh, () -> run("cp", "-a", source.toString(), fresh.toString())));
    if (rsync) {
      Path linked = copies.resolve("linked" + (copied + 1));
      ways.add(
          new Way(
              "rsync",
              linked,
              () ->
                  run(
                      "rsync",
                      "-a",
                      "--link-dest=" + copies.resolve("linked" + copied),
                      source + "/",
                      linked + "/")));
    }
    copied++;
    return ways;
  }

  /// Proves that a capture sees the changes, and nothing else.
  private void prove(Rewind rewind) throws IOException {
    for (int i = 0; i < WARMING_ROUNDS; i++) {
      Snapshot before = rewind.capture("");
      files.write(i);
      List<TreeChange> seen = rewind.changes(before, rewind.capture(""));
      if (seen.size() != 1 || !rewind.has(before, seen.getFirst().path())) {
        throw new AssertionError("expected one changed file, seen: " + seen);
      }
    }
  }

  private static void run(String... words) throws IOException, InterruptedException {
    if (new ProcessBuilder(words).inheritIO().start().waitFor() != 0) {
      throw new IOException(String.join(" ", words));
    }
  }

  private static boolean isInstalled(String command) {
    for (String step : System.getenv("PATH").split(":", -1)) {
      if (Files.isExecutable(Path.of(step, command))) {
        return true;
      }
    }
    return false;
  }

  private static void report(
      String what, Map<String, MeasuredRuns> ways, Map<String, Long> bytes, int rounds) {
    ways.forEach(
        (name, series) ->
            System.out.printf(
                Locale.ROOT,
                "%-17s %-12s wall %8.1f ms, processor %8.1f ms, %,15d bytes a round%n",
                what,
                name,
                series.median(),
                series.processor(),
                bytes.getOrDefault(name, 0L) / rounds));
  }
}
