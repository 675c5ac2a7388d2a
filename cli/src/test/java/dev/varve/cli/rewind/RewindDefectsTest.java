// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.rewind;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Each fault that `docs/rewind-defects.md` tells of names its tests, and they are there; no test
/// of such a name is left out.
final class RewindDefectsTest {

  private static final Path ROOT = Path.of(System.getProperty("root.dir"));
  private static final Pattern ROW = Pattern.compile("(?m)^\\| ([A-Z]\\d+) \\| .*? \\| (.*) \\|$");
  private static final Pattern NAMED = Pattern.compile("`([\\w.]+#\\w+)`");
  private static final Pattern JAVA =
      Pattern.compile("@(?:Parameterized)?Test\\b[^{};]*?void (([a-z]\\d+)[A-Z]\\w*)\\(");
  private static final Pattern SCRIPT =
      Pattern.compile("export async function (([a-z]\\d+)_\\w+)\\(");

  private static Map<String, List<String>> rows() throws IOException {
    Map<String, List<String>> rows = new LinkedHashMap<>();
    Matcher row = ROW.matcher(Files.readString(ROOT.resolve("docs/rewind-defects.md")));
    while (row.find()) {
      rows.put(row.group(1), NAMED.matcher(row.group(2)).results().map(r -> r.group(1)).toList());
    }
    return rows;
  }

  /// `LedgerTest#d1EveryPrompt…`, `points.mjs#d1_userNodes…`
  private static List<String> tests() throws IOException {
    List<String> tests = new ArrayList<>();
    add(tests, ROOT.resolve("agents/src/test/java"), ".java", "", JAVA);
    add(tests, ROOT.resolve("cli/src/test/java"), ".java", "", JAVA);
    add(tests, ROOT.resolve(".ci/rewind"), ".mjs", ".mjs", SCRIPT);
    return tests;
  }

  private static void add(
      List<String> tests, Path folder, String ending, String shown, Pattern pattern)
      throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(path -> path.toString().endsWith(ending)).toList()) {
        String name = file.getFileName().toString().replace(ending, shown);
        Matcher test = pattern.matcher(Files.readString(file));
        while (test.find()) {
          tests.add(name + "#" + test.group(1));
        }
      }
    }
  }

  private static String fault(String test) {
    return test.replaceFirst(".*#([a-z]\\d+).*", "$1").toUpperCase(Locale.ROOT);
  }

  @Test
  void everyFaultThatIsKnownHasARow() throws IOException {
    List<String> known = new ArrayList<>();
    Map.of("D", 6, "E", 22, "R", 4, "C", 3, "P", 3)
        .forEach((letter, n) -> IntStream.rangeClosed(1, n).forEach(i -> known.add(letter + i)));

    assertThat(rows().keySet()).containsExactlyInAnyOrderElementsOf(known);
  }

  @Test
  void everyFaultNamesTestsAndNoTestIsLeftOut() throws IOException {
    List<String> tests = tests();
    assertThat(tests).hasSizeGreaterThan(60);
    rows()
        .forEach(
            (fault, named) -> {
              List<String> there = tests.stream().filter(t -> fault(t).equals(fault)).toList();
              assertThat(named).as(fault).isNotEmpty();
              assertThat(new TreeSet<>(named)).as(fault).isEqualTo(new TreeSet<>(there));
            });
  }

  @Test
  void thoseThatWereSeenInRealPiAreLookedForInRealPi() throws IOException {
    Map<String, List<String>> rows = rows();

    for (String fault : new String[] {"D1", "D2", "D3", "D4"}) {
      assertThat(rows.get(fault)).as(fault).anyMatch(test -> test.contains(".mjs#"));
    }
  }
}
