// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.store.DemoStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/// README and `docs/cli.md` say what the command does.
final class DocsTest {

  private static final Path ROOT = Path.of(System.getProperty("root.dir"));

  @TempDir Path folder;

  private static String read(String file) throws IOException {
    return Files.readString(ROOT.resolve(file));
  }

  private static void addLeaves(String path, CommandLine command, Map<String, CommandLine> leaves) {
    if (command.getSubcommands().isEmpty()) {
      leaves.put(path, command);
    }
    command.getSubcommands().forEach((name, sub) -> addLeaves(path + " " + name, sub, leaves));
  }

  @Test
  void everyCommandAndOptionHasItsPlaceOnThePage() throws IOException {
    String page = read("docs/cli.md");
    Map<String, CommandLine> leaves = new LinkedHashMap<>();
    addLeaves("varve", CommandModel.of(new String[0], Call.terminal(), CommandRun::of), leaves);
    String everywhere = page.substring(page.indexOf("## Everywhere"), page.indexOf("## Start"));

    leaves.forEach(
        (path, command) -> {
          Matcher section = Pattern.compile("(?s)\n### `" + path + "[ `].*?(?=\n##)").matcher(page);
          assertThat(section.find()).as("a section on %s", path).isTrue();
          for (OptionSpec option : command.getCommandSpec().options()) {
            for (String name : option.names()) {
              assertThat(everywhere + section.group()).as("%s %s", path, name).contains("`" + name);
            }
          }
        });
    assertThat(page.lines().filter(line -> line.startsWith("### `varve")))
        .hasSameSizeAs(leaves.keySet());
  }

  @Test
  void theExitStatusesAreThoseOfThePage() throws IOException {
    String page = read("docs/cli.md").replace("\\|", "|");

    ExitCodes.meanings()
        .forEach(
            (status, meaning) ->
                assertThat(page).contains("| " + status.strip() + " | " + meaning + " |"));
  }

  @Test
  void theJsonFieldsAreThoseOfThePage() throws IOException {
    Path store = DemoStore.in(folder);
    List<String> lines = new ArrayList<>();
    for (String command :
        new String[] {"contexts -n 1", "log 1 -n 1", "show 1", "stats", "check"}) {
      lines.addAll(Call.varve(store, (command + " --json").split(" ")).lines());
    }
    String page = read("docs/cli.md");

    assertThat(lines).hasSize(5);
    for (String line : lines) {
      Matcher field =
          Pattern.compile("\"([a-z_0-9]+)\":")
              .matcher(line.replaceAll("\"payload_text\":\".*?[^\\\\]\"", "\"payload_text\":0"));
      while (field.find()) {
        assertThat(page).contains("`" + field.group(1) + "`");
      }
    }
  }

  @Test
  void theTourInTheReadmePrintsWhatItSays() throws Exception {
    Matcher tour = Pattern.compile("(?s)```console\n(.*?)```").matcher(read("README.md"));
    assertThat(tour.find()).isTrue();
    Path store = folder.resolve("tour");

    StringBuilder actual = new StringBuilder();
    for (String line : tour.group(1).lines().toList()) {
      if (line.startsWith("$ export")) {
        actual.append(line).append('\n');
      } else if (line.startsWith("$ ")) {
        actual.append(line).append('\n').append(runTyped(line.substring(2), store));
      }
    }

    assertThat(actual.toString()).isEqualTo(tour.group(1));
  }

  /// Runs `./varve …`, or `echo '…' | ./varve …`, in this JVM.
  private static String runTyped(String line, Path store) {
    Matcher piped = Pattern.compile("echo '(.*)' \\| (.*)").matcher(line);
    Call call = new Call();
    String command = line;
    if (piped.matches()) {
      call.input(piped.group(1) + "\n");
      command = piped.group(2);
    }
    List<String> words = new ArrayList<>();
    Matcher word =
        Pattern.compile("'([^']*)'|(\\S+)").matcher(command.substring("./varve ".length()));
    while (word.find()) {
      words.add(word.group(1) != null ? word.group(1) : word.group(2));
    }
    return call.on(store, words.toArray(String[]::new)).out();
  }

  @Test
  void theDrawingInTheReadmeIsThatOfTheDemo() throws IOException {
    Matcher drawing = Pattern.compile("(?s)```text\n(.*?)```").matcher(read("README.md"));
    assertThat(drawing.find()).isTrue();

    assertThat(Call.varve(folder, "demo", "--store", folder.resolve("d").toString()).out())
        .contains(drawing.group(1));
  }

  @Test
  void theProgramInTheReadmeRuns() throws Exception {
    assertThat(runFirstProgram("README.md"))
        .isEqualTo("1 {\"text\":\"hello\"}\n2 {\"text\":\"another way\"}\n");
  }

  @Test
  void theProgramOnThePageForProgramsRuns() throws Exception {
    assertThat(runFirstProgram("docs/java.md")).isEqualTo("hello\n");
  }

  /// Compiles and runs the first program of a page, and returns what it prints.
  private String runFirstProgram(String page) throws Exception {
    Matcher program = Pattern.compile("(?s)```java\n(.*?)```").matcher(read(page));
    assertThat(program.find()).isTrue();
    Path source =
        Files.writeString(
            folder.resolve("Example.java"),
            program
                .group(1)
                .replace("Path.of(\"data\")", "Path.of(\"" + folder.resolve("data") + "\")"));
    Shell.Result result = Shell.java(source);
    assertThat(result.status()).as(result.err()).isZero();
    return result.out();
  }

  @Test
  void linksLeadSomewhere() throws IOException {
    for (String file :
        new String[] {"README.md", "docs/cli.md", "docs/install.md", "docs/java.md"}) {
      Matcher link = Pattern.compile("\\]\\(([^)#:]+)\\)").matcher(read(file));
      while (link.find()) {
        assertThat(ROOT.resolve(file).resolveSibling(link.group(1))).as(file).exists();
      }
    }
  }
}
