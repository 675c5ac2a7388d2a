// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.sampled;

import dev.varve.StoreException;
import dev.varve.history.FolderContents;
import dev.varve.history.SessionFiles;
import dev.varve.history.rows.DatabaseKind;
import dev.varve.history.rows.SessionTables;
import dev.varve.imports.SourceFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A profile that rests on samples, of an agent that keeps sessions in a database, and perhaps
/// transcripts, too.
abstract class SampledDatabase extends SampledProfile {

  private final SessionTables tables;
  private final String database;

  /// @param folder the folder in the agent's home with the transcripts; empty if there is none
  /// @param database the name of the database in the agent's home
  SampledDatabase(
      String agent,
      String displayName,
      SourceFormat format,
      String folder,
      SessionTables tables,
      String database) {
    super(agent, displayName, format, folder);
    this.tables = tables;
    this.database = database;
  }

  /// The session of a file that is no database.
  abstract SessionFiles transcript(Path file);

  /// The folder with the transcripts of a home.
  Path transcripts(Path home) {
    return home;
  }

  @Override
  public boolean owns(Path file, SourceFormat found) {
    return found == format()
        || found == SourceFormat.SQLITE && DatabaseKind.of(file).equals(Optional.of(tables.kind()));
  }

  @Override
  public boolean reads(SourceFormat first) {
    return first == format() || first == SourceFormat.ROWS;
  }

  @Override
  public List<SessionFiles> sessions(Path home) {
    List<SessionFiles> sessions = new ArrayList<>();
    FolderContents.below(transcripts(home)).stream()
        .filter(this::isTranscript)
        .forEach(file -> sessions.add(transcript(file)));
    Path file = home.resolve(database);
    if (Files.isRegularFile(file)) {
      try {
        sessions.addAll(tables.list(file));
      } catch (StoreException.Io e) {
        sessions.add(SessionFiles.unlisted(file, e));
      }
    }
    return sessions;
  }

  @Override
  public List<Path> watched(Path home) {
    Path transcripts = transcripts(home);
    return transcripts.equals(home) ? List.of(home) : List.of(transcripts, home);
  }

  @Override
  public List<String> suffixes() {
    return List.of(database, ".jsonl");
  }

  /// The newest session of a database; the session of a transcript.
  @Override
  public SessionFiles session(Path file) {
    List<SessionFiles> sessions = sessionsIn(file);
    if (sessions.isEmpty()) {
      throw new StoreException.Invalid(file.toString(), "expected sessions, found none");
    }
    return sessions.getLast();
  }

  @Override
  public List<SessionFiles> sessionsIn(Path file) {
    try {
      boolean rows = SourceFormat.of(file).equals(Optional.of(SourceFormat.SQLITE));
      return rows ? tables.list(file) : List.of(transcript(file));
    } catch (IOException e) {
      throw new StoreException.Io(file.toString(), "cannot be read", e);
    }
  }
}
