// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.sampled;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.history.AgentEnvironment;
import dev.varve.history.Archive;
import dev.varve.history.SessionAbout;
import dev.varve.history.SessionFiles;
import dev.varve.imports.ImportReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Made-up transcripts of Factory's droid.
class FactoryHistoryTest {

  private static final String ID = "00000000-0000-4000-8000-0000000000f1";

  @TempDir Path folder;
  private final Archive archive = Archive.of(new FactoryProfile());

  private Path home() {
    return folder.resolve("home");
  }

  private Path write() throws IOException {
    Path sessions = Files.createDirectories(home().resolve("sessions/-src-shop"));
    Files.writeString(
        sessions.resolve(ID + ".settings.json"),
        "{\"tokenUsage\":{\"inputTokens\":10,\"outputTokens\":4,\"cacheReadTokens\":7,\"cacheCreationTokens\":2}}");
    return Files.writeString(
        sessions.resolve(ID + ".jsonl"),
        """
        {"type":"session_start","id":"%s","title":"Oil the hinge","cwd":"/src/shop"}
        {"type":"message","id":"m1","timestamp":"2026-02-03T10:00:00Z","message":{"role":"user","content":[{"type":"text","text":"oil it"}]}}
        {"type":"message","id":"m2","parentId":"m1","timestamp":"2026-02-03T10:00:01Z","message":{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"Oil"}]}}
        {"type":"todo_state","id":"t1","todos":"1. oil"}
        {"type":"message","id":"m3","parentId":"m2","timestamp":"2026-02-03T10:00:02Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c"}]}}
        {"type":"message","id":"m4","parentId":"m1","timestamp":"2026-02-03T10:00:03Z","message":{"role":"assistant","content":[{"type":"text","text":"another answer"}]}}
        {"type":"mood","id":"q"}
        """
            .formatted(ID));
  }

  @Test
  void messagesAreTurnsBelowTheirParents() throws IOException {
    ImportReport report = archive.take(write());

    assertThat(report.records().records()).isEqualTo(7);
    assertThat(report.records().turns()).isEqualTo(4);
    assertThat(report.records().bookkeeping()).as("with the unknown one").isEqualTo(3);
    assertThat(report.contexts().all()).as("two answers to one prompt").hasSize(2);
    assertThat(archive.turns(report.contexts().all().getFirst()))
        .extracting(turn -> turn.type().id())
        .containsExactly("factory.user", "factory.assistant", "factory.tool");
    SessionAbout about = archive.session(report).about();
    assertThat(List.of(about.view().session(), about.view().folder(), about.view().title()))
        .containsExactly(ID, "/src/shop", "Oil the hinge");
    assertThat(archive.store().get(about.usage()).text())
        .isEqualTo("[{\"key\":\"" + ID + "\",\"input\":19,\"cached\":7,\"output\":4}]");
    archive.comesBack(report, home(), folder.resolve("back"));
  }

  @Test
  void sessionsOfBothLayoutsAreFound() throws IOException {
    write();
    Files.writeString(home().resolve("sessions/old.jsonl"), "");

    assertThat(archive.profile().sessions(home()))
        .extracting(SessionFiles::key)
        .containsExactly(ID, "old");
    assertThat(archive.profile().homes(new AgentEnvironment(folder, _ -> "")))
        .containsExactly(folder.resolve(".factory"));
  }
}
