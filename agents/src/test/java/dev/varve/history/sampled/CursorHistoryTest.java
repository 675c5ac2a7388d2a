// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.sampled;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.history.Archive;
import dev.varve.history.SessionFiles;
import dev.varve.imports.ImportReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Made-up histories of Cursor.
class CursorHistoryTest {

  @TempDir Path folder;
  private final Archive archive = Archive.of(new CursorProfile());

  @Test
  void theMessagesOfATranscriptStandOneBelowTheOther() throws IOException {
    Path home = folder.resolve("home");
    Path file =
        Files.createDirectories(home.resolve("projects/src-shop/agent-transcripts/c1"))
            .resolve("c1.jsonl");
    Files.writeString(
        file,
        """
        {"role":"user","message":{"content":[{"type":"text","text":"glaze the window"}]}}
        {"role":"assistant","message":{"content":[{"type":"text","text":"done"}]}}
        {"type":"turn_ended","status":"success"}
        {"role":"user","message":{"content":[{"type":"text","text":"glaze the window"}]}}
        """);
    Files.writeString(home.resolve("projects/src-shop/other.jsonl"), "{}");

    ImportReport report = archive.take(file);

    assertThat(report.records().records()).isEqualTo(4);
    assertThat(report.records().turns()).as("equal prompts are two turns").isEqualTo(3);
    assertThat(archive.turns(report.contexts().all().getFirst()))
        .extracting(turn -> turn.type().id())
        .containsExactly("cursor.user", "cursor.assistant", "cursor.user");
    assertThat(archive.session(report).about().view().title()).isEqualTo("glaze the window");
    archive.comesBack(report, home, folder.resolve("back"));
    assertThat(archive.profile().sessions(home))
        .extracting(SessionFiles::key)
        .containsExactly("c1");
  }
}
