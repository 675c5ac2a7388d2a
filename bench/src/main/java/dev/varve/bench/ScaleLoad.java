// SPDX-License-Identifier: Apache-2.0
package dev.varve.bench;

import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Durability;
import dev.varve.Encoding;
import dev.varve.ErasePlan;
import dev.varve.EraseRequest;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.ReadProgress;
import dev.varve.Store;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.local.LocalStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/// A store of millions of turns: how long it takes to open, to find an ancestor in a long chain,
/// and to collect garbage and erase a context.
///
/// `java -cp bench/target/bench.jar dev.varve.bench.ScaleLoad --step build --folder DIR [--turns
/// 10000000]`, then, in a small heap, `java -Xmx256m … --step open --folder DIR` and `--step
/// erase`.
final class ScaleLoad {

  private static final int CALLERS = 16;
  private static final int CHAIN = 1_000_000;

  private ScaleLoad() {}

  public static void main(String[] args) throws Exception {
    BenchOptions options = BenchOptions.of(args);
    Path folder = options.folder().resolve("varve-scale");
    switch (options.get("step", "build")) {
      case "build" -> build(folder, options.get("turns", 10_000_000));
      case "open" -> open(folder);
      case "erase" -> erase(folder);
      default -> throw new IllegalArgumentException("--step build, open or erase");
    }
  }

  private static void build(Path folder, int turns) throws Exception {
    long start = System.nanoTime();
    try (Store store =
        LocalStore.open(folder, StoreOptions.DEFAULTS.withDurability(Durability.LET_THE_SYSTEM))) {
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        int caller = i;
        ContextId context = store.createContext().id();
        int count = caller == 0 ? CHAIN : (turns - CHAIN) / (CALLERS - 1);
        threads.add(Thread.ofPlatform().start(() -> append(store, context, caller, count)));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      System.out.println(store.counts());
    }
    System.out.printf("built in %.0f s%n", (System.nanoTime() - start) / 1e9);
  }

  private static void append(Store store, ContextId context, int caller, int count) {
    DeclaredType type = new DeclaredType("bench.Small", 1);
    for (int i = 0; i < count; i++) {
      Payload payload = Payload.utf8("caller " + caller + " turn " + i);
      store.append(context, NewTurn.of(payload, type, Encoding.RAW));
    }
  }

  private static void open(Path folder) throws Exception {
    long[] millis = new long[5];
    for (int i = 0; i < millis.length; i++) {
      long start = System.nanoTime();
      try (Store store = LocalStore.openExisting(folder, StoreOptions.DEFAULTS)) {
        TurnId head = store.head(new ContextId(1)).head();
        store.turn(head, View.LATEST);
        millis[i] = (System.nanoTime() - start) / 1_000_000;
      }
    }
    System.out.printf(
        "open and read one turn, heap of %d MB: %s ms%n",
        Runtime.getRuntime().maxMemory() >> 20, Arrays.toString(millis));
    try (Store store = LocalStore.openExisting(folder, StoreOptions.DEFAULTS)) {
      System.out.println(store.counts());
      ancestors(store);
    }
    for (String file : List.of("blobs.idx", "blobs.map", "turns.idx", "children.map")) {
      System.out.printf("%s: %d bytes%n", file, Files.size(folder.resolve(file)));
    }
  }

  private static void ancestors(Store store) {
    TurnId head = store.head(new ContextId(1)).head();
    SplittableRandom random = new SplittableRandom(1);
    long[] nanos = new long[200_000];
    for (int i = 0; i < nanos.length; i++) {
      int depth = random.nextInt(CHAIN);
      long start = System.nanoTime();
      TurnId found = store.ancestor(head, depth);
      nanos[i] = System.nanoTime() - start;
      if (i % 1000 == 0 && store.turn(found, View.HEADERS).depth() != depth) {
        throw new AssertionError("ancestor at depth " + depth);
      }
    }
    long[] warm = Arrays.copyOfRange(nanos, nanos.length / 2, nanos.length);
    Arrays.sort(warm);
    System.out.printf(
        "ancestor at a random depth of a chain of %d: p50 %.1f us, p99 %.1f us%n",
        CHAIN, warm[warm.length / 2] / 1e3, warm[(int) (warm.length * 0.99)] / 1e3);
  }

  /// Collects what a thousand patches hide, and erases a context, in whatever heap there is.
  private static void erase(Path folder) {
    System.out.printf("heap of %d MB%n", Runtime.getRuntime().maxMemory() >> 20);
    try (Store store = LocalStore.openExisting(folder, StoreOptions.DEFAULTS)) {
      ContextId first = new ContextId(1);
      for (Turn turn : store.last(first, 1_000, View.LATEST).turns()) {
        store.patch(turn.id(), Payload.utf8("patched " + turn.id()));
      }
      erase(store, "collection of 1,000 payloads", EraseRequest.GARBAGE);
      erase(store, "context", new EraseRequest(Set.of(new ContextId(2)), Set.of(), List.of()));
    }
  }

  private static void erase(Store store, String what, EraseRequest request) {
    long began = System.nanoTime();
    ErasePlan plan = store.erasures().plan(request, ReadProgress.NONE);
    long planned = System.nanoTime();
    store.erasures().erase(request, plan.digest(), ReadProgress.NONE);
    System.out.printf(
        "%s, %d blobs: plan %.1f s, erasure %.1f s%n",
        what, plan.counts().blobs(), (planned - began) / 1e9, (System.nanoTime() - planned) / 1e9);
  }
}
