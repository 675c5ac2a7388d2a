// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.cli.Call;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The import of folders in which agents keep sessions by project.
class ProjectFoldersTest {

  private static final String LAUNCH = "# aider chat started at 2026-02-03 10:00:00\n\n#### ";

  private static final String GOOSE =
      """
      {"id":"1","working_dir":"/src/cart","description":"Wheel","message_count":1}
      {"role":"user","created":1770112800,"content":[{"type":"text","text":"turn it"}]}
      """;

  @TempDir Path folder;

  private Path at(String name) throws IOException {
    Path file = folder.resolve("projects").resolve(name);
    Files.createDirectories(file.getParent());
    return file;
  }

  private String projects() {
    return folder.resolve("projects").toString();
  }

  private Call.Result importing(String agent) {
    return varve("import", agent, projects());
  }

  private Call.Result varve(String... args) {
    return new Call().with("HOME", folder.toString()).on(folder.resolve("store"), args);
  }

  private static void database(Path file, String... statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private static void crush(Path file, String session) throws SQLException {
    database(
        file,
        "CREATE TABLE sessions (id TEXT, parent_session_id TEXT, title TEXT, created_at INTEGER)",
        "CREATE TABLE messages (id TEXT, session_id TEXT, role TEXT, parts TEXT, created_at"
            + " INTEGER, updated_at INTEGER, is_summary_message INTEGER)",
        "CREATE TABLE files (id TEXT, session_id TEXT, path TEXT, content TEXT, version INTEGER,"
            + " updated_at INTEGER)",
        "INSERT INTO sessions VALUES ('" + session + "', NULL, 't', 1)",
        "INSERT INTO messages VALUES ('m', '" + session + "', 'user', '[]', 1, 1, 0)");
  }

  @Test
  void aChatInTheFolderDoesNotHideThoseBelow() throws IOException {
    Files.writeString(at(".aider.chat.history.md"), LAUNCH + "oil the hinge\n");
    Files.writeString(at("shop/.aider.chat.history.md"), LAUNCH + "hang the lamp\n");

    assertThat(importing("aider").out()).contains("2 sessions, 2 new turns");
  }

  @Test
  void aDatabaseInTheFolderDoesNotHideThoseBelowAndOtherFilesDoNotStopTheRest()
      throws IOException, SQLException {
    Files.writeString(at("a.jsonl"), "{}\n");
    database(at("b/crush.db"), "CREATE TABLE notes (text TEXT)");
    crush(at("crush.db"), "s");
    crush(at("shop/.crush/crush.db"), "t");

    Call.Result result = importing("crush");

    assertThat(result.out()).contains("2 sessions, ");
    assertThat(result.err())
        .contains("not imported: b/crush.db: expected a database of crush")
        .doesNotContain("a.jsonl");
    assertThat(result.status()).isZero();
  }

  /// A database of crush that cannot be listed: a column is missing.
  private static void broken(Path file) throws SQLException {
    database(
        file,
        "CREATE TABLE sessions (id TEXT, title TEXT)",
        "CREATE TABLE messages (session_id TEXT, parts TEXT)",
        "CREATE TABLE files (session_id TEXT, version INTEGER)");
  }

  @Test
  void aBrokenDatabaseFailsAloneInEveryImportOfTheFolder() throws IOException, SQLException {
    broken(at("a/crush.db"));
    crush(at("b/crush.db"), "s");

    Call.Result own = importing("crush");
    Call.Result mixed = new Call().on(folder.resolve("two"), "import", projects());

    for (Call.Result result : List.of(own, mixed)) {
      assertThat(result.out()).contains("2 sessions, 1 new turn, 1 new context, 1 failed");
      assertThat(result.err()).contains("a/crush.db: cannot be read: ");
      assertThat(result.status()).isEqualTo(74);
    }
  }

  @Test
  void aDatabaseThatCannotBeListedDoesNotKeepOtherSessionsFromTheArchive()
      throws IOException, SQLException {
    broken(Files.createDirectories(folder.resolve(".crush")).resolve("crush.db"));
    Files.writeString(folder.resolve(".aider.chat.history.md"), LAUNCH + "oil the hinge\n");
    Path goose = Files.createDirectories(folder.resolve(".local/share/goose/sessions"));
    database(
        goose.resolve("sessions.db"),
        "CREATE TABLE sessions (working_dir TEXT)",
        "CREATE TABLE messages (content_json TEXT)");
    Files.writeString(goose.resolve("1.jsonl"), GOOSE);
    Path session = folder.resolve(".copilot/session-state/c.jsonl");
    Files.createDirectories(session.getParent());
    Files.writeString(session, "{\"type\":\"session.start\",\"data\":{\"sessionId\":\"c\"}}\n");

    Call.Result synced = varve("sync");
    Call.Result listed = varve("agents");

    assertThat(synced.out()).contains("5 sessions, 2 new turns, ").contains("2 failed");
    assertThat(synced.err())
        .contains("crush.db: cannot be read: ")
        .contains("sessions.db: cannot be read: ");
    assertThat(synced.status()).isEqualTo(74);
    assertThat(listed.out())
        .containsPattern("aider .* 100 %")
        .containsPattern("copilot .* 100 %")
        .containsPattern("crush .* 1 .* 0 %");
  }

  @Test
  void aHomeWithADatabaseOfAnotherProgramDoesNotKeepOtherAgentsFromTheArchive()
      throws IOException, SQLException {
    database(
        Files.createDirectories(folder.resolve(".crush")).resolve("crush.db"),
        "CREATE TABLE notes (text TEXT)");
    Files.writeString(folder.resolve(".aider.chat.history.md"), LAUNCH + "oil the hinge\n");

    Call.Result synced = varve("sync");
    Call.Result listed = varve("agents");

    assertThat(synced.out()).contains("2 sessions, 1 new turn, ").contains("1 failed");
    assertThat(synced.status()).isEqualTo(74);
    assertThat(listed.out()).containsPattern("aider .* 100 %");
    assertThat(listed.err()).contains("crush: ").contains("expected a database of crush");
    assertThat(listed.status()).isEqualTo(74);
  }

  @Test
  void aDatabaseOfAnotherProgramDoesNotStopTheRest() throws IOException, SQLException {
    database(at("sessions.db"), "CREATE TABLE notes (text TEXT)");
    Files.writeString(at("old/1.jsonl"), GOOSE);

    Call.Result result = importing("goose");

    assertThat(result.out()).contains("1 session, 1 new turn");
    assertThat(result.err()).contains("not imported: sessions.db: expected a database of Goose");
    assertThat(result.status()).isZero();
  }
}
