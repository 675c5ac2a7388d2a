// SPDX-License-Identifier: Apache-2.0
package dev.varve.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The version stands in the root POM, and every other file that repeats it says the same.
final class VersionTest {

  private static final Path ROOT = Path.of(System.getProperty("root.dir"));

  /// The version of an artifact of ours: its own, or the one by which it names its parent.
  private static final Pattern OURS =
      Pattern.compile(
          "<groupId>dev\\.varve</groupId>\\s*<artifactId>[^<]+</artifactId>\\s*"
              + "<version>([^<]+)</version>");

  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
  private static final Pattern LISTED = Pattern.compile("<artifactId>varve-([^<]+)</artifactId>");

  /// Modules that no program depends on.
  private static final Set<String> NOT_PUBLISHED = Set.of("bom", "bench", "dist");

  private static String read(String file) throws IOException {
    return Files.readString(ROOT.resolve(file));
  }

  private static String version() throws IOException {
    Matcher first = OURS.matcher(read("pom.xml"));
    assertThat(first.find()).isTrue();
    return first.group(1);
  }

  private static Set<String> found(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map(match -> match.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void everyPomHasTheVersionOfTheRoot() throws IOException {
    try (Stream<Path> folders = Files.list(ROOT)) {
      for (Path pom : folders.map(folder -> folder.resolve("pom.xml")).toList()) {
        if (Files.exists(pom)) {
          Set<String> versions = found(OURS, Files.readString(pom));
          versions.remove("${project.version}");
          assertThat(versions).as("%s", pom).containsExactly(version());
        }
      }
    }
  }

  @Test
  void theExtensionForPiHasTheSameVersion() throws IOException {
    assertThat(read("pi-extension/package.json")).contains("\"version\": \"" + version() + "\"");
  }

  @Test
  void theListOfArtifactsHasAllThatAreForPrograms() throws IOException {
    Set<String> modules = found(MODULE, read("pom.xml"));
    modules.removeAll(NOT_PUBLISHED);
    Set<String> listed = found(LISTED, read("bom/pom.xml"));
    listed.remove("bom");

    assertThat(listed).isEqualTo(modules);
  }

  @Test
  void thePageAboutInstallingNamesTheVersion() throws IOException {
    assertThat(found(Pattern.compile("varve[-_](\\d+\\.\\d+\\.\\d+)"), read("docs/install.md")))
        .containsExactly(version());
    assertThat(found(Pattern.compile("<version>([^<]+)</version>"), read("docs/install.md")))
        .containsExactly(version());
  }

  @Test
  void theProgramInTheReadmeNamesTheVersionOfItsLibrary() throws IOException {
    assertThat(found(Pattern.compile("dev\\.varve:[a-z-]+:([^\")]+)"), read("README.md")))
        .containsExactly(version());
  }
}
