// SPDX-License-Identifier: Apache-2.0
package dev.varve.bench;

import dev.varve.jp.ConversationText;
import dev.varve.jp.CopyReport;
import dev.varve.jp.CopyRewriter;
import dev.varve.jp.WorkspaceContents;
import dev.varve.jp.blobs.BlobFolder;
import dev.varve.jp.blobs.Sha256;
import dev.varve.jp.place.Conversation;
import dev.varve.jp.place.Workspace;
import dev.varve.jp.sweep.BlobSweep;
import dev.varve.jp.sweep.SweepOptions;
import dev.varve.jp.sweep.SweepReport;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/// Workspaces of JP: a real one and copies of it there and back, and sweeps of many small
/// conversations.
///
/// `java -Xmx256m … dev.varve.bench.JpLoad --folder DIR [--workspace DIR] [--copies 100] [--rounds
/// 5]`. The workspace is a folder with a `.jp`; without one only the sweeps are measured. Each step
/// prints milliseconds, how many of them its thread computed (what counts on a machine that others
/// use), and the greatest use of the heap so far.
final class JpLoad {

  private static final InstantSource CLOCK = InstantSource.system();
  private static final int BLOB_BYTES_MAX = 64 << 20;

  private JpLoad() {}

  public static void main(String[] args) throws Exception {
    BenchOptions options = BenchOptions.of(args);
    Path folder = BenchFolders.make(options.folder());
    try {
      String workspace = options.get("workspace", "");
      if (!workspace.isEmpty()) {
        int copies = options.get("copies", 100);
        real(Path.of(workspace), folder.resolve("one"), 1);
        real(Path.of(workspace), folder.resolve("many"), copies);
      }
      int rounds = options.get("rounds", 5);
      small(folder.resolve("small"), 100, 1_000, rounds);
      small(folder.resolve("large"), 1_000, 10_000, rounds);
      small(folder.resolve("huge"), 10_000, 10_000, rounds);
    } finally {
      BenchFolders.delete(folder);
    }
  }

  // ---- a real workspace, `copies` times

  private static void real(Path from, Path to, int copies) throws Exception {
    Path source = from.resolve(".jp").resolve("conversations");
    Path target = Files.createDirectories(to.resolve(".jp").resolve("conversations"));
    try (Stream<Path> folders = Files.list(source)) {
      for (Path each : folders.filter(path -> !path.endsWith(".archive")).toList()) {
        for (int i = 0; i < copies; i++) {
          copy(each, target, i);
        }
      }
    }
    Workspace workspace = Workspace.find(to, to.resolve("nobody"));
    List<Conversation> conversations = workspace.conversations(_ -> {});
    String what =
        conversations.size() + " conversations, " + BenchFolders.sizeBytes(target) + " bytes";
    System.out.println(what);
    CopyRewriter rewriting = new CopyRewriter(workspace, CLOCK, BLOB_BYTES_MAX);
    long[] bytes = {0};
    timed("read the files", () -> read(conversations));
    timed("externalize", () -> rewrite(conversations, rewriting, true));
    timed("externalize again", () -> rewrite(conversations, rewriting, true));
    timed(
        "print",
        () -> {
          for (Conversation conversation : conversations) {
            WorkspaceContents contents =
                new WorkspaceContents(
                    workspace, conversation.newest().root(), CLOCK, BLOB_BYTES_MAX);
            List<String> problems =
                ConversationText.write(
                    conversation.newest(),
                    contents,
                    Integer.MAX_VALUE,
                    Integer.MAX_VALUE,
                    text -> bytes[0] += text.length());
            demand(problems.isEmpty(), String.join(", ", problems));
          }
          return bytes[0];
        });
    timed("sweep", () -> sweep(workspace, Duration.ofDays(7)).referenced());
    timed("inline", () -> rewrite(conversations, rewriting, false));
  }

