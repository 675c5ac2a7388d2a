// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.cli.Shell;
import dev.varve.cli.session.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Folders inside an agent's home that cannot be read.
final class UnreadableFoldersTest {

  private static final String CLAUDE =
      "{\"type\":\"user\",\"uuid\":\"u1\",\"parentUuid\":null,\"sessionId\":\"%s\",\"cwd\":\"/src\",\"version\":\"2\",\"timestamp\":\"2026-02-03T10:00:00Z\",\"message\":{\"role\":\"user\",\"content\":\"paint\"}}\n";

  private static final String ID = "0f7c5c1e-0000-4000-8000-00000000000";

  @TempDir Path folder;
  private Path home;
  private Path closed;

  @BeforeEach
  void makeHome() throws IOException {
    home = folder.resolve("claude");
    transcript("projects/-a/" + ID + "1.jsonl", ID + "1");
    transcript("projects/-b/" + ID + "2.jsonl", ID + "2");
  }

  private void transcript(String name, String id) throws IOException {
    Path file = home.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, CLAUDE.formatted(id));
  }

  private void close(String name) throws IOException {
    closed = Files.createDirectories(home.resolve(name));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
  }

  @AfterEach
  void openAgain() throws IOException {
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
  }

  private Shell.Result varve(String... words) throws Exception {
    List<String> call = new ArrayList<>(List.of("env", "CLAUDE_CONFIG_DIR=" + home));
    call.addAll(Shell.varveWithoutPrivileges());
    call.addAll(List.of(words));
    call.addAll(List.of("--store", folder.resolve("store").toString()));
    return Shell.run(call.toArray(String[]::new));
  }

  private Shell.Result quietly(String words) throws Exception {
    return varve((words + " --quiet").split(" "));
  }

  /// Archives what can be read, once with the sum and once more in silence.
  private void archives(String words, String sum) throws Exception {
    Shell.Result result = varve(words.split(" "));
    assertThat(result.status()).as(result.err()).isEqualTo(ExitCodes.INPUT_OUTPUT);
    assertThat(result.out()).contains(sum);

    Shell.Result again = quietly(words);
    assertThat(again.status()).as(again.err()).isEqualTo(ExitCodes.INPUT_OUTPUT);
    assertThat(again.err()).isEqualTo(closed + ": permission denied\n");
    assertThat(again.out()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"sync claude-code", "import claude-code HOME"})
  void theSessionsOfOtherFoldersAreArchived(String words) throws Exception {
    close("projects/-b");

    archives(words.replace("HOME", home.toString()), "1 new turn, 1 new context, 1 failed");
  }

  @Test
  void aPartOfASessionThatCannotBeReadIsNamed() throws Exception {
    close("projects/-a/" + ID + "1/subagents");

    archives("sync claude-code", "3 sessions, 1 new turn, 2 new contexts, 1 failed");
  }

  @Test
  void theOverviewCountsTheRestAndNamesTheFolder() throws Exception {
    close("projects/-b");

    Shell.Result result = varve("agents", "--json");

    assertThat(result.status()).as(result.err()).isEqualTo(ExitCodes.INPUT_OUTPUT);
    assertThat(result.out().lines().filter(line -> line.contains("\"claude-code\"")).toList())
        .singleElement()
        .asString()
        .contains("\"sessions\":1,");
  }

  /// The folder of all projects, in a home that may not be entered.
  @Test
  void aHomeThatMayNotBeEnteredIsNotEmpty() throws Exception {
    close(".");

    Shell.Result result = quietly("sync claude-code");

    assertThat(result.status()).as(result.err()).isEqualTo(ExitCodes.INPUT_OUTPUT);
    assertThat(result.err()).isEqualTo(home.resolve("projects") + ": permission denied\n");
  }
}
