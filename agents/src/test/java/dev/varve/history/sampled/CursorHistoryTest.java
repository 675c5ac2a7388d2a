// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.sampled;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.history.Archive;
import dev.varve.history.PutBack;
import dev.varve.history.SessionAbout;
import dev.varve.history.SessionFiles;
import dev.varve.imports.ImportReport;
import dev.varve.imports.ImportReport.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
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

  @Test
  void theRowsOfAConversationAreReadInItsOrderAndNoOthers() throws IOException, SQLException {
    Path file =
        MadeTables.write(
            folder.resolve("state.vscdb"),
            "CREATE TABLE ItemTable (key TEXT UNIQUE, value BLOB)",
            "CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)",
            "INSERT INTO ItemTable VALUES ('token', 'hush')",
            "INSERT INTO cursorDiskKV VALUES ('composerData:c', '{\"name\":\"Glaze\",\"createdAt\":"
                + "1770112800000,\"fullConversationHeadersOnly\":[{\"bubbleId\":\"z\"},"
                + "{\"bubbleId\":\"a\"}]}')",
            "INSERT INTO cursorDiskKV VALUES ('bubbleId:c:a', '{\"type\":2,\"text\":\"done\","
                + "\"tokenCount\":{\"inputTokens\":9,\"outputTokens\":2}}')",
            "INSERT INTO cursorDiskKV VALUES ('bubbleId:c:z', '{\"type\":1,\"text\":\"glaze\"}')",
            "INSERT INTO cursorDiskKV VALUES ('bubbleId:c:gone', NULL)",
            "INSERT INTO cursorDiskKV VALUES ('other', 'x')");

    ImportReport report = archive.take(file);

    assertThat(archive.texts(report.contexts().all().getFirst()))
        .satisfiesExactly(
            first -> assertThat(first).contains("glaze"),
            second -> assertThat(second).contains("done"));
    SessionAbout about = archive.session(report).about();
    assertThat(about.view().title()).isEqualTo("Glaze");
    assertThat(archive.store().get(about.usage()).text())
        .isEqualTo("[{\"key\":\"bubbleId:c:a\",\"input\":9,\"cached\":0,\"output\":2}]");
    Path back = folder.resolve("back");
    PutBack putBack = new PutBack(archive.store(), archive.profile());
    putBack.write(putBack.plan(archive.session(report), back));
    assertThat(MadeTables.rows(back.resolve("state.vscdb"), "cursorDiskKV"))
        .hasSize(4)
        .isSubsetOf(MadeTables.rows(file, "cursorDiskKV"));
    assertThat(MadeTables.rows(back.resolve("state.vscdb"), "ItemTable")).as("tokens").isEmpty();
  }

  private static final String ROW = "INSERT INTO cursorDiskKV VALUES ";

  private Path conversation(String value, String... rows) throws SQLException {
    Path file =
        MadeTables.write(
            folder.resolve("state.vscdb"),
            "CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)",
            ROW + "('composerData:c', '" + value + "')");
    for (String row : rows) {
      MadeTables.write(file, ROW + row);
    }
    return file;
  }

  @Test
  void aCheckpointThatComesIsNoticed() throws IOException, SQLException {
    Path file = conversation("{\"fullConversationHeadersOnly\":[]}");
    archive.take(file);
    assertThat(archive.take(file).outcome()).isEqualTo(Outcome.UNCHANGED);
    MadeTables.write(file, ROW + "('checkpointId:c:k', '{}')");

    assertThat(archive.take(file).outcome()).isNotEqualTo(Outcome.UNCHANGED);
  }

  @Test
  void aMessageThatIsReplacedByOneOfTheSameSizeIsNoticed() throws IOException, SQLException {
    Path file =
        conversation(
            "{\"fullConversationHeadersOnly\":[{\"bubbleId\":\"a\"}]}",
            "('bubbleId:c:a', '{\"type\":1,\"text\":\"glaze\"}')");
    archive.take(file);
    assertThat(archive.take(file).outcome()).isEqualTo(Outcome.UNCHANGED);
    MadeTables.write(file, ROW + "('bubbleId:c:a', '{\"type\":1,\"text\":\"blaze\"}')");

    assertThat(archive.take(file).outcome()).isEqualTo(Outcome.REWRITTEN);
  }

  @Test
  void aMessageThatIsListedTwiceIsOneAndAHeaderThatIsNoObjectIsNone()
      throws IOException, SQLException {
    Path file =
        conversation(
            "{\"fullConversationHeadersOnly\":[\"odd\",7,{\"bubbleId\":\"a\"},{\"bubbleId\":"
                + "\"b\"},{\"bubbleId\":\"a\"}]}",
            "('bubbleId:c:a', '{\"type\":1,\"text\":\"glaze\"}')",
            "('bubbleId:c:b', '{\"type\":2,\"text\":\"done\"}')");

    ImportReport report = archive.take(file);

    assertThat(archive.texts(report.contexts().all().getFirst()))
        .satisfiesExactly(
            first -> assertThat(first).contains("glaze"),
            second -> assertThat(second).contains("done"));
  }

  @Test
  void theNewestConversationIsTheLast() throws IOException, SQLException {
    Path file =
        conversation(
            "{\"createdAt\":2}",
            "('composerData:d', '{\"createdAt\":1}')",
            "('composerData:e', 'no JSON')");

    assertThat(archive.profile().session(file).key()).isEqualTo("c");
  }
}
