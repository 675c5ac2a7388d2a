// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.sampled;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.history.Archive;
import dev.varve.history.HistoryFile;
import dev.varve.history.PutBack;
import dev.varve.history.SessionAbout;
import dev.varve.history.SessionFiles;
import dev.varve.imports.ImportReport;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Made-up databases of crush.
class CrushHistoryTest {

  @TempDir Path folder;
  private final Archive archive = Archive.of(new CrushProfile());

  @Test
  void aSessionAndTheOneThatACallBeganComeBackRowForRow() throws IOException, SQLException {
    Path file =
        MadeTables.write(
            folder.resolve("crush.db"),
            "CREATE TABLE sessions (id TEXT PRIMARY KEY, parent_session_id TEXT, title TEXT,"
                + " message_count INTEGER, prompt_tokens INTEGER, completion_tokens INTEGER,"
                + " created_at INTEGER)",
            "CREATE TABLE messages (id TEXT PRIMARY KEY, session_id TEXT, role TEXT, parts TEXT,"
                + " created_at INTEGER, updated_at INTEGER, is_summary_message INTEGER)",
            "CREATE TABLE files (id TEXT PRIMARY KEY, session_id TEXT, path TEXT, content TEXT,"
                + " version INTEGER, updated_at INTEGER)",
            "CREATE TRIGGER counted AFTER INSERT ON messages BEGIN UPDATE sessions SET"
                + " message_count = message_count + 1 WHERE id = new.session_id; END",
            "INSERT INTO sessions VALUES ('s', NULL, 'Weld the gate', 0, 40, 8, 1770112800)",
            "INSERT INTO sessions VALUES ('m2$$c', 's', 'Look', 0, 1, 1, 1770112801)",
            "INSERT INTO messages VALUES ('m1', 's', 'user',"
                + " '[{\"type\":\"text\",\"data\":{\"text\":\"weld\"}}]', 1770112800, 1, 0)",
            "INSERT INTO messages VALUES ('m2', 's', 'assistant', '[]', 1770112801, 1, 0)",
            "INSERT INTO messages VALUES ('m3', 'm2$$c', 'user', '[]', 1770112802, 1, 0)",
            "INSERT INTO files VALUES ('f', 's', '/gate', 'iron', 0, 1)");

    ImportReport report = archive.take(file);

    assertThat(report.contexts().all()).as("the session and the one it began").hasSize(2);
    assertThat(report.records().turns()).isEqualTo(3);
    assertThat(archive.turns(report.contexts().all().getFirst()))
        .extracting(turn -> turn.type().id())
        .containsExactly("crush.user", "crush.assistant");
    SessionAbout about = archive.session(report).about();
    assertThat(about.view().title()).isEqualTo("Weld the gate");
    assertThat(archive.store().get(about.usage()).text())
        .contains("{\"key\":\"s\",\"input\":40,\"cached\":0,\"output\":8}");
    Path back = folder.resolve("back");
    PutBack putBack = new PutBack(archive.store(), archive.profile());
    putBack.write(putBack.plan(archive.session(report), back));
    for (String table : List.of("sessions", "messages", "files")) {
      assertThat(MadeTables.rows(back.resolve("crush.db"), table))
          .isEqualTo(MadeTables.rows(file, table));
    }
  }

  private Path sessions(String... rows) throws SQLException {
    Path file =
        MadeTables.write(
            folder.resolve("crush.db"),
            "CREATE TABLE sessions (id TEXT, parent_session_id TEXT, title TEXT, created_at"
                + " INTEGER)",
            "CREATE TABLE messages (id TEXT PRIMARY KEY, session_id TEXT, role TEXT, parts TEXT,"
                + " created_at INTEGER, updated_at INTEGER, is_summary_message INTEGER)",
            "CREATE TABLE files (id TEXT, session_id TEXT, path TEXT, content TEXT, version"
                + " INTEGER, updated_at INTEGER)");
    for (String row : rows) {
      MadeTables.write(file, "INSERT INTO sessions VALUES (" + row + ")");
    }
    return file;
  }

  @Test
  void aTimeOfAChangeIsInSecondsOrInMilliseconds() throws IOException, SQLException {
    Path file = sessions("'s', NULL, 't', 1", "'u', NULL, 't', 2");
    MadeTables.write(
        file,
        "INSERT INTO messages VALUES ('m', 's', 'user', '[]', 1, 1770112800, 0)",
        "INSERT INTO messages VALUES ('n', 'u', 'user', '[]', 1, 1770112800001, 0)");

    List<Long> times = new ArrayList<>();
    for (SessionFiles session : archive.profile().sessionsIn(file)) {
      times.add(session.main().source().stamp().modifiedNs());
    }

    assertThat(times).containsExactly(1_770_112_800_000_000_000L, 1_770_112_800_001_000_000L);
  }

  @Test
  void everySessionWithAnIdIsListedWhateverTheParentsAre() throws SQLException {
    Path file =
        sessions(
            "NULL, NULL, 'no id', 1",
            "'s', '', 'no parent', 2",
            "'a', 'b', 't', 3",
            "'b', 'a', 't', 4");

    assertThat(archive.profile().sessionsIn(file))
        .extracting(SessionFiles::key)
        .containsExactly("s", "a");
    assertThat(archive.profile().session(file).files())
        .extracting(HistoryFile::slot)
        .containsExactly("main", "b", "schema");
  }

  @Test
  void aSessionWithTheNameOfASlotComesBack() throws IOException, SQLException {
    Path file = sessions("'s', NULL, 't', 1", "'schema', 's', 'u', 2", "'main', 's', 'v', 3");

    ImportReport report = archive.take(file);

    Path back = folder.resolve("back");
    PutBack putBack = new PutBack(archive.store(), archive.profile());
    putBack.write(putBack.plan(archive.session(report), back));
    assertThat(MadeTables.rows(back.resolve("crush.db"), "sessions"))
        .isEqualTo(MadeTables.rows(file, "sessions"));
    assertThat(putBack.plan(archive.session(report), back).taken()).isEmpty();
  }
}
