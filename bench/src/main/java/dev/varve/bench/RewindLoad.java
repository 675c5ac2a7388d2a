// SPDX-License-Identifier: Apache-2.0
package dev.varve.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.varve.checkpoint.Rewind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/// Captures of a repository of many files, beside the way of the reference: a fresh temporary
/// index, `git add -A`, `git write-tree`. Both in turns, so that they meet the same machine.
///
/// `java … dev.varve.bench.RewindLoad --folder DIR [--files 20000] [--rounds 15]`. Printed are the
/// medians in wall-clock milliseconds, and processor milliseconds a capture, of this process and
/// all that it ran; Linux counts the latter in hundredths of a second.
final class RewindLoad {

  private static final int FILES_A_FOLDER = 50;
  private static final int WARMING_ROUNDS = 10;

  private final Path repository;
  private final Path index;
  private final SplittableRandom random = new SplittableRandom(1);

  private RewindLoad(Path folder) {
    this.repository = folder.resolve("repository");
    this.index = folder.resolve("index");
  }

  public static void main(String[] args) throws Exception {
    Options options = Options.of(args);
    Path folder = Folders.make(options.folder());
    try {
      RewindLoad load = new RewindLoad(folder);
      load.make(options.get("files", 20_000));
      load.run(options.get("rounds", 15));
    } finally {
      Folders.delete(folder);
    }
  }

  private void make(int files) throws IOException, InterruptedException {
    for (int i = 0; i < files; i++) {
      Files.createDirectories(file(i).getParent());
      write(i);
    }
    for (int i = 0; i < files * 3 / 5; i++) {
      Path ignored = repository.resolve("node_modules/dep" + i / 40 + "/lib/f" + i % 40 + ".js");
      Files.createDirectories(ignored.getParent());
      Files.writeString(ignored, "x");
    }
    Files.writeString(repository.resolve(".gitignore"), "node_modules/\n");
    git(Map.of(), "init", "-q");
    git(Map.of(), "add", "-A");
    git(
        Map.of(),
        "-c",
        "user.name=u",
        "-c",
        "user.email=u@localhost",
        "commit",
        "-q",
        "-m",
        "first");
    git(Map.of(), "gc", "-q");
  }

  private Path file(int i) {
    int folder = i / FILES_A_FOLDER;
    return repository.resolve(
        "src/pkg" + folder % 40 + "/mod" + folder + "/file" + i % FILES_A_FOLDER + ".ts");
  }

  private void write(int i) throws IOException {
    int bytes = (int) Math.min(60_000, Math.exp(7.9 + 0.9 * random.nextGaussian()));
    StringBuilder text = new StringBuilder();
    while (text.length() < bytes) {
      text.append("word").append(random.nextInt(10_000)).append(' ');
    }
    Files.writeString(file(i), text);
  }

  private String git(Map<String, String> variables, String... args)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of("git", "-c", "gc.auto=0"));
    words.addAll(List.of(args));
    ProcessBuilder builder =
        new ProcessBuilder(words)
            .directory(repository.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().putAll(variables);
    Process process = builder.start();
    String printed = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    if (process.waitFor() != 0) {
      throw new IOException("git " + String.join(" ", args));
    }
    return printed;
  }

  /// The way of the reference.
  private String fresh() throws IOException, InterruptedException {
    Files.deleteIfExists(index);
    Map<String, String> variables = Map.of("GIT_INDEX_FILE", index.toString());
    git(variables, "add", "-A");
    return git(variables, "write-tree");
  }

  private void run(int rounds) throws Exception {
    Rewind rewind =
        Rewind.at(repository, InstantSource.system(), Rewind.FILE_BYTES_MAX_DEFAULT).staying();
    Series first = new Series();
    first.measure(() -> rewind.capture(""));
    for (int i = 0; i < WARMING_ROUNDS; i++) {
      write(i);
      if (!rewind.capture("").tree().equals(fresh())) {
        throw new AssertionError("two ways, two trees");
      }
    }
    for (boolean change : new boolean[] {false, true}) {
      Series theirs = new Series();
      Series ours = new Series();
      for (int i = 0; i < rounds; i++) {
        if (change) {
          write(100 + i);
        }
        ours.measure(() -> rewind.capture(""));
        theirs.measure(this::fresh);
      }
      report(change ? "one file changed" : "unchanged", theirs, ours);
    }
    System.out.printf(Locale.ROOT, "first capture of a process: %.0f ms%n", first.median());
  }

  private static void report(String what, Series theirs, Series ours) {
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

  private interface Work {
    void run() throws Exception;
  }

  private static final class Series {
    private final List<Double> wallMillis = new ArrayList<>();
    private double processorMillis;

    void measure(Work work) throws Exception {
      double processor = processorNow();
      long nanos = System.nanoTime();
      work.run();
      wallMillis.add((System.nanoTime() - nanos) / 1e6);
      processorMillis += processorNow() - processor;
    }

    double median() {
      List<Double> sorted = new ArrayList<>(wallMillis);
      Collections.sort(sorted);
      return sorted.get(sorted.size() / 2);
    }

    double processor() {
      return processorMillis / wallMillis.size();
    }

    /// Of this process, and of those that it ran and that have ended.
    private static double processorNow() throws IOException {
      String stat = Files.readString(Path.of("/proc/self/stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      long hundredths = 0;
      for (int i = 11; i <= 14; i++) {
        hundredths += Long.parseLong(fields[i]);
      }
      return hundredths * 10;
    }
  }
}
