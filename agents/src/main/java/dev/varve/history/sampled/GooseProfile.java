// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.sampled;

import dev.varve.history.AgentEnvironment;
import dev.varve.history.FolderContents;
import dev.varve.history.HistoryFile.Kind;
import dev.varve.history.RowTarget;
import dev.varve.history.SessionFiles;
import dev.varve.history.TranscriptReader;
import dev.varve.history.rows.DatabaseKind;
import dev.varve.history.rows.SessionTables;
import dev.varve.history.rows.TableQuery;
import dev.varve.imports.SourceFolder;
import dev.varve.imports.SourceFormat;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The history of Goose: rows of `sessions.db`, and the transcripts `<id>.jsonl` of versions before
/// the database, which lie beside it. An id is a date and a number, so a session's key has the time
/// at which the session was created as well.
public final class GooseProfile extends SampledDatabase {

  private static final SessionTables TABLES =
      new SessionTables(
          DatabaseKind.GOOSE,
          "SELECT * FROM sessions ORDER BY rowid",
          "created_at",
          List.of(
              new TableQuery(
                  "messages",
                  "SELECT session_id AS s, *, length(content_json) AS size FROM messages"),
              new TableQuery("usage_ledger", "SELECT session_id AS s, * FROM usage_ledger")),
          List.of(
              new TableQuery("messages", "SELECT * FROM messages WHERE session_id = ? ORDER BY id"),
              new TableQuery(
                  "usage_ledger", "SELECT * FROM usage_ledger WHERE session_id = ? ORDER BY rowid"),
              new TableQuery("sessions", "SELECT * FROM sessions WHERE id = ?")));

  public GooseProfile() {
    super("goose", "Goose", SourceFormat.GOOSE, "", TABLES, "sessions.db");
  }

  @Override
  public List<Path> homes(AgentEnvironment environment) {
    Path data = environment.folder("XDG_DATA_HOME", ".local/share").resolve("goose");
    String root = environment.variables().apply("GOOSE_PATH_ROOT");
    return List.of((root.isEmpty() ? data : Path.of(root, "data")).resolve("sessions"));
  }

  @Override
  boolean isTranscript(Path file) {
    return FolderContents.name(file).endsWith(SourceFolder.JSON_LINES);
  }

  @Override
  SessionFiles transcript(Path file) {
    return session(file, Kind.TRANSCRIPT, Map.of());
  }

  @Override
  public Optional<RowTarget> rows() {
    return Optional.of(TABLES.insertion(Set.of()));
  }

  @Override
  public TranscriptReader reader(String slot) {
    return new GooseReader();
  }
}
