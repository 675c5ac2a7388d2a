// SPDX-License-Identifier: Apache-2.0
package dev.varve.bench;

import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Durability;
import dev.varve.Encoding;
import dev.varve.ErasePlan;
import dev.varve.EraseReceipt;
import dev.varve.EraseRequest;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.ReadProgress;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.View;
import dev.varve.local.LocalStore;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/// A store of which half is garbage is collected while others append to it: the latency of durable
/// appends and of reads without and during the collection, and the speed of the collection beside a
/// copy of the same pack on the same disk.
///
/// `java -cp bench/target/bench.jar dev.varve.bench.GarbageLoad [--mb 2000] [--callers 4] [--pause
/// 2] [--seconds 20] [--folder DIR]`
///
/// Each caller appends 10 KB and waits `--pause` milliseconds, as agents do; with 0 the callers
/// compete with the collection for the processors. One more caller reads the newest turn of a
/// context, and waits as long.
final class GarbageLoad {

  private static final DeclaredType TYPE = new DeclaredType("bench.turn", 1);
  private static final int GARBAGE_BYTES = 100_000;
  private static final int APPEND_BYTES = 10 * 1024;

  private final LocalStore store;
  private final int callers;
  private final int pauseMillis;
  private long seed;

  /// The times of one or more callers, sorted.
  private static final class Times {
    private final long[] appendNanos;
    private final long[] readNanos;

    Times(long[] appendNanos, long[] readNanos) {
      this.appendNanos = appendNanos;
      this.readNanos = readNanos;
    }
  }

  private GarbageLoad(LocalStore store, int callers, int pauseMillis) {
    this.store = store;
    this.callers = callers;
    this.pauseMillis = pauseMillis;
  }

  public static void main(String[] args) throws Exception {
    BenchOptions options = BenchOptions.of(args);
    Path folder = BenchFolders.make(options.folder());
    try {
      fill(folder, options.get("mb", 2000));
      double copySeconds = copy(folder);
      try (LocalStore store =
          LocalStore.open(folder, StoreOptions.DEFAULTS.withDurability(Durability.FORCE_GROUPED))) {
        new GarbageLoad(store, options.get("callers", 4), options.get("pause", 2))
            .run(options.get("seconds", 20.0), copySeconds);
      }
    } finally {
      BenchFolders.delete(folder);
    }
  }

  private static byte[] noise(int sizeBytes, long seed) {
    byte[] bytes = new byte[sizeBytes];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }

  private static NewTurn turn(int sizeBytes, long seed) {
    return NewTurn.of(Payload.wrap(noise(sizeBytes, seed)), TYPE, Encoding.RAW);
  }

  private static void fill(Path folder, int megabytes) {
    long turns = megabytes * 1_000_000L / GARBAGE_BYTES;
    try (LocalStore store =
        LocalStore.open(folder, StoreOptions.DEFAULTS.withDurability(Durability.LET_THE_SYSTEM))) {
      ContextId context = store.createContext().id();
      for (long i = 0; i < turns; i++) {
        Turn turn = store.append(context, turn(GARBAGE_BYTES, i));
        if (i % 2 == 0) {
          store.patch(turn.id(), Payload.utf8("patched " + i));
        }
      }
    }
  }

