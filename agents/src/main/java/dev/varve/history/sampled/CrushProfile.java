// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.sampled;

import dev.varve.StoreException;
import dev.varve.history.AgentEnvironment;
import dev.varve.history.RowTarget;
import dev.varve.history.SessionFiles;
import dev.varve.history.TranscriptReader;
import dev.varve.history.rows.DatabaseKind;
import dev.varve.history.rows.SessionTables;
import dev.varve.history.rows.TableQuery;
import dev.varve.imports.SourceFormat;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The history of crush: rows of the database `.crush/crush.db` of each project. A session that a
/// call of a tool began belongs to the session of the call.
///
/// The row of a session stands behind its messages: triggers of the database count messages that
/// are added to a session that is there.
public final class CrushProfile extends SampledDatabase {

  private static final String DATABASE = "crush.db";

  private static final SessionTables TABLES =
      new SessionTables(
          DatabaseKind.CRUSH,
          "SELECT * FROM sessions ORDER BY created_at, id",
          "",
          List.of(
              new TableQuery(
                  "messages",
                  "SELECT session_id AS s, id, updated_at AS updated, length(parts) AS size FROM"
                      + " messages"),
              new TableQuery(
                  "files",
                  "SELECT session_id AS s, id, updated_at AS updated, length(content) AS size FROM"
                      + " files")),
          List.of(
              new TableQuery(
                  "messages",
                  "SELECT * FROM messages WHERE session_id = ? ORDER BY created_at, rowid"),
              new TableQuery(
                  "files", "SELECT * FROM files WHERE session_id = ? ORDER BY path, version"),
              new TableQuery("sessions", "SELECT * FROM sessions WHERE id = ?")));

  public CrushProfile() {
    super("crush", "crush", SourceFormat.CRUSH, "", TABLES, DATABASE);
  }

  @Override
  public List<Path> homes(AgentEnvironment environment) {
    return List.of(environment.userHome().resolve(".crush"));
  }

  @Override
  public boolean keepsPerProject() {
    return true;
  }

  @Override
  boolean isTranscript(Path file) {
    return false;
  }

  /// Crush writes no transcripts.
  @Override
  public List<String> suffixes() {
    return List.of(DATABASE);
  }

  @Override
  SessionFiles transcript(Path file) {
    SourceFormat.SQLITE.demandNoOther(file);
    throw new StoreException.Invalid(
        file.toString(), "expected a database of crush, found no database");
  }

  @Override
  public Optional<RowTarget> rows() {
    return Optional.of(TABLES.insertion(Set.of()));
  }

  @Override
  public TranscriptReader reader(String slot) {
    return new CrushReader();
  }
}
