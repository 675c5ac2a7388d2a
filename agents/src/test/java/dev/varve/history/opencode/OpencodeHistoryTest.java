// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.opencode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.ContextId;
import dev.varve.StoreException;
import dev.varve.hash.Blake3;
import dev.varve.history.Archive;
import dev.varve.history.FolderContents;
import dev.varve.history.HistoryFile;
import dev.varve.history.HistoryImport;
import dev.varve.history.PlannedFile;
import dev.varve.history.PutBack;
import dev.varve.history.PutBackPlan;
import dev.varve.history.SessionFiles;
import dev.varve.history.bytes.ArchivedLines;
import dev.varve.history.claude.ClaudeProfile;
import dev.varve.imports.ImportListener;
import dev.varve.imports.ImportReport;
import dev.varve.imports.ImportReport.Outcome;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Sessions that are rows of a database, read while their agent has the database open.
class OpencodeHistoryTest {

  private static final List<String> TABLES =
      List.of("session", "message", "part", "event", "event_sequence", "todo", "project");

  @TempDir Path folder;
  private final Archive archive = Archive.of(new OpencodeProfile());

  private Path home() {
    return folder.resolve("home");
  }

  private MadeDatabase database() throws SQLException, IOException {
    return new MadeDatabase(home());
  }

  private ImportReport take(String session) throws IOException {
    SessionFiles files =
        archive.profile().sessions(home()).stream()
            .filter(each -> each.key().equals(session))
            .findFirst()
            .orElseThrow();
    return new HistoryImport(
            archive.store(), archive.profile(), () -> Instant.parse("2100-01-01T00:00:00Z"))
        .session(files, ImportListener.NONE);
  }

  private PutBackPlan putBack(ImportReport report, Path target) {
    PutBack putBack = new PutBack(archive.store(), archive.profile());
    PutBackPlan plan = putBack.plan(archive.session(report), target);
    putBack.write(plan);
    return plan;
  }

  @Test
  void promptsAndPartsAreTurnsThoughAllOfThemStandInTheLog() throws Exception {
    try (MadeDatabase database = database()) {
      database.session("ses_1", null, "Fix the shop").talk("ses_1", "do it", "done");
      assertThat(Files.size(database.file())).as("all is in the log").isLessThan(10_000);

      ImportReport report = take("ses_1");

      ContextId leaf = report.contexts().all().getFirst();
      assertThat(report.contexts().all()).hasSize(1);
      assertThat(archive.turns(leaf))
          .extracting(turn -> turn.type().id())
          .containsExactly("opencode.message", "opencode.user", "opencode.assistant");
      assertThat(archive.texts(leaf))
          .contains("{\"type\":\"text\",\"text\":\"do it\"}")
          .noneMatch(text -> text.contains("ses_1"));
      assertThat(archive.session(report).about().view().title()).isEqualTo("Fix the shop");
      assertThat(archive.session(report).about().view().folder()).isEqualTo("/src/shop");
      assertThat(archive.store().get(archive.session(report).about().usage()).text())
          .isEqualTo("[{\"key\":\"m 1001\",\"input\":19,\"cached\":7,\"output\":4}]");
      assertThat(take("ses_1").outcome()).isEqualTo(Outcome.UNCHANGED);
    }
  }

  @Test
  void aForkSharesItsTurns() throws Exception {
    try (MadeDatabase database = database()) {
      database.session("ses_2", null, "a").talk("ses_2", "do it", "done");
      database.session("ses_1", null, "a (fork #1)");
      database.sql(
          "INSERT INTO message SELECT replace(id, 'ses_2', 'ses_1'), 'ses_1', time_created, 9,"
              + " replace(data, 'ses_2', 'ses_1') FROM message");
      database.sql(
          "INSERT INTO part SELECT replace(id, 'ses_2', 'ses_1'), replace(message_id, 'ses_2',"
              + " 'ses_1'), 'ses_1', 9, 9, data FROM part");

      assertThat(take("ses_2").records().turnsNew()).isEqualTo(3);
      ImportReport fork = take("ses_1");
      assertThat(fork.records().turnsNew()).isZero();
      assertThat(fork.records().turnsShared()).isEqualTo(3);
    }
  }

