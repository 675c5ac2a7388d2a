// SPDX-License-Identifier: Apache-2.0
package dev.varve.bench;

import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Durability;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreOptions;
import dev.varve.local.LocalStore;
import dev.varve.server.contexts.ContextIndex;
import dev.varve.server.contexts.ContextViews;
import dev.varve.server.contexts.LiveSessions;
import dev.varve.server.value.IdFormat;
import dev.varve.server.value.MsgpackWriter;
import dev.varve.server.value.PayloadValue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A store of very many contexts, each with a first turn of 2 KB that says who wrote it: what
/// lists, single contexts, children and searches take, first and warm. A second run finds the file
/// of rows that the first one wrote.
///
/// `java -Xmx4g -cp bench/target/bench.jar dev.varve.bench.SearchLoad --folder DIR [--contexts
/// 1000000]`. The store is kept in `DIR/varve-search` for the next run.
final class SearchLoad {

  private static final int BODY_BYTES = 2_000;
  private static final int CALLERS = 16;
  private static final int TAGS = 100;
  private static final Pattern NEXT =
      Pattern.compile("\"incomplete\":true,\"next_before_context_id\":\"(\\d+)\"");
  private static final Pattern COUNT = Pattern.compile("\"total_count\":(\\d+)");

  private static long cpuMillis;

  private SearchLoad() {}

  public static void main(String[] args) throws Exception {
    BenchOptions options = BenchOptions.of(args);
    int contexts = options.get("contexts", 1_000_000);
    Path folder = options.folder().resolve("varve-search");
    if (!Files.exists(folder)) {
      build(folder, contexts);
    }
    long start = System.nanoTime();
    try (LocalStore store = LocalStore.openExisting(folder, StoreOptions.DEFAULTS);
        ContextIndex index =
            ContextIndex.keeping(
                store, folder.resolve(LocalStore.CONTEXT_ROWS), folder.resolve("varve.store"))) {
      report("open", start);
      index.start();
      ask(
          new ContextViews(store, index, new LiveSessions(), InstantSource.system()),
          store.counts().contexts());
      start = System.nanoTime();
    }
    report("closed", start);
  }

  // ---- building

  private static void build(Path folder, int contexts) throws InterruptedException {
    long start = System.nanoTime();
    try (Store store =
        LocalStore.open(folder, StoreOptions.DEFAULTS.withDurability(Durability.LET_THE_SYSTEM))) {
      List<Thread> threads =
          IntStream.range(0, CALLERS)
              .mapToObj(
                  caller -> Thread.ofPlatform().start(() -> say(store, caller, contexts / CALLERS)))
              .toList();
      for (Thread thread : threads) {
        thread.join();
      }
    }
    report("built", start);
  }

  private static void say(Store store, int caller, int count) {
    DeclaredType type = new DeclaredType("bench.Conversation", 1);
    for (int i = 0; i < count; i++) {
      ContextId context = store.createContext().id();
      Payload payload = MsgpackWriter.write(turn(context.value(), (long) caller * count + i));
      store.append(context, NewTurn.of(payload, type, Encoding.MSGPACK));
    }
  }

  /// Every hundredth context is the parent of the others of its hundred.
  private static PayloadValue turn(long context, long number) {
    long parent = context % 100 == 1 ? 0 : context - (context - 1) % 100;
    PayloadValue provenance =
        map(
            PayloadValue.Int.of(1),
            PayloadValue.Int.of(parent),
            PayloadValue.Int.of(2),
            PayloadValue.Int.of(parent),
            new PayloadValue.Text("service_name"),
            new PayloadValue.Text("service-" + number % 7),
            new PayloadValue.Text("on_behalf_of"),
            new PayloadValue.Text("user-" + number % 1_000));
    PayloadValue metadata =
        map(
            PayloadValue.Int.of(1),
            new PayloadValue.Text("tag-" + number % TAGS),
            PayloadValue.Int.of(2),
            new PayloadValue.Text("Conversation " + number),
            PayloadValue.Int.of(3),
            new PayloadValue.Items(
                List.of(new PayloadValue.Text("a-label"), new PayloadValue.Text("another"))),
            PayloadValue.Int.of(10),
            provenance);
    return map(
        PayloadValue.Int.of(1),
        new PayloadValue.Bytes(Payload.wrap(SamplePayloads.of(number, BODY_BYTES))),
        PayloadValue.Int.of(30),
        metadata);
  }

