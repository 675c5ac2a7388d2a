// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.rows;

import dev.varve.StoreException;
import dev.varve.history.FileStamp;
import dev.varve.history.FolderContents;
import dev.varve.history.HistoryFile;
import dev.varve.history.SessionFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// The tables in which an agent's database keeps sessions. No other table is read.
///
/// @param sessions finds the sessions: rows with `id` and, if there is one, `parent_session_id`
/// @param distinct the column with a time of a session that tells its id from the same id on
///   another computer; empty if ids are unique
/// @param sums find, for each row of any session, the session's id as `s`, its `size`, and what
///   else a change of the row changes
/// @param rows find the rows of the session `?1`, in the order in which they are archived
public record SessionTables(
    DatabaseKind kind,
    String sessions,
    String distinct,
    List<TableQuery> sums,
    List<TableQuery> rows) {

  private static final String PARENT = "parent_session_id";

  /// The end of a key with a distinct column: a time, with or without a space in it. The id may
  /// have spaces, too.
  private static final Pattern CREATED = Pattern.compile(" [^ ]+( [0-9]{2}:[^ ]+)?$");

  /// A session as the database lists it.
  private record Listed(String id, String parent, String key, RowSum sum) {}

  public SessionTables {
    sums = List.copyOf(sums);
    rows = List.copyOf(rows);
  }

  /// The sessions that no other session began, each with those that it began.
  ///
  /// @throws StoreException.Invalid if the database is one of another program
  /// @throws StoreException.Io if the database cannot be read
  public List<SessionFiles> list(Path file) {
    Path absolute = file.toAbsolutePath().normalize();
    Map<String, Listed> listed = new LinkedHashMap<>();
    try (SessionDatabase database = SessionDatabase.open(absolute)) {
      Map<String, List<String>> tables = database.tables();
      if (!kind.demand(absolute, tables)) {
        return List.of();
      }
      database.each(sessions, "", row -> add(row, listed));
      for (TableQuery query : sums) {
        if (tables.containsKey(query.table())) {
          database.each(query.sql(), query.table(), row -> sum(row, listed));
        }
      }
    } catch (IOException | SQLException e) {
      throw new StoreException.Io(file.toString(), "cannot be read: " + e.getMessage(), e);
    }
    SessionForest forest = new SessionForest();
    listed.values().forEach(session -> forest.add(session.id(), session.parent()));
    List<SessionFiles> found = new ArrayList<>();
    for (List<String> tree : forest.trees()) {
      List<HistoryFile> files = new ArrayList<>();
      for (String id : tree) {
        String slot = files.isEmpty() ? HistoryFile.MAIN : SessionForest.slot(id);
        FileStamp stamp = get(listed, id).sum().stamp();
        files.add(SessionRows.part(absolute, slot, stamp, out -> write(absolute, id, out)));
      }
      files.add(
          SessionRows.part(
              absolute,
              RowInsertion.SCHEMA,
              SessionRows.NEVER_CHANGED,
              out -> RowLines.write(absolute, out, SchemaRows::each)));
      String key = get(listed, tree.getFirst()).key();
      found.add(new SessionFiles(key, FolderContents.parent(absolute), files));
    }
    return found;
  }

  private static Listed get(Map<String, Listed> listed, String id) {
    Listed session = listed.get(id);
    if (session == null) {
      throw new AssertionError("not listed: " + id);
    }
    return session;
  }

  /// Takes a session, if its row has an id.
  private void add(DatabaseRow row, Map<String, Listed> listed) {
    if (!row.text("id").isEmpty()) {
      listed.put(row.text("id"), listed(row));
    }
  }

  private Listed listed(DatabaseRow row) {
    String id = row.text("id");
    RowSum sum = new RowSum();
    sum.add(row);
    String key = distinct.isEmpty() ? id : id + ' ' + row.columns().get(distinct);
    return new Listed(id, row.text(PARENT), key, sum);
  }

  private static void sum(DatabaseRow row, Map<String, Listed> listed) {
    Listed session = listed.get(row.text("s"));
    if (session != null) {
      session.sum().add(row);
    }
  }

  /// Writes the rows of a session into a database, all or none.
  ///
  /// @param secret the tables that are left out of a backup
  public RowInsertion insertion(Set<String> secret) {
    return new RowInsertion(
        kind.agent(),
        (table, _) -> rows.stream().anyMatch(query -> query.table().equals(table)),
        secret,
        (database, slot, key, out) -> {
          String id = distinct.isEmpty() ? key : CREATED.matcher(key).replaceFirst("");
          write(database, slot.equals(HistoryFile.MAIN) ? id : SessionForest.id(slot), out);
        });
  }

  private void write(Path file, String id, OutputStream out) throws IOException {
    RowLines.write(
        file,
        out,
        (database, line) -> {
          Set<String> tables = database.tables().keySet();
          for (TableQuery query : rows) {
            if (tables.contains(query.table())) {
              database.each(query.sql(), query.table(), line, id);
            }
          }
        });
  }
}