  @Test
  void whatARevertTookOutIsABranch() throws Exception {
    try (MadeDatabase database = database()) {
      database
          .session("ses_1", null, "a")
          .talk("ses_1", "one", "first")
          .talk("ses_1", "two", "second");
      List<String> messages = MadeDatabase.rows(database.file(), "message");
      for (String row : messages.subList(2, 4)) {
        database.remove("ses_1", row.substring(0, row.indexOf('|')));
      }
      database.talk("ses_1", "three", "third");

      ImportReport report = take("ses_1");

      assertThat(report.contexts().all()).hasSize(2);
      assertThat(report.contexts().all())
          .extracting(leaf -> String.join("", archive.texts(leaf)))
          .anyMatch(
              text -> text.contains("first") && text.contains("second") && !text.contains("third"))
          .anyMatch(
              text -> text.contains("first") && text.contains("third") && !text.contains("second"));
      database.stop();
      PutBackPlan _ = putBack(report, folder.resolve("back"));
      for (String table : TABLES) {
        assertThat(MadeDatabase.rows(folder.resolve("back/opencode.db"), table))
            .as(table)
            .isEqualTo(MadeDatabase.rows(home().resolve("opencode.db"), table));
      }
    }
  }

  @Test
  void anAnswerThatIsBeingWrittenIsATurnAsFarAsItIsComplete() throws Exception {
    try (MadeDatabase database = database()) {
      database.session("ses_1", null, "a").talk("ses_1", "one", "first");
      database.message("ses_1", "msg_z", 9000, "{\"role\":\"assistant\",\"time\":{\"created\":9}}");
      database.part(
          "ses_1", "msg_z", "{\"type\":\"reasoning\",\"text\":\"hm\",\"time\":{\"end\":1}}");
      database.part("ses_1", "msg_z", "{\"type\":\"tool\",\"state\":{\"status\":\"running\"}}");
      ImportReport writing = take("ses_1");
      assertThat(writing.records().turns()).isEqualTo(4);

      database.sql(
          "UPDATE part SET time_updated = 2, data ="
              + " '{\"type\":\"tool\",\"state\":{\"status\":\"completed\"}}' WHERE data LIKE"
              + " '%running%'");
      ImportReport done = take("ses_1");
      assertThat(done.records().turns()).isEqualTo(5);
      assertThat(done.contexts().all()).as("no turn changed").hasSize(1);
    }
  }

  @Test
  void aSubAgentIsAContextOfItsParentsSession() throws Exception {
    try (MadeDatabase database = database()) {
      database.session("ses_2", null, "a").talk("ses_2", "one", "first");
      database.session("ses_1", "ses_2", "sub").talk("ses_1", "look", "seen");

      assertThat(archive.profile().sessions(home())).hasSize(1);
      ImportReport report = take("ses_2");
      assertThat(report.contexts().all()).hasSize(2);
      database.stop();
      PutBackPlan _ = putBack(report, folder.resolve("back"));
      assertThat(MadeDatabase.rows(folder.resolve("back/opencode.db"), "session")).hasSize(2);
    }
  }

  @Test
  void anIdNeverLeadsOutOfTheFolder() throws Exception {
    try (MadeDatabase database = database()) {
      database.session("../../keys", null, "a").talk("../../keys", "one", "first");
      database.session("ses_1", null, "b").talk("ses_1", "one", "first");
      Files.createDirectories(home().resolve("storage/session_diff"));
      Files.writeString(home().resolve("keys.json"), "{}");
      Files.writeString(home().resolve("storage/session_diff/ses_1.json"), "[]");

      assertThat(archive.profile().sessions(home()))
          .flatExtracting(SessionFiles::files)
          .extracting(HistoryFile::path)
          .contains(home().resolve("storage/session_diff/ses_1.json"))
          .noneMatch(path -> path.endsWith("keys.json"));
    }
  }

