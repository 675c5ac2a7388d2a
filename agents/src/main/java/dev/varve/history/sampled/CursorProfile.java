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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The history of Cursor: of its editor, the rows of `state.vscdb` whose keys name a conversation;
/// of its command line, `projects/<folder>/agent-transcripts/…/<id>.jsonl`.
///
/// The messages stand in the order in which the row of the conversation lists them, before that
/// row; all other rows of the conversation stand behind it. The table with the tokens of the
/// account is not read.
public final class CursorProfile extends SampledDatabase {

  private static final String TABLE = "cursorDiskKV";
  private static final String DATABASE = "state.vscdb";

  /// The messages that the conversation `?1` lists.
  private static final String LISTED =
      " FROM cursorDiskKV c, json_each(CASE WHEN json_valid(CAST(c.value AS TEXT)) THEN"
          + " CAST(c.value AS TEXT) ELSE '{}' END, '$.fullConversationHeadersOnly') h JOIN"
          + " cursorDiskKV b ON b.key = 'bubbleId:' || ?1 || ':' || CASE WHEN h.type = 'object'"
          + " THEN json_extract(h.value, '$.bubbleId') END WHERE c.key = 'composerData:' || ?1";

  /// The columns that are summed up: no row has a time, and some have megabytes.
  private static final String SUMMED_UP =
      " AS s, key, length(value) AS size, CASE WHEN length(value) <= 16384 THEN value ELSE"
          + " substr(value, 1, 4096) END AS beginning FROM cursorDiskKV WHERE key >= ";

  private static final SessionTables TABLES =
      new SessionTables(
          DatabaseKind.CURSOR,
          "SELECT substr(key, 14) AS id, CAST(value AS TEXT) AS value FROM cursorDiskKV WHERE key"
              + " >= 'composerData:' AND key < 'composerData;' AND value IS NOT NULL ORDER BY CASE"
              + " WHEN json_valid(CAST(value AS TEXT)) THEN json_extract(CAST(value AS TEXT),"
              + " '$.createdAt') END, key",
          "",
          List.of(
              new TableQuery(
                  TABLE,
                  "SELECT substr(key, 10, instr(substr(key, 10), ':') - 1)"
                      + SUMMED_UP
                      + "'bubbleId:' AND key < 'bubbleId;'"),
              new TableQuery(
                  TABLE,
                  "SELECT substr(key, 14, instr(substr(key, 14), ':') - 1)"
                      + SUMMED_UP
                      + "'checkpointId:' AND key < 'checkpointId;'")),
          List.of(
              new TableQuery(
                  TABLE, "SELECT b.key, b.value" + LISTED + " GROUP BY b.key ORDER BY min(h.key)"),
              new TableQuery(TABLE, "SELECT * FROM cursorDiskKV WHERE key = 'composerData:' || ?1"),
              new TableQuery(
                  TABLE,
                  "SELECT * FROM cursorDiskKV WHERE (key >= 'bubbleId:' || ?1 || ':' AND key <"
                      + " 'bubbleId:' || ?1 || ';' OR key >= 'checkpointId:' || ?1 || ':' AND key <"
                      + " 'checkpointId:' || ?1 || ';') AND key NOT IN (SELECT b.key"
                      + LISTED
                      + ") ORDER BY key")));

  public CursorProfile() {
    super("cursor", "Cursor", SourceFormat.CURSOR, "projects", TABLES, DATABASE);
  }

  @Override
  public List<Path> homes(AgentEnvironment environment) {
    List<Path> homes = new ArrayList<>();
    homes.add(environment.userHome().resolve(".cursor"));
    for (String config : List.of(".config", "Library/Application Support")) {
      Path editor = environment.userHome().resolve(config).resolve("Cursor/User/globalStorage");
      if (Files.isDirectory(editor)) {
        homes.add(editor);
      }
    }
    return homes;
  }

  @Override
  Path transcripts(Path home) {
    return home.resolve("projects");
  }

  @Override
  boolean isTranscript(Path file) {
    return FolderContents.name(file).endsWith(SourceFolder.JSON_LINES)
        && file.toString().contains("agent-transcripts");
  }

  @Override
  SessionFiles transcript(Path file) {
    return session(file, Kind.TRANSCRIPT, Map.of());
  }

  @Override
  public Optional<RowTarget> rows() {
    return Optional.of(TABLES.insertion(Set.of("ItemTable")));
  }

  @Override
  public TranscriptReader reader(String slot) {
    return new CursorReader();
  }
}
