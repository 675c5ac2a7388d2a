// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.sampled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import dev.varve.history.AgentEnvironment;
import dev.varve.history.Archive;
import dev.varve.history.HistoryImport;
import dev.varve.history.PutBack;
import dev.varve.history.SessionAbout;
import dev.varve.history.opencode.OpencodeProfile;
import dev.varve.imports.ImportReport;
import dev.varve.imports.ImportReport.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Made-up sessions of Goose.
class GooseHistoryTest {

  private static final String ASKED =
      "INSERT INTO messages VALUES (%d, 'm%1$d', '20260203_1', 'user',"
          + " '[{\"type\":\"text\",\"text\":\"grease the axle\"}]', %d)";

  @TempDir Path folder;
  private final Archive archive = Archive.of(new GooseProfile());

  private Path database() throws SQLException {
    return MadeTables.write(
        folder.resolve("sessions.db"),
        "CREATE TABLE sessions (id TEXT PRIMARY KEY, description TEXT, working_dir TEXT, created_at"
            + " TEXT)",
        "CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT, session_id"
            + " TEXT, role TEXT, content_json TEXT, created_timestamp INTEGER)",
        "CREATE TABLE secrets (value TEXT)",
        "INSERT INTO secrets VALUES ('hush')",
        "INSERT INTO sessions VALUES ('20260203_1', 'Axle', '/src/cart', '2026-02-03 10:00:00')",
        ASKED.formatted(1, 1770112800),
        "INSERT INTO messages VALUES (2, 'm2', '20260203_1', 'assistant',"
            + " '[{\"type\":\"text\",\"text\":\"greased\"}]', 1770112801000)");
  }

  @Test
  void theRowsOfASessionAreTurnsAndComeBack() throws IOException, SQLException {
    ImportReport report = archive.take(database());

    assertThat(archive.texts(report.contexts().all().getFirst()))
        .containsExactly(
            "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"grease the axle\"}]}",
            "{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"greased\"}]}");
    SessionAbout.View view = archive.session(report).about().view();
    assertThat(List.of(view.session(), view.folder(), view.title()))
        .containsExactly("20260203_1", "/src/cart", "Axle");

    Path back = folder.resolve("back");
    PutBack putBack = new PutBack(archive.store(), archive.profile());
    putBack.write(putBack.plan(archive.session(report), back));
    for (String table : List.of("sessions", "messages")) {
      assertThat(MadeTables.rows(back.resolve("sessions.db"), table))
          .isEqualTo(MadeTables.rows(folder.resolve("sessions.db"), table));
    }
    assertThat(MadeTables.rows(back.resolve("sessions.db"), "secrets")).isEmpty();
    assertThat(putBack.plan(archive.session(report), back).free()).as("there now").isEmpty();
  }

  /// Sessions of versions before the database had names, which became their ids.
  @Test
  void aSessionWithANameComesBackOnce() throws IOException, SQLException {
    Path file = database();
    MadeTables.write(
        file,
        "INSERT INTO sessions VALUES ('my front axle', 'Axle', '/src', '2026-02-03 10:00:00')",
        "INSERT INTO messages VALUES (9, 'm9', 'my front axle', 'user',"
            + " '[{\"type\":\"text\",\"text\":\"oil it\"}]', 1770112800)");
    ImportReport report =
        new HistoryImport(archive.store(), archive.profile(), InstantSource.system())
            .session(archive.profile().sessionsIn(file).getLast(), _ -> {});
    PutBack putBack = new PutBack(archive.store(), archive.profile());
    Path back = folder.resolve("back");

    putBack.write(putBack.plan(archive.session(report), back));

    assertThat(putBack.plan(archive.session(report), back).free()).as("there now").isEmpty();
  }

