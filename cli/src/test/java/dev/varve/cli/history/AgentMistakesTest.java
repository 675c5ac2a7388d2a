// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The page on the mistakes of readers names tests that are there.
final class AgentMistakesTest {

  private static final Path ROOT = Path.of(System.getProperty("root.dir"));
  private static final Pattern ROW = Pattern.compile("(?m)^\\| (\\d+) \\|.*\\| (`.*`) \\|$");
  private static final Pattern NAMED = Pattern.compile("`(\\w+)#(\\w+)`");

  @Test
  void everyMistakeNamesTestsThatAreThere() throws IOException {
    Matcher row = ROW.matcher(Files.readString(ROOT.resolve("docs/agent-mistakes.md")));
    List<Integer> numbers = new ArrayList<>();
    while (row.find()) {
      numbers.add(Integer.valueOf(row.group(1)));
      Matcher named = NAMED.matcher(row.group(2));
      boolean any = false;
      while (named.find()) {
        any = true;
        assertThat(source(named.group(1))).contains("void " + named.group(2) + "(");
      }
      assertThat(any).as("mistake %s", row.group(1)).isTrue();
    }

    assertThat(numbers).isEqualTo(IntStream.rangeClosed(1, 17).boxed().toList());
  }

  private static String source(String test) throws IOException {
    try (Stream<Path> files = Files.walk(ROOT.resolve("agents/src/test/java"))) {
      Path file =
          files
              .filter(path -> path.endsWith(test + ".java"))
              .findFirst()
              .orElseThrow(() -> new AssertionError("no test " + test));
      return Files.readString(file);
    }
  }
}
