// SPDX-License-Identifier: Apache-2.0
package dev.varve.bench;

import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Durability;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.local.LocalStore;
import dev.varve.search.FollowLimit;
import dev.varve.search.SearchRequest;
import dev.varve.search.StoreSearch;
import dev.varve.search.text.FoundText;
import dev.varve.search.text.TurnTexts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The search over transcripts that [SourceTranscripts] makes, beside SQLite's FTS5 over the same
/// texts: making the index, its size, one more turn, and questions, warm and in turns.
///
/// `java -Xmx1g -cp bench/target/bench.jar dev.varve.bench.TurnSearchLoad --folder DIR [--mb 230]
/// [--rounds 40] [--rivals unicode61,trigram]`. Printed are processor seconds of the whole process
/// for what is built, and wall-clock milliseconds for what is asked.
final class TurnSearchLoad {

  private static final Instant NOW = Instant.parse("2026-11-29T00:00:00Z");
  private static final int HITS = 10;
  private static final int MORE_TURNS = 2000;

  /// Questions: frequent words, rare words, several words, a phrase, the start of a word.
  private static final List<String> QUESTIONS =
      List.of(
          "error",
          "exception",
          "thread",
          "ConcurrentHashMap",
          "deprecated",
          "buffer",
          "unmodifiable list",
          "null pointer",
          "locale format",
          "socket timeout",
          "serialization proxy",
          "\"the specified value\"",
          "\"if and only if\"",
          "concurr*",
          "Deflater",
          "parkNanos",
          "zone offset transition",
          "java.util.concurrent");

  private final Path folder;
  private final int rounds;
  private double processorSeconds = processorNow();

  private TurnSearchLoad(Path folder, int rounds) {
    this.folder = folder;
    this.rounds = rounds;
  }

  public static void main(String[] args) throws Exception {
    BenchOptions options = BenchOptions.of(args);
    Path folder = BenchFolders.make(options.folder());
    try {
      new TurnSearchLoad(folder, options.get("rounds", 40))
          .run((long) options.get("mb", 230) << 20, options.get("rivals", "unicode61,trigram"));
    } finally {
      BenchFolders.delete(folder);
    }
  }

  private void run(long bytes, String rivals) throws Exception {
    Path storeFolder = folder.resolve("store");
    try (LocalStore store =
        LocalStore.open(
            storeFolder, StoreOptions.DEFAULTS.withDurability(Durability.LET_THE_SYSTEM))) {
      long written = fill(store, bytes);
      System.out.printf("%.1f MB of lines, %d turns%n%n", written / 1e6, store.counts().turns());
      processor("store");
      try (StoreSearch search = StoreSearch.open(storeFolder, store)) {
        follow(search);
        processor("varve: index made");
        ask(
            "varve",
            question ->
                search.search(SearchRequest.of(question, HITS, NOW, ZoneOffset.UTC)).hits().size());
      }
      size("varve", storeFolder.resolve("search"), written);
      oneMore(store, storeFolder);
      for (String tokenizer : rivals.split(",", -1)) {
        rival(store, tokenizer, written);
      }
    }
  }

  private static void follow(StoreSearch search) {
    search.follow(FollowLimit.within(Duration.ofHours(1), FollowLimit.Progress.NONE));
  }

  private static long fill(LocalStore store, long bytes) throws Exception {
    DeclaredType type = new DeclaredType("claude-code.line", 1);
    ContextId[] context = new ContextId[1];
    long[] lines = new long[1];
    return SourceTranscripts.write(
        bytes,
        line -> {
          if (context[0] == null
              || SourceTranscripts.conversation(lines[0])
                  != SourceTranscripts.conversation(lines[0] - 1)) {
            context[0] = store.createContext().id();
          }
          lines[0]++;
          store.append(context[0], NewTurn.of(Payload.utf8(line), type, Encoding.JSON));
        });
  }