  @Test
  void timesInSecondsAndInMillisecondsAreToldApart() throws IOException, SQLException {
    ImportReport report = archive.take(database());

    assertThat(archive.turns(report.contexts().all().getFirst()))
        .extracting(turn -> turn.createdAt())
        .containsExactly(
            Instant.parse("2026-02-03T10:00:00Z"), Instant.parse("2026-02-03T10:00:01Z"));
  }

  @Test
  void aNewRowIsNoticedAndShares() throws IOException, SQLException {
    Path file = database();
    archive.take(file);
    assertThat(archive.take(file).outcome()).isEqualTo(Outcome.UNCHANGED);
    MadeTables.write(file, ASKED.formatted(3, 1770112802));

    ImportReport report = archive.take(file);

    assertThat(report.records().turnsShared()).isEqualTo(2);
    assertThat(report.records().turnsNew()).isEqualTo(1);
  }

  @Test
  void aContentThatIsReplacedByOneOfTheSameSizeIsNoticed() throws IOException, SQLException {
    Path file = database();
    archive.take(file);
    MadeTables.write(file, "UPDATE messages SET content_json = replace(content_json, 'ed', 'ES')");

    ImportReport report = archive.take(file);

    assertThat(report.outcome()).isEqualTo(Outcome.REWRITTEN);
    assertThat(report.records().turnsNew()).isEqualTo(1);
  }

  @Test
  void aTranscriptOfBeforeIsReadAndComesBack() throws IOException {
    Path home = Files.createDirectories(folder.resolve("home"));
    Path file =
        Files.writeString(
            home.resolve("20260203_2.jsonl"),
            """
            {"id":"20260203_2","working_dir":"/src/cart","description":"Wheel","message_count":2}
            {"role":"user","created":1770112800,"content":[{"type":"text","text":"turn it"}]}
            {"role":"assistant","created":1770112801,"content":[{"type":"text","text":"turned"}]}
            """);

    ImportReport report = archive.take(file);

    assertThat(report.records().turns()).isEqualTo(2);
    assertThat(archive.session(report).about().view().title()).isEqualTo("Wheel");
    archive.comesBack(report, home, folder.resolve("back"));
    assertThat(archive.profile().sessions(home)).hasSize(1);
  }

  @Test
  void aRecordThatOnlyLooksLikeARowIsUnreadableAndStopsNothing() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("20260203_3.jsonl"),
            """
            {"id":"20260203_3","working_dir":"/src/cart","description":"Wheel","message_count":2}
            {"role":"user","created":1770112800,"content":[],"$row":{}}
            {"role":"assistant","created":1770112801,"content":[{"type":"text","text":"turned"}]}
            """);

    ImportReport report = archive.take(file);

    assertThat(report.records().unreadable()).isEqualTo(1);
    assertThat(report.records().turns()).isEqualTo(1);
  }

  @Test
  void theNewestSessionIsTheOneThatWasAddedLast() throws SQLException {
    Path file = database();
    MadeTables.write(
        file,
        "INSERT INTO sessions VALUES ('20260203_2', 'b', '/', '2026-02-03 10:00:01')",
        "INSERT INTO sessions VALUES ('20260203_10', 'c', '/', '2026-02-03 10:00:02')");

    assertThat(archive.profile().session(file).key()).startsWith("20260203_10 ");
  }

  @Test
  void aDatabaseOfAnotherAgentIsRefusedByName() throws SQLException {
    Path file = database();

    assertThatThrownBy(() -> Archive.of(new OpencodeProfile()).take(file))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessageContaining("found a database of Goose ('varve import goose')");
  }

  @Test
  void theFolderIsThatOfTheVariableElseOfTheSystem() {
    assertThat(archive.profile().homes(new AgentEnvironment(folder, _ -> "")))
        .containsExactly(folder.resolve(".local/share/goose/sessions"));
    assertThat(
            archive
                .profile()
                .homes(
                    new AgentEnvironment(
                        folder, name -> name.equals("GOOSE_PATH_ROOT") ? "/g" : "")))
        .containsExactly(Path.of("/g/data/sessions"));
  }
}