  /// Copies the pack as a file is copied, and forces the copy.
  ///
  /// @return how long that took
  private static double copy(Path folder) throws IOException {
    Path copy = folder.resolveSibling(folder.getFileName() + ".copy");
    long began = System.nanoTime();
    try (FileChannel in = FileChannel.open(folder.resolve("blobs.pack"));
        FileChannel out =
            FileChannel.open(copy, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      long size = in.size();
      for (long at = 0; at < size; ) {
        at += in.transferTo(at, Math.min(size - at, 8 << 20), out);
      }
      out.force(true);
      return (System.nanoTime() - began) / 1e9;
    } finally {
      Files.deleteIfExists(copy);
    }
  }

  private void run(double seconds, double copySeconds) {
    callFor(seconds / 2); // the JVM compiles
    Times alone = callFor(seconds);
    AtomicBoolean stop = new AtomicBoolean();
    Callers running = start(stop);
    long began = System.nanoTime();
    ErasePlan plan = store.erasures().plan(EraseRequest.GARBAGE, ReadProgress.NONE);
    double planSeconds = (System.nanoTime() - began) / 1e9;
    stop.set(true);
    Times planning = running.times();
    stop = new AtomicBoolean();
    running = start(stop);
    began = System.nanoTime();
    EraseReceipt receipt =
        store.erasures().erase(EraseRequest.GARBAGE, plan.digest(), ReadProgress.NONE);
    double eraseSeconds = (System.nanoTime() - began) / 1e9;
    stop.set(true);
    Times during = running.times();

    double megabytes = receipt.packBytes().before() / 1e6;
    System.out.printf(
        "%n%.0f MB pack, %.0f MB collected, %d callers%n%n",
        megabytes, megabytes - receipt.packBytes().after() / 1e6, callers);
    System.out.println("| calls | number | p50 us | p99 us | p99.9 us | longest us |");
    System.out.println("|---|---:|---:|---:|---:|---:|");
    print("appends of 10 KB", alone.appendNanos);
    print("appends during the plan", planning.appendNanos);
    print("appends during the collection", during.appendNanos);
    print("reads", alone.readNanos);
    print("reads during the plan", planning.readNanos);
    print("reads during the collection", during.readNanos);
    System.out.println();
    System.out.println("| work | s | MB/s of the pack | against the copy |");
    System.out.println("|---|---:|---:|---:|");
    print("copy of the pack, forced", copySeconds, megabytes, copySeconds);
    print("plan", planSeconds, megabytes, copySeconds);
    print("collection (copied, verified, switched)", eraseSeconds, megabytes, copySeconds);
  }

  private static void print(String what, double seconds, double megabytes, double copySeconds) {
    System.out.printf(
        "| %s | %.1f | %.0f | %.2f |%n", what, seconds, megabytes / seconds, copySeconds / seconds);
  }

  private static void print(String what, long[] nanos) {
    System.out.printf(
        "| %s | %d | %.0f | %.0f | %.0f | %.0f |%n",
        what,
        nanos.length,
        at(nanos, 0.5) / 1e3,
        at(nanos, 0.99) / 1e3,
        at(nanos, 0.999) / 1e3,
        at(nanos, 1) / 1e3);
  }

  private static double at(long[] sorted, double part) {
    return sorted[(int) Math.min(sorted.length - 1, sorted.length * part)];
  }

  private Times callFor(double seconds) {
    AtomicBoolean stop = new AtomicBoolean();
    Callers running = start(stop);
    CompletableFuture.runAsync(
            () -> stop.set(true),
            CompletableFuture.delayedExecutor((long) (seconds * 1000), TimeUnit.MILLISECONDS))
        .join();
    return running.times();
  }

  private record Callers(
      List<CompletableFuture<long[]>> appending, CompletableFuture<long[]> reading) {

    /// Waits for their ends.
    Times times() {
      return new Times(
          appending.stream().flatMapToLong(of -> Arrays.stream(of.join())).sorted().toArray(),
          Arrays.stream(reading.join()).sorted().toArray());
    }
  }

  private Callers start(AtomicBoolean stop) {
    List<CompletableFuture<long[]>> appending = new ArrayList<>();
    for (int i = 0; i < callers; i++) {
      ContextId context = store.createContext().id();
      long from = ++seed << 40;
      appending.add(
          beside(
              count -> {
                NewTurn next = turn(APPEND_BYTES, from + count);
                return () -> store.append(context, next);
              },
              stop));
    }
    return new Callers(
        appending, beside(_ -> () -> store.last(new ContextId(1), 1, View.LATEST), stop));
  }

  private CompletableFuture<long[]> beside(IntFunction<Runnable> calls, AtomicBoolean stop) {
    return CompletableFuture.supplyAsync(
        () -> callUntil(calls, stop), task -> Thread.ofPlatform().start(task));
  }

  private long[] callUntil(IntFunction<Runnable> calls, AtomicBoolean stop) {
    long[] nanos = new long[1 << 20];
    int count = 0;
    while (!stop.get() && count < nanos.length) {
      Runnable call = calls.apply(count);
      long began = System.nanoTime();
      call.run();
      nanos[count++] = System.nanoTime() - began;
      if (pauseMillis > 0) {
        LockSupport.parkNanos(pauseMillis * 1_000_000L);
      }
    }
    return Arrays.copyOf(nanos, count);
  }
}
