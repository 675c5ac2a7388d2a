// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.cline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.history.AgentEnvironment;
import dev.varve.history.Archive;
import dev.varve.history.SessionAbout;
import dev.varve.imports.ImportReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Made-up tasks of Roo Code.
class RooHistoryTest {

  @TempDir Path folder;
  private final Archive archive = Archive.of(new RooProfile());

  @Test
  void aTaskIsOneOfClinesWithItsOwnDescription() throws IOException {
    Path home =
        folder.resolve(".config/VSCodium/User/globalStorage").resolve("rooveterinaryinc.roo-cline");
    Path task = Files.createDirectories(home.resolve("tasks/1770112800000"));
    Files.writeString(
        task.resolve("history_item.json"),
        "{\"id\":\"1770112800000\",\"parentTaskId\":\"1770112700000\",\"task\":\"Lay the tiles\","
            + "\"workspace\":\"/src/shop\"}");
    Path main =
        Files.writeString(
            task.resolve("api_conversation_history.json"),
            MadeConversation.legacy(
                "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"lay them\"}]}",
                "{\"role\":\"assistant\",\"content\":\"Laid.\"}"));

    ImportReport report = archive.take(main);

    assertThat(archive.turns(report.contexts().all().getFirst()))
        .extracting(turn -> turn.type().id())
        .containsExactly("roo.user", "roo.assistant");
    SessionAbout.View view = archive.session(report).about().view();
    assertThat(List.of(view.folder(), view.title(), view.link()))
        .containsExactly("/src/shop", "Lay the tiles", "1770112700000");
    archive.comesBack(report, home, folder.resolve("back"));
    assertThat(archive.profile().homes(new AgentEnvironment(folder, _ -> "")))
        .containsExactly(home);
    assertThat(archive.profile().sessions(home)).hasSize(1);
  }
}
