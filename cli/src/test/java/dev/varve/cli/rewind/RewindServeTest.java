// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.rewind;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.cli.Call;
import dev.varve.cli.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The command `serve` around the protocol, which is tested beside it.
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
  void anErrorHasTheStatusThatTheCommandWouldEndWith() {
    List<String> answers =
        serve(
            "nonsense",
            "{\"id\":\"3\",\"do\":\"show\",\"snapshot\":\"@9\"}",
            "{\"do\":\"session\",\"session_id\":\"s\",\"agent_dir\":\"\\u0000\"}",
            "{\"id\":\"8\",\"do\":\"hello\"}");

    assertThat(answers.get(0)).contains("\"ok\":false,\"status\":2");
    assertThat(answers.get(1)).contains("\"id\":\"3\",\"ok\":false,\"status\":1");
    assertThat(answers.get(2)).contains("\"ok\":false,\"status\":2,\"error\":\"not a path");
    assertThat(answers.get(3)).contains("\"id\":\"8\",\"ok\":true");
  }

  private static final String USER =
      "{\"type\":\"message\",\"id\":\"a\",\"parentId\":null,\"role\":\"user\"}";
  private static final String SAID =
      "{\"type\":\"message\",\"id\":\"b\",\"parentId\":\"a\",\"message\":{\"role\":\"assistant\","
          + "\"content\":[{\"x\":[[[]]]}]}}";

  @Test
  void theCommandsTakeEntriesOfASession(@TempDir Path agent) throws IOException {
    Path file = Files.createDirectories(agent.resolve("sessions")).resolve("2026_ses1.jsonl");
    Matcher mark =
        Pattern.compile("\"data\":(\\{.*?\\})\\}")
            .matcher(
                serve(
                        "{\"do\":\"session\",\"session_id\":\"ses1\",\"settings\":{}}",
                        "{\"do\":\"prompt\"}",
                        "{\"do\":\"turn_end\",\"leaf\":\"b\",\"entries\":["
                            + USER
                            + ","
                            + SAID
                            + "]}")
                    .getLast());
    assertThat(mark.find()).isTrue();
    Files.writeString(
        file,
        String.join(
            "\n",
            "{\"type\":\"session\",\"version\":3,\"id\":\"ses1\",\"cwd\":\"/\"}",
            USER,
            SAID,
            "{\"type\":\"custom\",\"customType\":\"rewind-turn\",\"id\":\"c\",\"parentId\":\"b\",\"data\":"
                + mark.group(1)
                + "}",
            ""));
    Files.writeString(folder.resolve("a"), "2");

    String[] at = {"-C", folder.toString(), "--session", "ses1", "--agent-dir", agent.toString()};
    assertThat(new Call().run(words(at, "rewind", "list")).lines())
        .hasSize(3)
        .anyMatch(line -> line.startsWith("a ") && line.contains("user"));
    assertThat(new Call().run(words(at, "rewind", "list", "--json")).out())
        .contains("\"entry\":\"a\"");
    assertThat(new Call().run(words(at, "rewind", "show", "a")).status()).isZero();
    assertThat(new Call().run(words(at, "rewind", "diff", "a", "--stat")).out()).contains("1 file");
    assertThat(new Call().run(words(at, "rewind", "restore", "z", "--yes")).status()).isOne();
    assertThat(new Call().run(words(at, "rewind", "restore", "a", "--yes")).status()).isZero();
    assertThat(Files.readString(folder.resolve("a"))).isEqualTo("1");
    assertThat(
            new Call()
                .run(
                    "rewind",
                    "list",
                    "-C",
                    folder.toString(),
                    "--session",
                    "nobody",
                    "--agent-dir",
                    agent.toString())
                .status())
        .isOne();
  }

  private static String[] words(String[] more, String... words) {
    return java.util.stream.Stream.concat(
            java.util.Arrays.stream(words), java.util.Arrays.stream(more))
        .toArray(String[]::new);
  }
}
