// SPDX-License-Identifier: Apache-2.0
package dev.varve.bench;

import dev.varve.Durability;
import dev.varve.hash.Blake3Acceleration;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/// Durable appends of 10 KB, in process, side by side: each contender in turn, round after round,
/// on the same disk.
///
/// `java -cp bench/target/bench.jar dev.varve.bench.AppendLoad [--callers 1,64] [--rounds 5]
/// [--seconds 3] [--folder DIR] [--warm 20] [--contenders bare,varve,rocksdb,sqlite] [--vector yes]
/// [--virtual yes]`, with `--add-modules jdk.incubator.vector` for the last
///
/// `--virtual`: the callers are virtual threads. RocksDB and SQLite hold the thread that carries
/// one while they write, so that they then group nothing.
///
/// Each contender first runs for `--warm` seconds that are not counted: on two cores the JVM
/// compiles for as long as that, and what it compiles is most of what a short run measures.
final class AppendLoad {

  private static final int PAYLOAD_BYTES = 10 * 1024;

  private record Result(
      double perSecond, long p50Nanos, long p99Nanos, double cpuMicros, long diskBytesPerTurn) {}

  private AppendLoad() {}

  public static void main(String[] args) throws Exception {
    BenchOptions options = BenchOptions.of(args);
    int rounds = options.get("rounds", 5);
    double seconds = options.get("seconds", 3.0);
    double warm = options.get("warm", 20.0);
    String[] contenders = options.get("contenders", "bare,varve,rocksdb,sqlite").split(",", -1);
    boolean virtual = options.is("virtual");
    if (options.is("vector")) {
      Blake3Acceleration.tryNow();
    }
    for (String callers : options.get("callers", "1,64").split(",", -1)) {
      compare(
          contenders, Integer.parseInt(callers), virtual, rounds, warm, seconds, options.folder());
    }
  }

  private static void compare(
      String[] contenders,
      int callers,
      boolean virtual,
      int rounds,
      double warm,
      double seconds,
      Path folder)
      throws Exception {
    Map<String, List<Result>> results = new LinkedHashMap<>();
    for (int round = 0; round <= rounds; round++) {
      for (String name : contenders) {
        Result result = measure(name, callers, virtual, round == 0 ? warm : seconds, folder);
        if (round > 0) {
          results.computeIfAbsent(name, _ -> new ArrayList<>()).add(result);
        }
      }
    }
    System.out.printf("%n%d caller(s), %d rounds of %.1f s, medians%n%n", callers, rounds, seconds);
    System.out.println(
        "| contender | appends/s | against varve | p50 us | p99 us | CPU us an append | disk bytes"
            + " a turn |");
    System.out.println("|---|---:|---:|---:|---:|---:|---:|");
    double varve =
        median(
            results.getOrDefault("varve", List.of()).stream()
                .mapToDouble(Result::perSecond)
                .toArray());
    results.forEach(
        (name, of) -> {
          double rate = median(of.stream().mapToDouble(Result::perSecond).toArray());
          System.out.printf(
              "| %s | %.0f | %.2f | %.0f | %.0f | %.0f | %.0f |%n",
              name,
              rate,
              rate / varve,
              median(of.stream().mapToDouble(Result::p50Nanos).toArray()) / 1e3,
              median(of.stream().mapToDouble(Result::p99Nanos).toArray()) / 1e3,
              median(of.stream().mapToDouble(Result::cpuMicros).toArray()),
              median(of.stream().mapToDouble(Result::diskBytesPerTurn).toArray()));
        });
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted.length == 0 ? Double.NaN : sorted[sorted.length / 2];
  }

  private static StoreContender open(String name, Path folder, int callers) throws Exception {
    return switch (name) {
      case "bare" -> new BareFile(folder, callers > 1);
      case "varve" -> new VarveContender(folder, callers, Durability.FORCE_GROUPED);
      case "varve-unforced" -> new VarveContender(folder, callers, Durability.LET_THE_SYSTEM);
      case "rocksdb" -> new RocksContender(folder, callers);
      case "sqlite" -> new SqliteContender(folder, callers);
      default -> throw new IllegalArgumentException("no contender " + name);
    };
  }

  private static Result measure(
      String name, int callers, boolean virtual, double seconds, Path parent) throws Exception {
    Path folder = BenchFolders.make(parent);
    try {
      long[][] nanos = new long[callers][];
      long turns;
      double elapsed;
      long cpuNanos;
      try (StoreContender contender = open(name, folder, callers)) {
        AtomicBoolean stop = new AtomicBoolean();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        CountDownLatch ready = new CountDownLatch(callers);
        CountDownLatch go = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
          int caller = i;
          threads.add(
              (virtual ? Thread.ofVirtual() : Thread.ofPlatform())
                  .start(
                      () -> {
                        try {
                          nanos[caller] = call(contender, caller, ready, go, stop);
                        } catch (Exception e) {
                          failure.set(e);
                        }
                      }));
        }
        ready.await();
        long start = System.nanoTime();
        long cpuStart = cpuNanos();
        go.countDown();
        Thread.sleep((long) (seconds * 1000));
        stop.set(true);
        for (Thread thread : threads) {
          thread.join();
        }
        elapsed = (System.nanoTime() - start) / 1e9;
        cpuNanos = cpuNanos() - cpuStart;
        if (failure.get() != null) {
          throw new AssertionError(name, failure.get());
        }
        turns = contender.turns();
      }
      long[] all = Arrays.stream(nanos).flatMapToLong(Arrays::stream).sorted().toArray();
      if (all.length != turns) {
        throw new AssertionError(name + ": " + all.length + " appends, " + turns + " turns");
      }
      return new Result(
          all.length / elapsed,
          all[all.length / 2],
          all[(int) (all.length * 0.99)],
          cpuNanos / 1e3 / turns,
          BenchFolders.sizeBytes(folder) / turns);
    } finally {
      BenchFolders.delete(folder);
    }
  }

  /// The CPU time that this process has used so far, on all its threads.
  private static long cpuNanos() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
  }

  /// Appends until asked to stop; payloads are made before the clock runs, a few at a time.
  private static long[] call(
      StoreContender contender,
      int caller,
      CountDownLatch ready,
      CountDownLatch go,
      AtomicBoolean stop)
      throws Exception {
    long[] nanos = new long[1 << 20];
    int count = 0;
    byte[][] payloads = new byte[64][];
    for (int i = 0; i < payloads.length; i++) {
      payloads[i] = SamplePayloads.of(64L * caller + i, PAYLOAD_BYTES);
    }
    ready.countDown();
    go.await();
    while (!stop.get() && count < nanos.length) {
      // Another payload at the cost of a copy: no two appends may share a blob.
      byte[] next = payloads[count % payloads.length].clone();
      for (int i = 0; i < 8; i++) {
        next[29 + i] = (byte) ('a' + (count >>> (4 * i) & 15));
      }
      long start = System.nanoTime();
      contender.append(caller, next);
      nanos[count++] = System.nanoTime() - start;
    }
    return Arrays.copyOf(nanos, count);
  }
}
