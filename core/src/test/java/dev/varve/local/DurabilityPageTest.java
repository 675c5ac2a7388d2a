// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Each accident of `docs/durability.md` names tests that exist, and so does each canary.
class DurabilityPageTest {

  private static final Path ROOT = Path.of(System.getProperty("root.dir"));
  private static final Pattern TEST = Pattern.compile("`(\\w+)#(\\w+)`");

  private static String page() throws IOException {
    return Files.readString(ROOT.resolve("docs/durability.md"));
  }

  private static List<String[]> rows(String heading) throws IOException {
    String section = page().split("\n## " + heading + "\n", 2)[1].split("\n## ", 2)[0];
    return section
        .lines()
        .filter(line -> line.startsWith("| "))
        .skip(1)
        .map(line -> line.split("\\|"))
        .toList();
  }

  /// The sources of all test classes, by class name.
  private static Map<String, String> testClasses() throws IOException {
    Map<String, String> sources = new HashMap<>();
    try (Stream<Path> files = Files.walk(ROOT.resolve("core/src/test/java"))) {
      for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
        sources.put(file.getFileName().toString().replace(".java", ""), Files.readString(file));
      }
    }
    return sources;
  }

  @Test
  void everyAccidentNamesTestsThatExist() throws IOException {
    Map<String, String> classes = testClasses();
    List<String> missing = new ArrayList<>();
    List<String[]> accidents = rows("Accidents");
    assertThat(accidents).hasSizeGreaterThan(10);
    accidents.forEach(row -> assertThat(row).as(row[1]).hasSize(5));
    List<String[]> all = new ArrayList<>(accidents);
    all.addAll(rows("Backups"));
    all.addAll(rows("Files beside the store"));
    for (String[] row : all) {
      Matcher tests = TEST.matcher(row[row.length - 1]);
      int named = 0;
      while (tests.find()) {
        named++;
        if (!isTest(classes.getOrDefault(tests.group(1), ""), tests.group(2))) {
          missing.add(tests.group());
        }
      }
      if (named == 0) {
        missing.add("a test for: " + row[1].strip());
      }
    }
    TEST.matcher(page())
        .results()
        .filter(test -> !isTest(classes.getOrDefault(test.group(1), ""), test.group(2)))
        .forEach(test -> missing.add(test.group()));
    assertThat(missing).isEmpty();
  }

  /// Whether an annotation that makes it a test stands between the method and what is before it.
  private static boolean isTest(String source, String method) {
    int name = source.indexOf("void " + method + "(");
    if (name < 0) {
      return false;
    }
    int before = Math.max(source.lastIndexOf("\n  }", name), source.lastIndexOf(";\n", name));
    String header = source.substring(Math.max(0, before), name);
    return header.contains("@Test\n") || header.contains("@ParameterizedTest");
  }

  @Test
  void aMethodWithoutATestAnnotationIsNoTest() {
    String source =
        """
        class SomeTest {
          @Test
          void one() {
            two();
          }

          void two() {
          }

          @ParameterizedTest
          @ValueSource(ints = {1, 2})
          void three(int number) {
          }
        }
        """;
    assertThat(isTest(source, "one")).isTrue();
    assertThat(isTest(source, "two")).isFalse();
    assertThat(isTest(source, "three")).isTrue();
    assertThat(isTest(source, "four")).isFalse();
  }

  @Test
  void everyModeIsTold() throws IOException {
    List<String> told = rows("What an acknowledgement means").stream().map(r -> r[1]).toList();

    assertThat(told).hasSameSizeAs(Durability.values());
    for (Durability mode : Arrays.asList(Durability.values())) {
      assertThat(told).as("%s", mode).anyMatch(cell -> cell.contains("`" + mode + "`"));
    }
  }
}
