// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.claude;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.history.Archive;
import dev.varve.history.CountedSource;
import dev.varve.history.OneImport;
import dev.varve.imports.ImportReport;
import dev.varve.sim.StoreModel;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Transcripts that are imported again and again while they change at random: each time the result
/// is that of one import of the file as it is then.
class GrowingTranscriptTest {

  private static final String S1 = MadeTranscript.id(1);
  private static final int STEPS = 14;

  @TempDir Path folder;

  private Path home() {
    return folder.resolve("home");
  }

  static Stream<Long> seeds() {
    long first = Long.getLong("sim.seed", -1L);
    return first >= 0
        ? Stream.of(first)
        : Stream.iterate(1L, seed -> seed + 1)
            .limit(Math.min(16, Integer.getInteger("sim.runs", 16)));
  }

  /// A transcript under change.
  private static final class Growing {
    private final Random random;
    private final List<String> lines = new ArrayList<>();
    private final List<String> ids = new ArrayList<>();
    private final boolean damaged;
    private boolean rewritten;

    Growing(long seed) {
      random = new Random(seed);
      damaged = seed % 4 == 0;
      lines.addAll(new MadeTranscript(S1).user("u0", null, "go").lines());
      ids.add("u0");
    }

    /// Changes the transcript, and says how much of its last line is there.
    int change() {
      int way = random.nextInt(20);
      if (way == 0 && lines.size() > 3) {
        lines.removeLast();
      } else if (way == 1) {
        int at = random.nextInt(lines.size());
        lines.set(at, lines.get(at).replace("\"version\":\"2.1.0\"", "\"version\":\"2.2.0\""));
        rewritten = true;
      } else if (way > 2) {
        for (int i = random.nextInt(4); i >= 0; i--) {
          append();
        }
      }
      return lines.size() > 1 && random.nextInt(10) == 0
          ? random.nextInt(lines.getLast().length() + 1)
          : -1;
    }

    private void append() {
      String id = "r" + ids.size();
      String parent = parent();
      MadeTranscript made = new MadeTranscript(S1);
      switch (random.nextInt(16)) {
        case 0 -> made.line("{\"type\":\"mode\",\"mode\":\"plan\"}");
        case 1 -> made.line("{\"type\":\"custom-title\",\"customTitle\":\"title " + id + "\"}");
        case 2 -> made.line("");
        case 3 -> made.line(lines.get(random.nextInt(lines.size())));
        case 4 -> made.line(damaged ? "no record" : "{\"type\":\"new-thing\"}");
        case 5 -> made.boundary(id, parent);
        case 6 -> made.user(id, null, "a tree of its own " + id);
        case 7 -> made.user(id, parent, "large " + id + "x".repeat(70_000));
        case 8 -> made.call(id, parent, "m" + ids.size() / 3, "tool-" + id);
        case 9 -> made.result(id, parent, "tool-" + parent, "result " + id);
        case 10 -> made.attachment(id, parent, "day " + id);
        default -> made.answer(id, parent, "m" + ids.size() / 3, "text " + id, random.nextInt(9));
      }
      String line = made.lines().getFirst();
      lines.add(line);
      if (line.contains("\"uuid\":\"" + id + "\"")) {
        ids.add(id);
      }
    }

    private String parent() {
      return switch (random.nextInt(20)) {
        case 0 -> ids.get(random.nextInt(ids.size()));
        case 1 -> damaged ? "r" + (ids.size() + 2) : ids.getLast();
        default -> ids.getLast();
      };
    }

