// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.pi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.cli.Call;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A session that is imported and published takes little more than one that is imported: docs/
/// decisions/0016.
final class PiStoredOnceTest {

  private static final String ID = "01a2203c-2249-72c6-8738-a34a8f311b65";

  @TempDir Path folder;

  private Path session;

  @BeforeEach
  void writeSession() throws IOException {
    SplittableRandom random = new SplittableRandom(12);
    StringBuilder lines = new StringBuilder();
    lines
        .append("{\"type\":\"session\",\"version\":3,\"id\":\"")
        .append(ID)
        .append("\",\"timestamp\":\"2026-11-28T03:39:01.578Z\",\"cwd\":\"/src/shop\"}\n");
    for (int i = 1; i <= 1_500; i++) {
      int words = i % 100 == 0 ? 30_000 : random.nextInt(10, 300);
      lines.append(entry(i, words, random)).append('\n');
    }
    session = Files.writeString(folder.toRealPath().resolve("session.jsonl"), lines);
  }

  private static String entry(int i, int words, SplittableRandom random) {
    StringBuilder text = new StringBuilder();
    for (int word = 0; word < words; word++) {
      text.append(Integer.toString(random.nextInt(50_000), 36)).append(' ');
    }
    return """
    {"type":"message","id":"%08x","parentId":%s,"timestamp":"2026-11-28T03:39:02.000Z",\
    "message":{"role":"assistant","content":[{"type":"text","text":"%s"}]}}\
    """
        .formatted(i, i == 1 ? "null" : "\"%08x\"".formatted(i - 1), text);
  }

  private Call.Result on(String store, String... arguments) {
    Call.Result result =
        new Call()
            .with("PI_CODING_AGENT_DIR", folder.resolve("agent").toString())
            .on(folder.resolve(store), arguments);
    assertThat(result.status()).as(result.err()).isZero();
    return result;
  }

  private long bytesOnDisk(String store) {
    try (Stream<Path> files = Files.walk(folder.resolve(store))) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private double timesTheImport(String store) {
    on("alone", "import", "pi", session.toString());
    return bytesOnDisk(store) / (double) bytesOnDisk("alone");
  }

  @Test
  void importedAndPublishedByOneCommandIsStoredOnce() throws IOException {
    String printed = on("both", "import", "pi", "--publish", session.toString()).out();

    assertThat(timesTheImport("both")).isLessThan(1.1);
    assertThat(List.of(printed.split("\n"))).last().asString().endsWith("  " + session);
    String branch = printed.lines().toList().getLast().substring(0, 64);
    assertThat(on("both", "pi", "publish", session.toString()).out()).isEqualTo(branch + "\n");
    on("both", "pi", "get", branch, "-o", folder.resolve("got.jsonl").toString());
    assertThat(folder.resolve("got.jsonl")).hasSameBinaryContentAs(session);
    String context = on("both", "import", "pi", "--json", session.toString()).out();
    on(
        "both",
        "export",
        "pi",
        context.replaceAll("(?s).*\"context_ids\":\\[\"?([0-9]+).*", "$1"),
        "-o",
        folder.resolve("exported.jsonl").toString());
    assertThat(folder.resolve("exported.jsonl")).hasSameBinaryContentAs(session);
    assertThat(on("both", "check").out()).contains("no problems");
  }

  @Test
  void publishedFirstAndImportedLaterIsStoredOnceToo() {
    on("later", "pi", "publish", session.toString());
    on("later", "import", "pi", session.toString());

    assertThat(timesTheImport("later")).isLessThan(1.1);
  }

  @Test
  void aSessionThatGrewIsStillStoredOnce() throws IOException {
    on("grown", "import", "pi", "--publish", session.toString());
    SplittableRandom random = new SplittableRandom(13);
    for (int i = 1_501; i <= 1_520; i++) {
      Files.writeString(session, entry(i, 100, random) + "\n", StandardOpenOption.APPEND);
      if (i % 5 == 0) {
        on("grown", "import", "pi", "--publish", session.toString());
      }
    }

    assertThat(timesTheImport("grown")).isLessThan(1.1);
  }

  @Test
  void theJsonNamesTheBranch() {
    String branch = on("json", "pi", "publish", session.toString()).out().strip();

    assertThat(on("json", "import", "pi", "--publish", "--json", session.toString()).out())
        .contains("\"branch_hash\":\"" + branch + "\"");
    assertThat(on("json", "import", "pi", "--json", session.toString()).out())
        .contains("\"branch_hash\":null");
  }

  @Test
  void aFileThatIsNoSessionIsNotPublished() throws IOException {
    Path other = Files.writeString(folder.resolve("other.jsonl"), "{\"a\":1}\n");
    Call.Result result =
        new Call().on(folder.resolve("s"), "import", "pi", "--publish", other.toString());

    assertThat(result.status()).isNotZero();
    assertThat(result.out()).doesNotContainPattern("[0-9a-f]{64}");
  }
}
