// SPDX-License-Identifier: Apache-2.0
package dev.varve.bench;

import com.github.luben.zstd.ZstdOutputStream;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// `varve sync` over many transcripts of Claude Code and of Codex, and again over what did not
/// change and over a transcript that grew.
///
/// `java … dev.varve.bench.HistoryLoad --varve ./varve --folder DIR [--mb 400] [--fork-mb 50]
/// [--unchanged 5000] [--grown-mb 400]`. Starts the command as a user does. Each row has the time,
/// the processor's time, and the greatest memory of the command; the size of a store stands beside
/// the files in one archive of `zstd -3 --long=27`, also of a session with ten forks.
final class HistoryLoad {

  private static final String LINE =
      "{\"parentUuid\":%s,\"isSidechain\":false,\"userType\":\"external\",\"cwd\":\"/projects/p\",\"sessionId\":\"%s\",\"version\":\"2.1.0\",\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"%s\"},\"uuid\":\"%s\",\"timestamp\":\"2026-11-01T00:00:00.000Z\"}\n";

  private static final Pattern SESSION_ID = Pattern.compile("\"sessionId\":\"[^\"]*\"");

  private static final int FORKS = 10;

  private final Path varve;
  private final Path folder;

  private HistoryLoad(Path varve, Path folder) {
    this.varve = varve;
    this.folder = folder;
  }

  public static void main(String[] args) throws Exception {
    BenchOptions options = BenchOptions.of(args);
    Path folder = BenchFolders.make(options.folder());
    try {
      HistoryLoad load =
          new HistoryLoad(Path.of(options.get("varve", "./varve")).toAbsolutePath(), folder);
      load.many("claude-code", options.get("mb", 400) * 1_000_000L);
      load.many("codex", options.get("mb", 400) * 1_000_000L);
      load.forks(options.get("fork-mb", 50) * 1_000_000L);
      load.unchanged(options.get("unchanged", 5_000));
      load.grown(options.get("grown-mb", 400) * 1_000_000L);
    } finally {
      BenchFolders.delete(folder);
    }
  }

  private void many(String agent, long bytes) throws Exception {
    Path home = Files.createDirectories(folder.resolve(agent));
    long written =
        agent.equals("codex")
            ? SourceRollouts.write(home.resolve(".codex"), bytes)
            : claude(home, bytes);
    String what = "import of %,d MB of %s".formatted(written / 1_000_000, agent);
    sized(what, agent, home, written);
    BenchFolders.delete(home);
  }

