// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A process that is killed in the middle of indexing leaves an index that catches up.
final class KilledIndexTest {

  /// Enough for the index to be written to the disk more than once.
  private static final Duration AT_WORK = Duration.ofMillis(2500);

  @TempDir Path folder;

  @Test
  void theIndexCatchesUpAfterAKill() throws Exception {
    Path store = folder.resolve("store");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                KilledIndexer.class.getName(),
                store.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    int said = seen(process);
    assertThat(said).as("the last number of the process").isNotNegative();

    try (FoundStore found = new FoundStore(store)) {
      SearchPage page = found.find("common");

      assertThat(page.coverage().isWhole()).isTrue();
      assertThat(page.total()).isEqualTo(found.store.counts().turns()).isGreaterThan(said);
      assertThat(found.turns("word" + said)).hasSize(1);
    }
  }

  /// The last number that the process said before it was killed.
  private static int seen(Process process) throws IOException, InterruptedException {
    int last = -1;
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      long end = Long.MAX_VALUE;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (last < 0) {
          end = System.nanoTime() + AT_WORK.toNanos();
        }
        last = Integer.parseInt(line);
        if (System.nanoTime() - end > 0) {
          process.destroyForcibly();
          break;
        }
      }
    }
    process.waitFor();
    return last;
  }
}