  private static void copy(Path conversation, Path target, int number) throws IOException {
    String name = String.valueOf(conversation.getFileName());
    String digits = name.replaceFirst("-.*", "");
    Path folder =
        Files.createDirectory(target.resolve(digits + String.format("%04d", number) + "-copy"));
    try (Stream<Path> files = Files.list(conversation)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, folder.resolve(file.getFileName()));
      }
    }
  }

  private static long read(List<Conversation> conversations) throws IOException {
    long bytes = 0;
    for (Conversation conversation : conversations) {
      bytes += Files.readAllBytes(conversation.newest().events()).length;
    }
    return bytes;
  }

  private static long rewrite(
      List<Conversation> conversations, CopyRewriter rewriting, boolean externalize) {
    long payloads = 0;
    for (Conversation conversation : conversations) {
      List<CopyReport> reports =
          externalize
              ? rewriting.externalize(conversation, false)
              : rewriting.inline(conversation, false);
      for (CopyReport report : reports) {
        demand(report.isWhole(), report.toString());
        payloads += report.payloads().count();
      }
    }
    return payloads;
  }

  private static SweepReport sweep(Workspace workspace, Duration grace) {
    SweepReport report =
        BlobSweep.run(workspace, workspace.shared(), CLOCK, SweepOptions.DEFAULTS.withGrace(grace));
    demand(report.ending() == SweepReport.Ending.DONE, String.valueOf(report.why()));
    return report;
  }

  // ---- many small conversations

  private static void small(Path folder, int conversations, int blobs, int rounds)
      throws Exception {
    Path storage = Files.createDirectories(folder.resolve(".jp"));
    List<Sha256> hashes = new ArrayList<>();
    BlobFolder store = new BlobFolder(storage.resolve("blobs"), CLOCK);
    for (int i = 0; i < blobs; i++) {
      byte[] content = ("content " + i).getBytes(StandardCharsets.UTF_8);
      hashes.add(Sha256.of(content));
      write(store.file(hashes.getLast()), content); // unforced: it is the sweep that is measured
    }
    for (int i = 0; i < conversations; i++) {
      Path conversation =
          Files.createDirectories(storage.resolve("conversations").resolve("" + (10_000_000L + i)));
      StringBuilder events = new StringBuilder("[");
      for (int k = 0; k < 10; k++) {
        events
            .append(k == 0 ? "" : ",")
            .append(
                "{\"timestamp\":\"x\",\"type\":\"tool_call_response\",\"id\":\"a\",\"content\":")
            .append("[{\"type\":\"text\",\"content\":{\"$blob\":\"")
            .append(hashes.get((i * 10 + k) % blobs))
            .append("\",\"size\":10}}],\"is_error\":false}");
      }
      Files.writeString(conversation.resolve("events.json"), events.append("]\n"));
      Files.writeString(conversation.resolve("metadata.json"), "{}");
    }
    Workspace workspace = Workspace.find(folder, folder.resolve("nobody"));
    System.out.println(conversations + " small conversations, " + blobs + " blobs");
    for (int i = 0; i < rounds; i++) {
      timed("sweep", () -> sweep(workspace, Duration.ofDays(7)).referenced());
    }
  }

  private static void write(Path file, byte[] content) throws IOException {
    Files.createDirectories(file.getParent());
    try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(content);
    }
  }

  // ---- measuring

  private static void timed(String what, Callable<Long> work) throws Exception {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long startNanos = System.nanoTime();
    long startCpuNanos = threads.getCurrentThreadCpuTime();
    long result = work.call();
    double cpuMillis = (threads.getCurrentThreadCpuTime() - startCpuNanos) / 1e6;
    double millis = (System.nanoTime() - startNanos) / 1e6;
    long peakBytes =
        ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .map(MemoryPoolMXBean::getPeakUsage)
            .mapToLong(usage -> usage.getUsed())
            .sum();
    System.out.printf(
        "  %-20s %10.1f ms, %10.1f of them computing   (%d)   heap at most %d MiB%n",
        what, millis, cpuMillis, result, peakBytes >> 20);
  }

  private static void demand(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }
}
