// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.opencode;

import dev.varve.StoreException;
import dev.varve.history.FileStamp;
import dev.varve.history.FolderContents;
import dev.varve.history.HistoryFile;
import dev.varve.history.HistoryFile.Kind;
import dev.varve.history.SessionFiles;
import dev.varve.history.rows.DatabaseKind;
import dev.varve.history.rows.RowInsertion;
import dev.varve.history.rows.RowSum;
import dev.varve.history.rows.SessionDatabase;
import dev.varve.history.rows.SessionForest;
import dev.varve.history.rows.SessionRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Lists the sessions of a database, without reading what they say.
///
/// The newest time of a session's rows does not show that rows were deleted, so the stamp of a
/// session is a sum over all of its rows: ids, times, and sizes.
final class DatabaseListing {

  /// The ids that may become the name of a file.
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]+");

  /// The rows of one session, summed up.
  private static final class Sum extends RowSum {
    private String parent = "";
    private final List<Path> outputs = new ArrayList<>();
  }

  private final Path file;
  private final Path home;
  private final Map<String, Sum> sessions = new LinkedHashMap<>();

  private DatabaseListing(Path file) {
    this.file = file;
    this.home = file.resolveSibling("");
  }

  /// The sessions that no other session began, each with those that it began.
  ///
  /// @throws StoreException.Invalid if the database is one of another program
  /// @throws StoreException.Io if the database cannot be read
  static List<SessionFiles> of(Path file) {
    DatabaseListing listing = new DatabaseListing(file);
    try (SessionDatabase database = SessionDatabase.open(file)) {
      listing.read(database);
    } catch (IOException | SQLException e) {
      throw new StoreException.Io(file.toString(), "cannot be read: " + e.getMessage(), e);
    }
    return listing.sessions();
  }

  private void read(SessionDatabase database) throws SQLException {
    Map<String, List<String>> tables = database.tables();
    if (!DatabaseKind.OPENCODE.demand(file, tables)) {
      return; // begun this moment
    }
    database.each(
        "SELECT * FROM session ORDER BY id DESC",
        "session",
        row -> {
          if (row.text("id").isEmpty()) {
            return;
          }
          Sum sum = new Sum();
          sum.parent = row.text("parent_id");
          sum.add(row, "time_updated");
          sessions.put(row.text("id"), sum);
        });
    boolean own = tables.getOrDefault("part", List.of()).contains("session_id");
    for (String table : List.of("message", "part", "event")) {
      List<String> columns = tables.getOrDefault(table, List.of());
      if (columns.contains("data")) {
        String session =
            table.equals("event")
                ? "aggregate_id"
                : table.equals("message") || own
                    ? "session_id"
                    : "(SELECT session_id FROM message m WHERE m.id = message_id)";
        String updated =
            columns.contains("time_updated")
                ? "time_updated"
                : columns.contains("seq") ? "-seq" : "0";
        database.each(
            "SELECT "
                + session
                + " AS s, id, "
                + updated
                + " AS updated, length(data) AS size FROM "
                + table,
            table,
            row -> {
              Sum sum = sessions.get(row.text("s"));
              if (sum != null) {
                sum.add(row);
              }
            });
      }
    }
    if (own) {
      outputs(database);
    }
  }

  /// Finds the files that hold long outputs of tools whole.
  private void outputs(SessionDatabase database) throws SQLException {
    Path folder = home.resolve("tool-output");
    if (!Files.isDirectory(folder)) {
      return;
    }
    database.each(
        "SELECT session_id, substr(data, instr(data, 'tool-output/tool_') + 12, 31) AS name"
            + " FROM part WHERE instr(data, 'tool-output/tool_') > 0",
        "part",
        row -> {
          Sum sum = sessions.get(row.text("session_id"));
          Path output = folder.resolve(row.text("name").replaceFirst("(?s)[^A-Za-z0-9_].*", ""));
          if (sum != null && Files.isRegularFile(output)) {
            sum.outputs.add(output);
          }
        });
  }

  private List<SessionFiles> sessions() {
    SessionForest forest = new SessionForest();
    sessions.forEach((id, sum) -> forest.add(id, sum.parent));
    List<SessionFiles> found = new ArrayList<>();
    for (List<String> tree : forest.trees()) {
      String root = tree.getFirst();
      List<HistoryFile> files = new ArrayList<>();
      for (String id : tree) {
        add(id, files.isEmpty() ? HistoryFile.MAIN : SessionForest.slot(id), files);
      }
      files.add(rows(RowInsertion.PROJECT, RowDump.Part.PROJECT, root, SessionRows.NEVER_CHANGED));
      files.add(rows(RowInsertion.SCHEMA, RowDump.Part.SCHEMA, root, SessionRows.NEVER_CHANGED));
      found.add(new SessionFiles(root, home, files));
    }
    return found;
  }

  /// Adds the files of a session.
  private void add(String id, String slot, List<HistoryFile> files) {
    Sum sum = sessions.get(id);
    if (sum == null) {
      throw new AssertionError("not listed: " + id);
    }
    files.add(rows(slot, RowDump.Part.CONVERSATION, id, sum.stamp()));
    files.add(rows(slot + "/events", RowDump.Part.EVENTS, id, SessionRows.NEVER_CHANGED));
    if (NAME.matcher(id).matches()) {
      Path difference = home.resolve("storage/session_diff").resolve(id + ".json");
      if (Files.isRegularFile(difference)) {
        files.add(HistoryFile.below(home, difference, slot + "/diff", Kind.ATTACHMENT));
      }
    }
    for (Path output : sum.outputs) {
      String name = FolderContents.name(output);
      String free = sessions.containsKey(name) ? "tool-output/" + name : name;
      if (files.stream().noneMatch(file -> file.slot().equals(free))) {
        files.add(HistoryFile.below(home, output, free, Kind.ATTACHMENT));
      }
    }
  }

  private HistoryFile rows(String slot, RowDump.Part part, String id, FileStamp stamp) {
    return SessionRows.part(file, slot, stamp, out -> RowDump.write(file, part, id, out));
  }
}