  private static PayloadValue map(PayloadValue... keysAndValues) {
    List<PayloadValue.Entry> entries = new ArrayList<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      entries.add(new PayloadValue.Entry(keysAndValues[i], keysAndValues[i + 1]));
    }
    return new PayloadValue.Entries(entries);
  }

  // ---- asking

  private static void ask(ContextViews views, long contexts) {
    ContextId some = new ContextId(contexts / 200 * 100 + 1);
    for (String when : List.of("first", "again")) {
      timed(when + ": list of 20", () -> list(views));
      timed(when + ": one context", () -> views.context(some, IdFormat.TEXT).text());
    }
    for (String when : List.of("first", "again", "third")) {
      search(views, when + ": search", contexts / TAGS);
    }
    for (String when : List.of("first", "again")) {
      timed(when + ": list of 20 with a tag", () -> list(views, "tag-42"));
      timed(when + ": search by the start of a title", () -> titles(views));
    }
    String children = "\"incomplete\":true";
    while (children.contains("\"incomplete\":true")) {
      children = timed("its children", () -> views.children(some, true, 256, IdFormat.TEXT).text());
    }
    if (!children.contains("\"total_count\":99")) {
      throw new AssertionError("expected 99 children: " + children);
    }
    for (String when : List.of("later", "again")) {
      timed(when + ": list of 20", () -> list(views));
      timed(when + ": one context", () -> views.context(some, IdFormat.TEXT).text());
    }
  }

  private static String list(ContextViews views) {
    return list(views, null);
  }

  private static String list(ContextViews views, @Nullable String tag) {
    return views
        .list(new ContextViews.ListRequest(20, null, tag, true, false, IdFormat.TEXT))
        .text();
  }

  private static String titles(ContextViews views) {
    return part(views, "title ^~= 'conversation 77' AND NOT service = 'service-3'", null);
  }

  /// Asks on until all contexts were looked at, as a client would.
  private static void search(ContextViews views, String what, long expected) {
    long found = 0;
    int parts = 0;
    long start = System.nanoTime();
    ContextId before = null;
    do {
      String answer = part(views, "tag = 'tag-42'", before);
      Matcher count = COUNT.matcher(answer);
      Matcher next = NEXT.matcher(answer);
      found += count.find() ? Long.parseLong(count.group(1)) : 0;
      before = next.find() ? ContextId.parse(next.group(1)) : null;
      parts++;
    } while (before != null);
    report(what + ", " + parts + " request(s), " + found + " found", start);
    if (found != expected) {
      throw new AssertionError("expected " + expected + ", found " + found);
    }
  }

  private static String part(ContextViews views, String query, @Nullable ContextId before) {
    ContextViews.ContextSearch request =
        new ContextViews.ContextSearch(query, 20, before, Duration.ofSeconds(10), IdFormat.TEXT);
    return switch (views.search(request)) {
      case ContextViews.SearchResult.Found(var answer) -> answer.text();
      case ContextViews.SearchResult.Refused(var answer) -> throw new AssertionError(answer.text());
    };
  }

  private static String timed(String what, Supplier<String> asking) {
    long start = System.nanoTime();
    String answer = asking.get();
    report(answer.contains("incomplete\":true") ? what + " (incomplete)" : what, start);
    return answer;
  }

  /// Wall time, which neighbours make longer, and the processor time of the whole process since the
  /// last line, which they do not.
  private static void report(String what, long start) {
    long cpu = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toMillis();
    System.out.printf(
        "%-50s %12.3f ms, %d ms of CPU%n",
        what, (System.nanoTime() - start) / 1e6, cpu - cpuMillis);
    cpuMillis = cpu;
  }
}
