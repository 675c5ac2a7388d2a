// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.cli.Call;
import dev.varve.cli.Shell;
import dev.varve.cli.session.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The import of a folder with sessions of any agents.
class MixedImportTest {

  @TempDir Path folder;

  private void write(String name, String text) throws IOException {
    Path file = folder.resolve("old").resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private Call.Result varve(String... args) {
    return new Call().with("HOME", folder.toString()).on(folder.resolve("store"), args);
  }

  @Test
  void everySessionIsFoundFromItsContentAndTheRestIsListed() throws IOException {
    write(
        "a/one.txt",
        "{\"type\":\"session_start\",\"id\":\"f1\"}\n"
            + "{\"type\":\"message\",\"id\":\"m\",\"message\":{\"role\":\"user\",\"content\":\"hi\"}}\n");
    write("a/one.settings.json", "{\"tokenUsage\":{}}");
    write("b/two.md", "# aider chat started at 2026-02-03 10:00:00\n\n#### hang the lamp\n");
    writeSession("b/three.jsonl");
    write("notes.txt", "no session");
    write("b/three.jsonl.blake3state", "Varve's own");
    write("b/three.jsonl.repair", "{\"type\":\"varve.pi.repair\"}\n");

    Call.Result result = varve("import", folder.resolve("old").toString());

    assertThat(result.status()).isZero();
    assertThat(result.out()).contains("3 sessions, 3 new turns");
    assertThat(result.err())
        .contains("not imported: notes.txt: no record of a known agent")
        .as("a part of a session, and files of Varve's own")
        .doesNotContain("settings", "blake3state", "repair");
    assertThat(varve("contexts", "--agent", "aider").lines()).hasSize(2);
    assertThat(varve("import", folder.resolve("old").toString()).out()).contains("3 unchanged");
  }

  @Test
  void aFolderWithoutAnySessionIsAnError() throws IOException {
    write("notes.txt", "no session");

    assertThat(varve("import", folder.resolve("old").toString()).status()).isEqualTo(2);
  }

  private void writeSession(String name) throws IOException {
    write(
        name,
        "{\"type\":\"session\",\"version\":3,\"id\":\"p1\",\"timestamp\":\"2026-02-03T10:00:00Z\",\"cwd\":\"/src\"}\n"
            + "{\"type\":\"message\",\"id\":\"e1\",\"parentId\":null,\"timestamp\":\"2026-02-03T10:00:01Z\",\"message\":{\"role\":\"user\",\"content\":\"paint\"}}\n");
  }

  @Test
  void aFolderThatCannotBeReadIsNamedAndIsNoSuccess() throws Exception {
    writeSession("a.jsonl");
    writeSession("closed/b.jsonl");
    Path closed = folder.resolve("old/closed");
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
    List<String> call = new ArrayList<>(Shell.varveWithoutPrivileges());
    call.addAll(List.of("import", folder.resolve("old").toString()));
    call.addAll(List.of("--store", folder.resolve("store").toString()));

    Shell.Result result = Shell.run(call.toArray(String[]::new));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));

    assertThat(result.status()).as(result.err()).isEqualTo(ExitCodes.INPUT_OUTPUT);
    assertThat(result.err()).isEqualTo(closed + ": permission denied\n");
    assertThat(result.out()).contains("2 sessions, 1 new turn, 1 new context, 1 failed");
  }

  @Test
  void theReasonOfAFailureIsSaidToTheQuiet() throws IOException {
    writeSession("a.jsonl");
    write("b.jsonl", "junk\n");

    Call.Result result = varve("import", "pi", folder.resolve("old").toString(), "--quiet");

    assertThat(result.status()).isEqualTo(ExitCodes.INPUT_OUTPUT);
    assertThat(result.err())
        .endsWith("b.jsonl: expected a session of Pi, found no header and no entry\n");
    assertThat(result.out()).as("one session was imported").isEmpty();
  }

  @Test
  void aNamedFileThatIsNoSessionEndsTheImport() throws IOException {
    writeSession("a.jsonl");
    Path junk = Files.writeString(folder.resolve("junk.jsonl"), "junk\n");

    Call.Result result = varve("import", "pi", junk.toString(), folder.resolve("old").toString());

    assertThat(result.status()).as(result.err()).isEqualTo(ExitCodes.USAGE);
    assertThat(result.err()).startsWith("varve: " + junk + ": expected a session of Pi, found ");
    assertThat(varve("contexts", "--all").out()).isEmpty();
  }

  @Test
  void aNamedFolderWithoutASessionIsNoSuccess() throws IOException {
    writeSession("a.jsonl");
    Path empty = Files.createDirectories(folder.resolve("empty"));

    for (String agent : List.of("pi", "claude-code")) {
      Call.Result result = varve("import", agent, empty.toString());
      assertThat(result.status()).isEqualTo(ExitCodes.USAGE);
      assertThat(result.err()).contains(empty + ": expected sessions of " + agent + ", found none");
    }
    Call.Result both = varve("import", "pi", empty.toString(), folder.resolve("old").toString());
    assertThat(both.status()).isEqualTo(ExitCodes.USAGE);
    assertThat(both.out()).contains("1 session, 1 new turn");
  }

  @Test
  void experimentalProfilesAreMarked() {
    assertThat(varve("agents").out()).contains("copilot (experimental)");
    assertThat(varve("agents", "--json").lines())
        .anyMatch(
            line -> line.contains("\"agent\":\"amp\"") && line.contains("\"experimental\":true"))
        .anyMatch(
            line ->
                line.contains("\"agent\":\"codex\"") && line.contains("\"experimental\":false"));
  }
}
