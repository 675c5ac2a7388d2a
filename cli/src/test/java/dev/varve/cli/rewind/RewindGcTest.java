// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.rewind;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.cli.Call;
import dev.varve.cli.Shell;
import dev.varve.cli.session.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Letting snapshots go by command, from a repository and from a store.
@ParameterizedClass
@EnumSource(RewindGcTest.Kept.class)
final class RewindGcTest {

  enum Kept {
    BY_GIT,
    BY_THE_STORE
  }

  @TempDir Path folder;
  @Parameter Kept kept;
  private Path files;
  private Path sessions;

  @BeforeEach
  void takeFourSnapshots() throws Exception {
    files = Files.createDirectories(folder.resolve("files"));
    sessions = Files.createDirectories(folder.resolve("agent/sessions/--files--"));
    if (kept == Kept.BY_GIT) {
      assertThat(Shell.run("git", "init", "-q", files.toString()).status()).isZero();
    }
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Files.writeString(files.resolve("f"), "v" + i);
      names.add("\"" + rewind("capture").out().strip() + "\"");
    }
    session("all", String.join(",", names));
  }

  private void session(String id, String snapshots) throws IOException {
    Files.writeString(
        sessions.resolve(id + ".jsonl"),
        "{\"type\":\"session\",\"version\":3,\"id\":\""
            + id
            + "\",\"timestamp\":\"2026-01-05T12:00:00.000Z\",\"cwd\":\""
            + files
            + "\"}\n"
            + "{\"type\":\"message\",\"id\":\"u1\",\"parentId\":null,\"message\":{\"role\":\"user\"}}\n"
            + "{\"type\":\"custom\",\"customType\":\"rewind-turn\",\"data\":{\"v\":2,\"snapshots\":["
            + snapshots
            + "],\"by\":\"varve\",\"bindings\":[[\"u1\",0],[\"a1\",1],[\"a2\",2],[\"a3\",3]]},\"id\":\"m1\",\"parentId\":\"u1\"}\n");
  }

  private Call.Result rewind(String... words) {
    List<String> all =
        new ArrayList<>(List.of("--store", folder.resolve("store").toString(), "rewind"));
    all.addAll(List.of(words));
    all.addAll(List.of("-C", files.toString()));
    return new Call().run(all.toArray(String[]::new));
  }

  private Call.Result gc(String... words) {
    List<String> all = new ArrayList<>(List.of("gc"));
    all.addAll(List.of(words));
    all.addAll(List.of("--agent-dir", folder.resolve("agent").toString()));
    return rewind(all.toArray(String[]::new));
  }

  @Test
  void aTrialSaysWhatWouldGoAndChangesNothing() {
    Call.Result trial = gc("--max-snapshots", "1", "--dry-run");

    assertThat(trial.out()).contains("2 snapshots would go, 2 kept, 1 of them at any age\n");
    assertThat(trial.lines()).hasSize(kept == Kept.BY_GIT ? 3 : 4);
    assertThat(rewind("list", "--json").lines()).hasSize(4);
  }

  @Test
  void whatGoesIsListedNoMoreAndWhatOfItStaysIsTold() {
    Call.Result done = gc("--max-snapshots", "1");

    assertThat(done.status()).isZero();
    assertThat(done.lines().getFirst())
        .isEqualTo("2 snapshots let go, 2 kept, 1 of them at any age");
    if (kept == Kept.BY_THE_STORE) {
      assertThat(done.lines().getLast())
          .startsWith("blobs that only they held stay in the store, which deletes nothing: ");
      assertThat(rewind("doctor").out()).contains("Snapshots that were let go: 2.");
    }
    assertThat(rewind("list", "--json").lines()).hasSize(2);
    assertThat(rewind("doctor").status()).isZero();
    assertThat(gc("--max-snapshots", "1").out()).startsWith("0 snapshots let go, 2 kept");
  }

  @Test
  void theReportForProgramsHasTheSameNumbers() {
    String report = gc("--max-snapshots", "0", "--json").out();

    assertThat(report)
        .contains("\"dry_run\":false")
        .contains("\"kept\":1,\"pinned\":1")
        .contains("\"why\":null")
        .containsPattern(
            kept == Kept.BY_GIT ? "\"staying_bytes\":0," : "\"staying_bytes\":[1-9][0-9]*,");
    assertThat(rewind("list", "--json").lines()).hasSize(1);
  }

  @Test
  void aSessionThatCannotBeReadKeepsAll() throws IOException {
    Files.createSymbolicLink(sessions.resolve("x.jsonl"), Path.of("away"));

    assertThat(gc("--max-snapshots", "0").status()).isEqualTo(ExitCodes.INPUT_OUTPUT);
    assertThat(rewind("list", "--json").lines()).hasSize(4);
  }

  @Test
  void withoutRulesNothingGoes() {
    assertThat(gc().out()).startsWith("0 snapshots let go, 4 kept");
    assertThat(gc().err()).contains("nothing is to go");
    assertThat(gc("--max-snapshots", "-1").status()).isEqualTo(ExitCodes.USAGE);
  }
}