  @Test
  void everyPartOfASessionHasASlotOfItsOwn() throws Exception {
    try (MadeDatabase database = database()) {
      database.session("ses_1", null, "a").talk("ses_1", "see tool-output/tool_x", "first");
      database
          .session("tool_x", "ses_1", "b")
          .talk("tool_x", "see tool-output/tool_x and tool-output/tool_x\n..", "first");
      Files.createDirectories(home().resolve("tool-output"));
      Files.writeString(home().resolve("tool-output/tool_x"), "long");

      List<HistoryFile> files = archive.profile().sessions(home()).getFirst().files();

      assertThat(files).extracting(HistoryFile::slot).doesNotHaveDuplicates();
      assertThat(files)
          .extracting(HistoryFile::path)
          .containsOnlyOnce(home().resolve("tool-output/tool_x"));
    }
  }

  @Test
  void aDatabaseThatCannotBeReadHidesNoOther() throws Exception {
    try (MadeDatabase database = database()) {
      database.session("ses_1", null, "a").talk("ses_1", "one", "first");
      Path old = home().resolve("opencode-old.db");
      Files.writeString(old, "SQLite format 3\0 and nothing that follows from it");

      List<SessionFiles> sessions = archive.profile().sessions(home());

      assertThat(sessions)
          .extracting(SessionFiles::key)
          .containsExactlyInAnyOrder("ses_1", "path:" + old);
    }
  }

