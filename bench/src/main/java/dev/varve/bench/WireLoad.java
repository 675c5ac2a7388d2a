// SPDX-License-Identifier: Apache-2.0
package dev.varve.bench;

import dev.varve.Payload;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Appends and reads over loopback by many connections, side by side: each contender in turn, round
/// after round.
///
/// `java -cp bench/target/bench.jar dev.varve.bench.WireLoad [--connections 1,16,64,512] [--rounds
/// 3] [--seconds 3] [--warm 10] [--contenders bare,varve,varve-unforced] [--cxdb HOST:PORT]
/// [--sizes 10k|mixed] [--reads yes] [--page 64] [--cold 200] [--idle 512] [--folder DIR]`
///
/// Each contender is a process of its own, and so are the clients. `--cxdb` adds a server that runs
/// elsewhere.
final class WireLoad {

  static final int PAYLOAD_BYTES = 10 * 1024;
  static final int PAGE_TURNS = 64;

  private record Result(double perSecond, long p50, long p99, long p999, double cpuMicros) {}

  /// The work that a connection repeats.
  private interface Work {
    void run(WireClient client, long context, int count) throws Exception;
  }

  private WireLoad() {}

  public static void main(String[] args) throws Exception {
    BenchOptions options = BenchOptions.of(args);
    if (options.get("idle", 0) > 0) {
      idle(options.get("idle", 0), options.folder());
      return;
    }
    if (options.get("cold", 0) > 0) {
      ColdReads.measure(options.get("cold", 0), options.folder());
      return;
    }
    List<String> contenders =
        new ArrayList<>(
            List.of(options.get("contenders", "bare,varve,varve-unforced").split(",", -1)));
    String cxdb = options.get("cxdb", "");
    if (!cxdb.isEmpty()) {
      contenders.add("cxdb");
    }
    for (String connections : options.get("connections", "1,16,64,512").split(",", -1)) {
      compare(contenders, Integer.parseInt(connections), options, cxdb);
    }
  }

  private static void compare(
      List<String> contenders, int connections, BenchOptions options, String cxdb)
      throws Exception {
    boolean reads = options.is("reads");
    int rounds = options.get("rounds", 3);
    Map<String, List<Result>> results = new LinkedHashMap<>();
    Map<String, WireServer> servers = new LinkedHashMap<>();
    List<Path> folders = new ArrayList<>();
    try {
      for (String name : contenders) {
        if (!name.equals("cxdb")) {
          Path folder = BenchFolders.make(options.folder());
          folders.add(folder);
          servers.put(name, WireServer.start(name, folder, 0));
        }
      }
      for (int round = 0; round <= rounds; round++) {
        double seconds = round == 0 ? options.get("warm", 10.0) : options.get("seconds", 3.0);
        for (String name : contenders) {
          if (!(reads && name.startsWith("bare"))) {
            WireServer server = servers.get(name);
            InetSocketAddress address = server == null ? address(cxdb) : server.address();
            Work work =
                reads
                    ? reading(options.get("page", PAGE_TURNS))
                    : appending(options.get("sizes", "10k"));
            Result result = measure(server, address, connections, seconds, work, reads);
            if (round > 0) {
              results.computeIfAbsent(name, _ -> new ArrayList<>()).add(result);
            }
          }
        }
      }
    } finally {
      for (WireServer server : servers.values()) {
        server.close();
      }
      for (Path folder : folders) {
        BenchFolders.delete(folder);
      }
    }
    print(
        connections,
        rounds,
        reads ? "GET_LAST " + options.get("page", PAGE_TURNS) : "appends",
        results);
  }

