// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.sampled;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.history.AgentEnvironment;
import dev.varve.history.Archive;
import dev.varve.history.HistoryFile;
import dev.varve.history.SessionAbout;
import dev.varve.history.SessionFiles;
import dev.varve.imports.ImportReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Made-up sessions of Kiro's command line.
class KiroHistoryTest {

  private static final String ID = "00000000-0000-4000-8000-0000000000d1";

  @TempDir Path folder;
  private final Archive archive = Archive.of(new KiroProfile());

  @Test
  void messagesAreTurnsAndTheDocumentBesideHasTheTitle() throws IOException {
    Path home = folder.resolve("home");
    Path sessions = Files.createDirectories(home.resolve("sessions/cli"));
    Files.writeString(
        sessions.resolve(ID + ".json"),
        "{\"session_id\":\"" + ID + "\",\"cwd\":\"/src/shop\",\"title\":\"Hang the sign\"}");
    Files.writeString(sessions.resolve(ID + ".history"), "hang it");
    Path file =
        Files.writeString(
            sessions.resolve(ID + ".jsonl"),
            """
            {"version":"v1","kind":"Prompt","data":{"message_id":"k1","content":[{"kind":"text","data":"hang it"}],"meta":{"timestamp":1770112800}}}
            {"version":"v1","kind":"AssistantMessage","data":{"message_id":"k2","content":[{"kind":"toolUse","data":{"toolUseId":"c"}}]}}
            {"version":"v1","kind":"ToolResults","data":{"message_id":"k3","content":[]}}
            {"version":"v1","kind":"Weather","data":{}}
            """);

    ImportReport report = archive.take(file);

    assertThat(report.records().records()).isEqualTo(4);
    assertThat(report.records().turns()).isEqualTo(3);
    assertThat(archive.turns(report.contexts().all().getFirst()))
        .extracting(turn -> turn.type().id())
        .containsExactly("kiro.user", "kiro.assistant", "kiro.tool");
    assertThat(archive.turns(report.contexts().all().getFirst()).getFirst().createdAt())
        .as("seconds")
        .isEqualTo(Instant.parse("2026-02-03T10:00:00Z"));
    SessionAbout.View view = archive.session(report).about().view();
    assertThat(List.of(view.session(), view.folder(), view.title()))
        .containsExactly(ID, "/src/shop", "Hang the sign");
    assertThat(archive.profile().session(file).files())
        .extracting(HistoryFile::slot)
        .as("the order of the stamps")
        .containsExactly("main", ".history", ".json");
    archive.comesBack(report, home, folder.resolve("back"));
    assertThat(archive.profile().sessions(home)).extracting(SessionFiles::key).containsExactly(ID);
    assertThat(archive.profile().homes(new AgentEnvironment(folder, _ -> "")))
        .containsExactly(folder.resolve(".kiro"));
  }
}
