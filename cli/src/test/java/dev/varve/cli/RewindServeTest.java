// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RewindServeTest {

  @TempDir Path folder;

  @BeforeEach
  void makeARepository() throws Exception {
    assertThat(Shell.run("git", "init", "-q", folder.toString()).status()).isZero();
    Files.writeString(folder.resolve("a"), "1");
    Files.writeString(folder.resolve("b"), "1");
  }

  private List<String> serve(String... requests) {
    Call.Result result =
        new Call()
            .input(String.join("\n", requests))
            .run("rewind", "serve", "-C", folder.toString());
    assertThat(result.status()).as(result.err()).isZero();
    assertThat(result.lines()).hasSameSizeAs(requests);
    return result.lines();
  }

  @Test
  void requestsAreAnsweredInTheirOrder() throws IOException {
    String first = serve("{\"id\":1,\"do\":\"capture\",\"note\":\"turn 1\"}").getFirst();
    Files.writeString(folder.resolve("a"), "2");
    Files.writeString(folder.resolve("b"), "2");

    List<String> answers =
        serve(
            "{\"id\":\"x\",\"do\":\"hello\"}",
            "{\"id\":\"p\",\"do\":\"plan\",\"snapshot\":\"@0\"}",
            "{\"id\":\"n\",\"do\":\"restore\",\"snapshot\":\"@0\",\"paths\":[]}",
            "{\"id\":\"r\",\"do\":\"restore\",\"snapshot\":\"@0\",\"paths_escaped\":[\"%61\"]}",
            "{\"id\":\"l\",\"do\":\"list\",\"limit\":1}");

    assertThat(first).contains("\"id\":\"1\",\"ok\":true").contains("\"note\":\"turn 1\"");
    assertThat(answers.get(0)).contains("\"protocol\":1");
    assertThat(answers.get(1)).contains("\"changes\":2");
    assertThat(answers.get(2)).contains("\"exact\":true").contains("\"changes\":0");
    assertThat(answers.get(3)).contains("\"exact\":true").contains("\"changes\":1");
    assertThat(answers.get(4)).contains("\"count\":3");
    assertThat(Files.readString(folder.resolve("a"))).isEqualTo("1");
    assertThat(Files.readString(folder.resolve("b"))).isEqualTo("2");
    assertThat(serve("{\"do\":\"undo\"}", "{\"do\":\"redo\"}", "{\"do\":\"begun\"}"))
        .allMatch(line -> line.contains("\"ok\":true"));
  }

  @Test
  void whatIsWrongIsAnsweredAndTheNextRequestGoesOn() {
    List<String> answers =
        serve(
            "nonsense",
            "[]",
            "{\"id\":\"1\",\"do\":\"fly\"}",
            "{\"id\":\"2\",\"do\":\"restore\"}",
            "{\"id\":\"3\",\"do\":\"show\",\"snapshot\":\"@9\"}",
            "{\"id\":\"4\",\"do\":\"plan\",\"snapshot\":{\"deep\":[[[[[[1]]]]]]}}",
            "{\"id\":\"5\",\"do\":\"list\",\"limit\":\"-1\"}",
            "{\"id\":\"6\",\"do\":\"restore\",\"snapshot\":\"--help\"}",
            "{\"id\":\"7\",\"do\":\"undo\"}",
            "{\"id\":\"8\",\"do\":\"hello\"}");

    assertThat(answers.subList(0, 9))
        .allMatch(line -> line.contains("\"ok\":false") && line.contains("\"error\":\""))
        .noneMatch(line -> line.contains("\"status\":70"));
    assertThat(answers.getLast()).contains("\"id\":\"8\",\"ok\":true");
  }

  @Test
  void thePageNamesEveryRequestAndField() throws IOException {
    String page =
        Files.readString(Path.of(System.getProperty("root.dir"), "docs", "stdio.md"));
    List<String> answers =
        serve(
            "{\"do\":\"capture\"}",
            "{\"do\":\"hello\"}",
            "{\"do\":\"look\"}",
            "{\"do\":\"list\"}",
            "{\"do\":\"plan\",\"snapshot\":\"@0\"}",
            "{\"do\":\"restore\",\"snapshot\":\"@0\"}",
            "{\"do\":\"begun\"}",
            "{\"do\":\"undo\"}");

    for (String answer : answers) {
      Matcher field = Pattern.compile("\"([a-z_]+)\":").matcher(answer);
      while (field.find()) {
        assertThat(page).contains("`" + field.group(1) + "`");
      }
    }
  }
}