  private void oneMore(LocalStore store, Path storeFolder) throws Exception {
    Path index = storeFolder.resolve("search");
    long sizeBytes = BenchFolders.sizeBytes(index);
    ContextId context = store.createContext().id();
    try (StoreSearch search = StoreSearch.open(storeFolder, store)) {
      addTurns(store, context, "appended and indexed", () -> follow(search));
      addTurns(
          store,
          context,
          "appended, indexed and found by a search",
          () -> {
            follow(search);
            demandHit(search, "pool");
          });
    }
    System.out.printf(
        "varve: one more turn: %d bytes of index%n%n",
        (BenchFolders.sizeBytes(index) - sizeBytes) / (4 * MORE_TURNS));
    processorSeconds = processorNow();
  }

  private void addTurns(LocalStore store, ContextId context, String what, Runnable after) {
    DeclaredType type = new DeclaredType("claude-code.line", 1);
    double before = 0;
    for (int i = -MORE_TURNS; i < MORE_TURNS; i++) { // the first half warms
      before = i == 0 ? processorNow() : before;
      String line =
          "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"One more turn, "
              + what
              + ", number "
              + i
              + ", about the connection pool\"}}";
      store.append(context, NewTurn.of(Payload.utf8(line), type, Encoding.JSON));
      after.run();
    }
    System.out.printf(
        "varve: one more turn, %s: %.2f ms of CPU%n",
        what, (processorNow() - before) * 1e3 / MORE_TURNS);
  }

  private static void demandHit(StoreSearch search, String word) {
    if (search.search(SearchRequest.of(word, HITS, NOW, ZoneOffset.UTC)).hits().isEmpty()) {
      throw new AssertionError("the turns that were added are not found");
    }
  }

  private void rival(LocalStore store, String tokenizer, long written) throws Exception {
    Path file = folder.resolve(tokenizer + ".db");
    try (FullTextTable table = new FullTextTable(file, tokenizer)) {
      Set<String> seen = new HashSet<>();
      TurnId after = TurnId.NONE;
      for (List<TurnId> page = store.turnNumbers(after, 1000);
          !page.isEmpty();
          page = store.turnNumbers(page.getLast(), 1000)) {
        for (TurnId id : page) {
          Turn turn = store.turn(id, View.LATEST);
          for (FoundText text : TurnTexts.of(turn).texts()) {
            if (seen.add(text.kind() + text.text())) {
              table.add(text.text());
            }
          }
        }
      }
      table.finish();
      processor("fts5 " + tokenizer + ": index made, with the reading of the store");
      ask("fts5 " + tokenizer, question -> table.find(question, HITS));
    }
    size("fts5 " + tokenizer, file, written);
  }

  /// Answers a question.
  private interface Answer {

    /// @return the number of hits
    int to(String question) throws Exception;
  }

  /// Measures the questions, once each is known to have hits: the time of a miss says nothing.
  private void ask(String who, Answer answer) throws Exception {
    for (String question : QUESTIONS) {
      if (answer.to(question) == 0) {
        throw new AssertionError(
            who + ": expected hits, found none for '" + question + "': more --mb have all words");
      }
    }
    long[] nanos = new long[rounds * QUESTIONS.size()];
    double warm = 0;
    for (int round = -rounds; round < rounds; round++) { // the first half warms
      warm = round == 0 ? processorNow() : warm;
      for (int i = 0; i < QUESTIONS.size(); i++) {
        long start = System.nanoTime();
        answer.to(QUESTIONS.get(i));
        if (round >= 0) {
          nanos[round * QUESTIONS.size() + i] = System.nanoTime() - start;
        }
      }
    }
    double processor = (processorNow() - warm) * 1e3 / nanos.length;
    Arrays.sort(nanos);
    System.out.printf(
        "%s: questions p50 %.2f ms, p99 %.2f ms, %.2f ms of CPU each%n",
        who, nanos[nanos.length / 2] / 1e6, nanos[nanos.length * 99 / 100] / 1e6, processor);
    processorSeconds = processorNow();
  }

  private static void size(String who, Path place, long written) throws Exception {
    long bytes = Files.isDirectory(place) ? BenchFolders.sizeBytes(place) : Files.size(place);
    System.out.printf(
        "%s: index of %.1f MB, %.1f %% of the lines%n%n",
        who, bytes / 1e6, 100.0 * bytes / written);
  }

  private void processor(String what) {
    double now = processorNow();
    System.out.printf("%s: %.1f s of CPU%n", what, now - processorSeconds);
    processorSeconds = now;
  }

  private static double processorNow() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
  }
}
