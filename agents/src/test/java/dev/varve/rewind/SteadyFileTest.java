// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.git.RepoPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Somebody writes to a file while it is captured.
final class SteadyFileTest {

  private static final int CAPTURES = 8;
  private static final RepoPath BUSY = RepoPath.of("busy");

  @TempDir Path folder;
  private Repo repo;
  private Rewind staying;

  private interface Step {
    void go(int i) throws IOException;
  }

  @BeforeEach
  void makeARepository() throws IOException {
    repo = Repo.in(folder).write("calm", "0");
    staying = repo.rewind().withFileCache();
    staying.capture("");
  }

  /// Does `step` over and over beside what `body` does.
  private static void beside(Step step, Step body) throws Exception {
    AtomicBoolean enough = new AtomicBoolean();
    Thread other =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    for (int i = 1; !enough.get(); i++) {
                      step.go(i);
                    }
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                });
    try {
      for (int i = 0; i < CAPTURES; i++) {
        body.go(i);
      }
    } finally {
      enough.set(true);
      other.join();
    }
  }

  /// By the process that stays in turns with one that asks git.
  private Snapshot capture(int i) throws IOException {
    repo.write("calm", Integer.toString(i));
    Snapshot taken = (i % 2 == 0 ? staying : repo.rewind()).capture("");
    assertThat(repo.git("show", taken.commit() + ":calm")).isEqualTo(Integer.toString(i));
    return taken;
  }

  @Test
  void aFileThatIsRewrittenAllTheTimeIsCapturedAsItWasAtOneMomentOrNamed() throws Exception {
    Path busy = repo.path("busy");
    String whole = "x".repeat(100_000);

    beside(
        i -> Files.writeString(busy, i + "\n" + whole),
        i -> {
          Snapshot taken = capture(i);
          Optional<LeftOut> why = taken.metadata().orElseThrow().leftOut(BUSY);
          if (why.isPresent()) {
            assertThat(why).contains(LeftOut.CHANGING);
            assertThat(repo.git("ls-tree", taken.commit(), "busy")).isEmpty();
          } else if (!repo.git("ls-tree", taken.commit(), "busy").isEmpty()) {
            // It is cut to nothing, then written from its beginning on.
            assertThat(repo.git("show", taken.commit() + ":busy").matches("(\\d+\nx{0,100000}+)?"))
                .isTrue();
          }
        });
  }

  @Test
  void oneBusyFileIsNoReasonToReadTheOthersOneByOne() throws Exception {
    for (int i = 0; i < 2_000; i++) {
      repo.write("many/" + i, Integer.toString(i));
    }
    beside(
        i -> Files.writeString(repo.path("busy"), "x".repeat(i % 50_000)),
        i -> {
          Snapshot taken = repo.write("many/new " + i, "").rewind().capture("");
          assertThat(repo.git("ls-tree", "--name-only", taken.commit() + ":many").lines())
              .hasSize(2_000 + i + 1);
        });
  }

  @Test
  void whatIsLeftOutBecauseItChangesIsKeptByARestore() throws Exception {
    Snapshot[] last = new Snapshot[1];
    beside(
        i -> Files.writeString(repo.path("busy"), Integer.toString(i)), i -> last[0] = capture(i));
    Files.writeString(repo.path("busy"), "calm again");
    boolean captured = !repo.git("ls-tree", last[0].commit(), "busy").isEmpty();

    repo.restore(last[0]);

    assertThat(repo.read("busy").equals("calm again")).isEqualTo(!captured);
  }

  @Test
  void aLogThatGrowsAllTheTimeIsCapturedAsFarAsItWas() throws Exception {
    Path busy = repo.path("busy");
    StringBuilder all = new StringBuilder();

    beside(
        i ->
            Files.write(
                busy,
                (i + " a line\n").getBytes(UTF_8),
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND),
        i -> {
          Snapshot taken = capture(i);
          if (!repo.git("ls-tree", taken.commit(), "busy").isEmpty()) {
            String kept = repo.git("show", taken.commit() + ":busy");
            assertThat(kept).startsWith(all);
            all.append(kept, all.length(), kept.length());
          }
          assertThat(taken.metadata().orElseThrow().leftOut()).isEmpty();
        });

    assertThat(Files.readString(busy)).startsWith(all);
    assertThat(all).isNotEmpty();
  }

  @Test
  void withoutGitTooAFileIsCapturedWholeOrNamed() throws Exception {
    Repo plain = Repo.plain(folder.resolve("plain")).write("calm", "0");
    for (int sizeBytes : new int[] {1_000, 300_000}) {
      Path busy = plain.path("busy");
      String half = "x".repeat(sizeBytes / 2);
      beside(
          i -> Files.writeString(busy, i + half + i),
          i -> {
            Rewind rewind = plain.write("calm", Integer.toString(i)).rewind();
            Snapshot taken = rewind.capture("");
            Optional<LeftOut> why = taken.metadata().orElseThrow().leftOut(BUSY);
            assertThat(why.isEmpty() || why.get() == LeftOut.CHANGING).isTrue();
          });
    }
  }

  @Test
  void filesComeAndGo() throws Exception {
    Path busy = repo.path("d/busy");

    beside(
        i -> {
          Files.createDirectories(busy.getParent());
          Files.writeString(busy, Integer.toString(i));
          Files.delete(busy);
          Files.delete(busy.getParent());
        },
        this::capture);
  }

  @Test
  void aFileAndAFolderTakeTurns() throws Exception {
    Path busy = repo.path("busy");

    beside(
        i -> {
          Files.writeString(busy, Integer.toString(i));
          Files.delete(busy);
          Files.createDirectories(busy);
          Files.writeString(busy.resolve("in"), Integer.toString(i));
          Files.delete(busy.resolve("in"));
          Files.delete(busy);
        },
        this::capture);
  }
}