  private static InetSocketAddress address(String text) {
    int colon = text.lastIndexOf(':');
    return new InetSocketAddress(
        text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
  }

  private static void print(
      int connections, int rounds, String what, Map<String, List<Result>> results) {
    System.out.printf("%n%d connection(s), %s, %d rounds, medians%n%n", connections, what, rounds);
    System.out.println(
        "| contender | a second | against the first | p50 us | p99 us | p99.9 us | server CPU us"
            + " each |");
    System.out.println("|---|---:|---:|---:|---:|---:|---:|");
    double first = 0;
    for (Map.Entry<String, List<Result>> entry : results.entrySet()) {
      List<Result> of = entry.getValue();
      double rate = median(of.stream().mapToDouble(Result::perSecond).toArray());
      first = first == 0 ? rate : first;
      System.out.printf(
          "| %s | %.0f | %.2f | %.0f | %.0f | %.0f | %.0f |%n",
          entry.getKey(),
          rate,
          rate / first,
          median(of.stream().mapToDouble(Result::p50).toArray()) / 1e3,
          median(of.stream().mapToDouble(Result::p99).toArray()) / 1e3,
          median(of.stream().mapToDouble(Result::p999).toArray()) / 1e3,
          median(of.stream().mapToDouble(Result::cpuMicros).toArray()));
    }
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static Result measure(
      @Nullable WireServer server,
      InetSocketAddress address,
      int connections,
      double seconds,
      Work work,
      boolean reads)
      throws Exception {
    long[][] nanos = new long[connections][];
    AtomicBoolean stop = new AtomicBoolean();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    CountDownLatch ready = new CountDownLatch(connections);
    CountDownLatch go = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      int number = i;
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    try (WireClient client = new WireClient(address)) {
                      long context = client.createContext();
                      if (reads) {
                        fill(client, context, number);
                      }
                      ready.countDown();
                      go.await();
                      nanos[number] = repeat(client, context, work, stop);
                    } catch (Exception e) {
                      failure.compareAndSet(null, e);
                      ready.countDown();
                    }
                  }));
    }
    ready.await();
    long cpuStart = server == null ? 0 : server.cpuNanos();
    long start = System.nanoTime();
    go.countDown();
    Thread.sleep((long) (seconds * 1000));
    stop.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
    double elapsed = (System.nanoTime() - start) / 1e9;
    if (failure.get() != null) {
      throw new AssertionError("a client failed", failure.get());
    }
    long[] all = Arrays.stream(nanos).flatMapToLong(Arrays::stream).sorted().toArray();
    double cpu = server == null ? Double.NaN : (server.cpuNanos() - cpuStart) / 1e3 / all.length;
    return new Result(
        all.length / elapsed,
        all[all.length / 2],
        all[(int) (all.length * 0.99)],
        all[(int) (all.length * 0.999)],
        cpu);
  }

  private static long[] repeat(WireClient client, long context, Work work, AtomicBoolean stop)
      throws Exception {
    long[] nanos = new long[1024];
    int count = 0;
    while (!stop.get()) {
      long start = System.nanoTime();
      work.run(client, context, count);
      if (count == nanos.length) {
        nanos = Arrays.copyOf(nanos, 2 * count);
      }
      nanos[count++] = System.nanoTime() - start;
    }
    return Arrays.copyOf(nanos, count);
  }

  static void fill(WireClient client, long context, int number) throws Exception {
    for (int i = 0; i < PAGE_TURNS; i++) {
      client.append(context, SamplePayloads.of(64L * number + i, PAYLOAD_BYTES), Payload.EMPTY);
    }
    if (client.last(context, PAGE_TURNS).items().size() != PAGE_TURNS) {
      throw new AssertionError("not all are there");
    }
  }

  private static Work reading(int turns) {
    return (client, context, count) -> {
      if (client.lastBytes(context, turns) < turns * PAYLOAD_BYTES) {
        throw new AssertionError("a page is not whole");
      }
    };
  }

  private static Work appending(String sizes) {
    return (client, context, count) ->
        client.append(context, payload(context, count, sizes), Payload.EMPTY);
  }

  /// No two are the same, so none is already stored.
  static byte[] payload(long context, int count, String sizes) {
    int sizeBytes = sizes.equals("mixed") ? mixed(context * 31 + count) : PAYLOAD_BYTES;
    byte[] piece = SamplePayloads.of((context << 24) + count, Math.min(sizeBytes, PAYLOAD_BYTES));
    if (sizeBytes == piece.length) {
      return piece;
    }
    byte[] payload = new byte[sizeBytes];
    for (int at = 0; at < sizeBytes; at += piece.length) {
      System.arraycopy(piece, 0, payload, at, Math.min(piece.length, sizeBytes - at));
    }
    return payload;
  }

  private static int mixed(long seed) {
    int percent = new SplittableRandom(seed).nextInt(100);
    return percent < 60 ? 2_000 : percent < 90 ? PAYLOAD_BYTES : percent < 99 ? 100_000 : 1_000_000;
  }

  /// Measures the cost of connections that do nothing.
  private static void idle(int connections, Path parent) throws Exception {
    Path folder = BenchFolders.make(parent);
    List<WireClient> clients = new ArrayList<>();
    try (WireServer server = WireServer.start("varve", folder, 0)) {
      for (int i = 0; i < 50; i++) {
        try (WireClient warm = new WireClient(server.address())) {
          warm.createContext();
        }
      }
      long before = residentKb(server.pid());
      for (int i = 0; i < connections; i++) {
        WireClient client = new WireClient(server.address());
        client.createContext();
        clients.add(client);
      }
      long after = residentKb(server.pid());
      System.out.printf(
          "%d idle connections: resident memory grew by %d KB, %.1f KB each%n",
          connections, after - before, (after - before) / (double) connections);
      for (WireClient client : clients) {
        client.close();
      }
    } finally {
      BenchFolders.delete(folder);
    }
  }

  private static long residentKb(long pid) throws Exception {
    for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    throw new AssertionError("no VmRSS");
  }
}
