// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.sampled;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.history.AgentEnvironment;
import dev.varve.history.Archive;
import dev.varve.history.SessionAbout;
import dev.varve.history.SessionFiles;
import dev.varve.imports.ImportReport;
import dev.varve.imports.ImportReport.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Made-up threads of Amp: documents that are written anew each time.
class AmpHistoryTest {

  private static final String ID = "T-00000000-0000-4000-8000-0000000000a1";
  private static final String ASKED =
      "{\"role\":\"user\",\"messageId\":0,\"content\":[{\"type\":\"text\",\"text\":\"sand it\"}]}";
  private static final String CALLED =
      "{\"role\":\"assistant\",\"messageId\":1,\"content\":[{\"type\":\"tool_use\",\"id\":\"c\"}],"
          + "\"usage\":{\"totalInputTokens\":30,\"cacheReadInputTokens\":20,\"outputTokens\":4,"
          + "\"timestamp\":\"2026-02-03T10:00:01Z\"}}";
  private static final String FOUND =
      "{\"role\":\"user\",\"messageId\":2,\"content\":[{\"type\":\"tool_result\",\"toolUseID\":\"c\"}]}";
  private static final String OTHER =
      "{\"role\":\"user\",\"messageId\":2,\"content\":[{\"type\":\"text\",\"text\":\"wax it\"}]}";

  @TempDir Path folder;
  private final Archive archive = Archive.of(new AmpProfile());

  private Path home() {
    return folder.resolve("home");
  }

  private Path write(String... messages) throws IOException {
    return Files.writeString(
        Files.createDirectories(home().resolve("threads")).resolve(ID + ".json"),
        "{\"v\":3,\"id\":\""
            + ID
            + "\",\"created\":1770112800000,\"env\":{\"initial\":{\"trees\":[{\"uri\":\"file:///src/my%20shop\"}]}},"
            + "\"messages\":["
            + String.join(",", messages)
            + "],\"title\":\"Sand the table\"}");
  }

  @Test
  void messagesAreTurnsAndTheDocumentAroundThemHasTitleAndFolder() throws IOException {
    ImportReport report = archive.take(write(ASKED, CALLED, FOUND));

    assertThat(report.records().records()).as("with the document around").isEqualTo(4);
    assertThat(report.records().turns()).isEqualTo(3);
    assertThat(archive.turns(report.contexts().all().getFirst()))
        .extracting(turn -> turn.type().id())
        .containsExactly("amp.user", "amp.assistant", "amp.tool");
    SessionAbout about = archive.session(report).about();
    assertThat(List.of(about.view().session(), about.view().folder(), about.view().title()))
        .containsExactly(ID, "/src/my shop", "Sand the table");
    assertThat(archive.store().get(about.usage()).text())
        .isEqualTo("[{\"key\":\"" + ID + " 1\",\"input\":30,\"cached\":20,\"output\":4}]");
    archive.comesBack(report, home(), folder.resolve("back"));
  }

  @Test
  void aThreadThatWasCutBackIsABranch() throws IOException {
    archive.take(write(ASKED, CALLED, FOUND));
    ImportReport report = archive.take(write(ASKED, CALLED, OTHER));

    assertThat(report.outcome()).isEqualTo(Outcome.REWRITTEN);
    assertThat(report.records().turnsShared()).isEqualTo(2);
    assertThat(report.records().turnsNew()).isEqualTo(1);
    archive.comesBack(report, home(), folder.resolve("back"));
  }

  @Test
  void theUsageOfMessagesWithoutIdsIsAdded() throws IOException {
    String nameless = CALLED.replace("\"messageId\":1,", "");

    ImportReport report = archive.take(write(ASKED, nameless, FOUND, nameless));

    String used = "\",\"input\":30,\"cached\":20,\"output\":4}";
    assertThat(archive.store().get(archive.session(report).about().usage()).text())
        .isEqualTo(
            "[{\"key\":\"%s without id 0%s,{\"key\":\"%1$s without id 1%2$s]".formatted(ID, used));
  }

  @Test
  void theFoldersAreThoseOfTheSystem() throws IOException {
    write(ASKED);
    Files.writeString(home().resolve("threads/notes.json"), "{}");

    assertThat(archive.profile().sessions(home()))
        .extracting(SessionFiles::key)
        .containsExactly(ID);
    assertThat(archive.profile().homes(new AgentEnvironment(folder, _ -> "")))
        .containsExactly(folder.resolve(".local/share/amp"));
    assertThat(
            archive
                .profile()
                .homes(new AgentEnvironment(folder, Map.of("XDG_DATA_HOME", "/d")::get)))
        .containsExactly(Path.of("/d/amp"));
  }
}
