// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.cli.Call;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    write(
        "b/three.jsonl",
        "{\"type\":\"session\",\"version\":3,\"id\":\"p1\",\"timestamp\":\"2026-02-03T10:00:00Z\",\"cwd\":\"/src\"}\n"
            + "{\"type\":\"message\",\"id\":\"e1\",\"parentId\":null,\"timestamp\":\"2026-02-03T10:00:01Z\",\"message\":{\"role\":\"user\",\"content\":\"paint\"}}\n");
    write("notes.txt", "no session");
    write("b/three.jsonl.blake3state", "Varve's own");

    Call.Result result = varve("import", folder.resolve("old").toString());

    assertThat(result.status()).isZero();
    assertThat(result.out()).contains("3 sessions, 3 new turns");
    assertThat(result.err())
        .contains("not imported: notes.txt: no record of a known agent")
        .as("a part of a session, and a file of Varve's own")
        .doesNotContain("settings", "blake3state");
    assertThat(varve("contexts", "--agent", "aider").lines()).hasSize(2);
    assertThat(varve("import", folder.resolve("old").toString()).out()).contains("3 unchanged");
  }

  @Test
  void aFolderWithoutAnySessionIsAnError() throws IOException {
    write("notes.txt", "no session");

    assertThat(varve("import", folder.resolve("old").toString()).status()).isEqualTo(2);
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