  @Test
  void secretsAreNeverArchived() throws Exception {
    try (MadeDatabase database = database()) {
      database.session("ses_1", null, "a").talk("ses_1", "one", "first");
      ImportReport report = take("ses_1");
      assertThat(archive.session(report).manifest().files())
          .noneMatch(
              file -> {
                try (InputStream in = ArchivedLines.stream(archive.store(), file.content())) {
                  String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
                  return text.contains("token-of-the-user") || text.contains("secret-of-the-share");
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
  }

  @Test
  void rowsGoBackIntoTheUsersDatabaseOfWhichABackupIsTaken() throws Exception {
    ImportReport report;
    try (MadeDatabase database = database()) {
      database.session("ses_1", null, "a").talk("ses_1", "one", "first");
      database.session("ses_2", null, "b").talk("ses_2", "other", "stays");
      report = take("ses_1");
      List<String> before = MadeDatabase.rows(database.file(), "part");
      for (String table : List.of("message", "part", "session_share")) {
        database.sql("DELETE FROM " + table + " WHERE session_id = 'ses_1'");
      }
      database.sql("DELETE FROM event WHERE aggregate_id = 'ses_1'");
      database.sql("DELETE FROM session WHERE id = 'ses_1'");

      assertThatThrownBy(() -> putBack(report, home()))
          .as("the agent runs")
          .isInstanceOf(StoreException.Conflict.class)
          .hasMessageContaining("stop opencode");
      database.stop();

      PutBack putBack = new PutBack(archive.store(), archive.profile());
      putBack.write(putBack.plan(archive.session(report), home()));
      assertThat(MadeDatabase.rows(database.file(), "part")).isEqualTo(before);
      assertThat(MadeDatabase.rows(database.file(), "credential")).hasSize(1);
      assertThat(putBack.backups()).hasSize(1);
      Path backup = folder.resolve("backup.db");
      try (InputStream in = archive.store().read(putBack.backups().getFirst())) {
        Files.copy(in, backup);
      }
      assertThat(MadeDatabase.rows(backup, "session")).hasSize(1);
      assertThat(MadeDatabase.rows(backup, "credential")).isEmpty();
      assertThat(new String(Files.readAllBytes(backup), StandardCharsets.ISO_8859_1))
          .doesNotContain("token-of-the-user");
    }
  }

  @Test
  void whereOtherRowsOfASessionLieNothingIsWritten() throws Exception {
    ImportReport report;
    try (MadeDatabase database = database()) {
      database.session("ses_1", null, "a").talk("ses_1", "one", "first");
      report = take("ses_1");
      PutBack same = new PutBack(archive.store(), archive.profile());
      assertThat(same.plan(archive.session(report), home()).taken()).isEmpty();
      database.talk("ses_1", "more", "since");
    }

    PutBack putBack = new PutBack(archive.store(), archive.profile());
    PutBackPlan plan = putBack.plan(archive.session(report), home());
    assertThat(plan.taken()).extracting(PlannedFile::state).contains(PlannedFile.State.TAKEN);
    assertThatThrownBy(() -> putBack.write(plan)).isInstanceOf(StoreException.Conflict.class);
  }

  @Test
  void aDatabaseOfAnotherProgramAndAnotherAgentsFileAreRefused() throws Exception {
    Files.createDirectories(home());
    Path other = home().resolve("other.db");
    try (MadeDatabase database = new MadeDatabase(folder.resolve("x"))) {
      database.sql("DROP TABLE part");
      Path file = database.file();
      assertThatThrownBy(() -> archive.take(file))
          .isInstanceOf(StoreException.Invalid.class)
          .hasMessageContaining("another");
    }
    Files.writeString(other, "{\"type\":\"session\",\"id\":\"x\"}\n");
    assertThatThrownBy(() -> archive.take(other)).isInstanceOf(StoreException.Invalid.class);
    try (MadeDatabase database = database()) {
      database.session("ses_1", null, "a").talk("ses_1", "one", "first");
      assertThatThrownBy(() -> Archive.of(new ClaudeProfile()).take(database.file()))
          .hasMessageContaining("SQLite");
    }
    assertThat(archive.store().contexts(null, 1)).isEmpty();
  }

  @Test
  void aRowThatWasDeletedIsNoticedThoughNoTimeChanged() throws Exception {
    try (MadeDatabase database = database()) {
      database.session("ses_1", null, "a").talk("ses_1", "one", "first");
      database.session("ses_2", "ses_1", "helper").talk("ses_2", "help", "helped");
      ImportReport before = take("ses_1");
      assertThat(take("ses_1").outcome()).isEqualTo(Outcome.UNCHANGED);

      database.sql("DELETE FROM part WHERE session_id = 'ses_2' AND data LIKE '%\"help\"%'");
      ImportReport after = take("ses_1");

      assertThat(after.outcome()).isNotIn(Outcome.UNCHANGED, Outcome.FAILED);
      assertThat(before.contexts().all().stream().flatMap(c -> archive.texts(c).stream()))
          .as("what was archived stays")
          .anyMatch(text -> text.contains("\"help\""));
    }
  }

  @Test
  void aDatabaseIsReadWithoutAChangeInItsFolder() throws Exception {
    Path odd = folder.resolve("a ?b#c%20d");
    try (MadeDatabase database = new MadeDatabase(odd)) {
      database.session("ses_1", null, "a").talk("ses_1", "one", "first");
      Map<String, String> before = contents(odd);

      assertThat(archive.take(database.file()).records().turns()).isEqualTo(3);
      assertThat(contents(odd)).as("while the agent runs").isEqualTo(before);

      Files.copy(database.file(), Files.createDirectory(folder.resolve("left")).resolve("x.db"));
      Files.copy(odd.resolve("opencode.db-wal"), folder.resolve("left/x.db-wal"));
    }
    Map<String, String> stopped = contents(odd);
    archive.take(odd.resolve("opencode.db"));
    assertThat(contents(odd)).as("without the agent").isEqualTo(stopped);

    Map<String, String> left = contents(folder.resolve("left"));
    archive.take(folder.resolve("left/x.db"));
    assertThat(contents(folder.resolve("left"))).as("killed").isEqualTo(left);
  }

  /// The files of a folder with the hashes of their content, but for the shared memory, in which
  /// each reader has a mark; and the time at which a file was last made or deleted there.
  private static Map<String, String> contents(Path folder) throws IOException {
    Map<String, String> contents = new TreeMap<>();
    contents.put(".", Files.getLastModifiedTime(folder).toString());
    for (Path file : FolderContents.files(folder)) {
      String name = FolderContents.name(file);
      boolean memory = name.endsWith("-shm");
      contents.put(name, memory ? "" : Blake3.hash(Files.readAllBytes(file)).toString());
    }
    return contents;
  }
}