    /// Lets a sub-agent go on, or begin, and write a large output.
    private void help(Path agent) throws IOException {
      Files.createDirectories(agent.getParent());
      List<String> known = Files.exists(agent) ? Files.readAllLines(agent) : List.of();
      String parent = known.isEmpty() ? null : "h" + (known.size() - 1);
      String line =
          new MadeTranscript(S1)
              .answer("h" + known.size(), parent, "h" + known.size(), agent.toString(), 1)
              .lines()
              .getFirst();
      Files.writeString(agent, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      Files.writeString(
          agent.resolveSibling("output-" + random.nextInt(3) + ".txt"), parent + line);
    }

    void write(Path file, int torn) throws IOException {
      String text = String.join("\n", lines) + "\n";
      int cut = torn < 0 ? 0 : lines.getLast().length() + 1 - torn;
      Files.createDirectories(file.getParent());
      Files.writeString(file, text.substring(0, text.length() - cut));
      if (random.nextInt(3) == 0) {
        help(file.resolveSibling(S1).resolve("subagents/agent-" + random.nextInt(3) + ".jsonl"));
      }
      if (random.nextInt(10) == 0) {
        Files.setLastModifiedTime(file, FileTime.from(Instant.ofEpochSecond(random.nextInt(1000))));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void eachImportOfAFileThatChangesIsThatOfTheFileAsItIs(long seed) throws IOException {
    Growing growing = new Growing(seed);
    Archive archive = Archive.of(new ClaudeProfile());
    Path file = home().resolve("projects/-src-shop").resolve(S1 + ".jsonl");
    growing.write(file, -1);
    archive.take(file);
    for (int step = 0; step < STEPS; step++) {
      growing.write(file, growing.change());
      ImportReport report = archive.take(file);
      long archived = archive.session(report).manifest().files().getFirst().sizeBytes();
      if (archived == Files.size(file)) { // not cut back
        OneImport.isSame(archive, report, file, growing.rewritten);
        if (step % 5 == 0) {
          archive.comesBack(report, home(), folder.resolve("back" + step));
        }
      }
    }
  }

  @Test
  void anAnswerGoesOnOverImports() throws IOException {
    Archive archive = Archive.of(new ClaudeProfile());
    MadeTranscript made =
        new MadeTranscript(S1)
            .user("u1", null, "go")
            .call("c1", "u1", "m1", "tool-1")
            .call("c2", "c1", "m1", "tool-2")
            .result("r2", "c2", "tool-2", "second first");
    archive.take(made.write(home()));
    Path file = made.result("r1", "c1", "tool-1", "first second").write(home());
    CountedSource source = new CountedSource(new ClaudeProfile().session(file).main().source());

    ImportReport report = archive.take(source.inPlaceOf(new ClaudeProfile().session(file)));

    assertThat(source.streamed()).isZero();
    assertThat(report.contexts().all()).hasSize(1);
    OneImport.isSame(archive, report, file, false);
  }

  @Test
  void anImportThatEndsAnywhereIsCompletedByTheNext() throws IOException {
    int writes = 0;
    boolean ended = true;
    while (ended) {
      Path file = home().resolve("projects/-src-shop").resolve(S1 + ".jsonl");
      Growing growing = new Growing(7);
      growing.write(file, -1);
      StoreModel store = new StoreModel();
      Archive archive = new Archive(store, new ClaudeProfile());
      archive.take(file);
      growing.lines.addAll(
          new MadeTranscript(S1)
              .answer("a1", "u0", "m1", "one", 2)
              .user("u1", "a1", "two")
              .user("u2", "u0", "another way")
              .lines());
      growing.write(file, -1);
      ended = isEnded(new Archive(ending(store, writes), new ClaudeProfile()), file);
      growing.lines.addAll(new MadeTranscript(S1).user("u3", "u1", "three").lines());
      growing.write(file, -1);

      ImportReport report = archive.take(file);

      OneImport.isSame(archive, report, file, false);
      writes++;
    }
    assertThat(writes).isGreaterThan(8);
  }

  private static boolean isEnded(Archive archive, Path file) {
    try {
      archive.take(file);
      return false;
    } catch (StoreException.Closed e) {
      return true;
    }
  }

  /// A store that takes so many writes, and no more.
  private static Store ending(Store store, int writes) {
    int[] left = {writes};
    Set<String> changes =
        Set.of("put", "putAll", "append", "describe", "createContext", "putWithOutcome");
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (_, method, arguments) -> {
              if (changes.contains(method.getName()) && left[0]-- <= 0) {
                throw new StoreException.Closed("store");
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