  /// A session alone, and then with ten forks: copies of its lines with another session's id.
  private void forks(long bytes) throws Exception {
    Path home = folder.resolve("forks");
    Path project = Files.createDirectories(home.resolve(".claude/projects/-projects-p"));
    String id = new UUID(9, 0).toString();
    Path session = project.resolve(id + ".jsonl");
    long written;
    try (BufferedWriter out = Files.newBufferedWriter(session)) {
      written =
          SourceTranscripts.write(
              bytes,
              line -> {
                try {
                  out.write(SESSION_ID.matcher(line).replaceFirst("\"sessionId\":\"" + id + "\""));
                  out.write('\n');
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
    sized(
        "import of a session of %,d MB".formatted(written / 1_000_000),
        "claude-code",
        home,
        written);
    for (int i = 1; i <= FORKS; i++) {
      String fork = new UUID(9, i).toString();
      try (BufferedWriter out = Files.newBufferedWriter(project.resolve(fork + ".jsonl"));
          Stream<String> lines = Files.lines(session)) {
        for (String line : (Iterable<String>) lines::iterator) {
          out.write(line.replace(id, fork));
          out.write('\n');
        }
      }
    }
    sized("the session with %d forks".formatted(FORKS), "claude-code", home, (FORKS + 1) * written);
    BenchFolders.delete(home);
  }

  /// Imports a home into a store of its own, and prints the size of the store beside the archive's.
  private void sized(String what, String agent, Path home, long written) throws Exception {
    long packed = zstdBytes(home);
    Path store = folder.resolve(agent + "-store");
    sync(what, agent, home, store, written);
    System.out.printf(
        "  size: store %,d MB, zstd -3 --long=27 %,d MB, ratio %.2f%n",
        usedBytes(store) / 1_000_000, packed / 1_000_000, (double) usedBytes(store) / packed);
    BenchFolders.delete(store);
  }

  private void unchanged(int count) throws Exception {
    Path home = folder.resolve("small");
    Path project = Files.createDirectories(home.resolve(".claude/projects/-projects-p"));
    for (int i = 0; i < count; i++) {
      String id = new UUID(i, i).toString();
      Files.writeString(
          project.resolve(id + ".jsonl"),
          LINE.formatted("null", id, "Question " + i, new UUID(i, -1)));
    }
    Path store = folder.resolve("small-store");
    sync("import of %,d small files".formatted(count), "claude-code", home, store, 0);
    Thread.sleep(3_000); // files that changed this moment are looked at once more
    sync("the same files again", "claude-code", home, store, 0);
    sync("and again, unchanged", "claude-code", home, store, 0);
  }

  private void grown(long bytes) throws Exception {
    Path home = folder.resolve("grown");
    String id = new UUID(7, 7).toString();
    Path file =
        Files.createDirectories(home.resolve(".claude/projects/-projects-p"))
            .resolve(id + ".jsonl");
    @Nullable UUID last = null;
    long written = 0;
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      for (long n = 0; written < bytes; n++) {
        UUID next = new UUID(n, 1);
        String line = line(last, id, next, "word %d ".formatted(n * 7919).repeat(150));
        out.write(line);
        written += line.length();
        last = next;
      }
    }
    Path store = folder.resolve("grown-store");
    Thread.sleep(3_000);
    sync(
        "import of one file of %,d MB".formatted(written / 1_000_000),
        "claude-code",
        home,
        store,
        written);
    for (int i = 0; i < 3; i++) {
      UUID next = new UUID(i, 2);
      Files.writeString(
          file,
          line(last, id, next, "more %d ".formatted(i).repeat(1_400)),
          StandardOpenOption.APPEND);
      last = next;
      sync("the file after it grew by 10 KB", "claude-code", home, store, 0);
    }
  }

  private static String line(@Nullable UUID parent, String session, UUID id, String text) {
    return LINE.formatted(parent == null ? "null" : "\"" + parent + "\"", session, text, id);
  }

  /// Writes transcripts of Claude Code below a home.
  private static long claude(Path home, long bytes) throws IOException {
    Path projects = home.resolve(".claude/projects");
    long[] lines = new long[1];
    BufferedWriter[] out = new BufferedWriter[1];
    try {
      return SourceTranscripts.write(
          bytes,
          line -> {
            try {
              long conversation = SourceTranscripts.conversation(lines[0]);
              if (lines[0] == 0 || conversation != SourceTranscripts.conversation(lines[0] - 1)) {
                if (out[0] != null) {
                  out[0].close();
                }
                Path project =
                    Files.createDirectories(projects.resolve("-projects-p" + conversation % 40));
                out[0] =
                    Files.newBufferedWriter(
                        project.resolve(SourceTranscripts.session(conversation) + ".jsonl"));
              }
              lines[0]++;
              out[0].write(line);
              out[0].write('\n');
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    } finally {
      if (out[0] != null) {
        out[0].close();
      }
    }
  }

  /// Runs `varve sync`, and prints the cost.
  ///
  /// @param bytes what is read, for the rate; 0 for none
  private void sync(String what, String agent, Path home, Path store, long bytes) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
                List.of(varve.toString(), "sync", agent, "--quiet", "--store", store.toString()))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    builder
        .environment()
        .putAll(Map.of("HOME", home.toString(), "CODEX_HOME", home.resolve(".codex").toString()));
    MeasuredRuns runs = new MeasuredRuns();
    long[] memoryKb = new long[1];
    runs.measure(
        () -> {
          Process process = builder.start();
          while (process.isAlive()) {
            memoryKb[0] = Math.max(memoryKb[0], peakMemoryKb(process.pid()));
            Thread.sleep(20);
          }
          if (process.waitFor() != 0) {
            throw new IOException("varve sync ended with " + process.exitValue());
          }
        });
    System.out.printf(
        "%-46s %8.2f s, processor %7.2f s%s, memory %,d MB%n",
        what,
        runs.median() / 1_000,
        runs.processor() / 1_000,
        bytes == 0
            ? ""
            : ", %.0f MB a second of the processor".formatted(bytes / 1_000.0 / runs.processor()),
        memoryKb[0] / 1_000);
  }

  private static long peakMemoryKb(long pid) {
    try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/status"))) {
      return lines
          .filter(line -> line.startsWith("VmHWM:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D+", "")))
          .findFirst()
          .orElse(0);
    } catch (IOException | UncheckedIOException e) {
      return 0; // the process has ended
    }
  }

  /// The bytes that a store takes on the disk, without what is set aside for later.
  private static long usedBytes(Path store) throws Exception {
    Process process = new ProcessBuilder("du", "-sB1", store.toString()).start();
    String printed =
        new String(
            process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    return Long.parseLong(printed.split("\t", -1)[0]);
  }

  private static long zstdBytes(Path home) throws IOException {
    long[] count = new long[1];
    OutputStream counting =
        new OutputStream() {
          @Override
          public void write(int b) {
            count[0]++;
          }

          @Override
          public void write(byte[] bytes, int from, int length) {
            count[0] += length;
          }
        };
    try (ZstdOutputStream out = new ZstdOutputStream(counting, 3).setLong(27);
        Stream<Path> files = Files.walk(home)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        Files.copy(file, out);
      }
    }
    return count[0];
  }
}
