// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RowInsertionTest {

  @TempDir Path folder;

  private Path database() {
    return folder.resolve("made.db");
  }

  /// Writes rows into the database, or into a new one if there is none.
  private void write(DatabaseRow... rows) throws IOException {
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    for (DatabaseRow row : rows) {
      lines.write(RowLine.encode(row));
      lines.write('\n');
    }
    new RowInsertion("an agent", (table, _) -> table.equals("a"), Set.of(), (_, _, _, _) -> {})
        .write(database(), List.of(() -> new ByteArrayInputStream(lines.toByteArray())), _ -> {});
  }

  private static DatabaseRow definition(String sql) {
    return new DatabaseRow("sqlite_master", Map.of("sql", sql));
  }

  private Map<String, List<String>> tables() throws IOException, SQLException {
    try (SessionDatabase made = SessionDatabase.open(database())) {
      return made.tables();
    }
  }

  @Test
  void definitionsAreExecutedInADatabaseThatIsMade() throws IOException, SQLException {
    write(
        definition("CREATE TABLE a (b)"),
        definition("CREATE UNIQUE INDEX c ON a (b)"),
        definition("CREATE VIEW d AS SELECT b FROM a"),
        definition("CREATE TRIGGER e AFTER INSERT ON a BEGIN SELECT 1; END"),
        definition("CREATE TABLE migrations (id)"),
        new DatabaseRow("migrations", Map.of("id", 1L)));

    assertThat(tables()).containsOnlyKeys("a", "migrations");
    assertThatThrownBy(() -> write(definition("CREATE TABLE f (g)")))
        .as("in a database that was there")
        .isInstanceOf(StoreException.Invalid.class);
    assertThatThrownBy(() -> write(new DatabaseRow("migrations", Map.of("id", 2L))))
        .isInstanceOf(StoreException.Invalid.class);
  }

  @Test
  void noOtherStatementIs() {
    for (String sql : List.of("DROP TABLE a", "ATTACH '/tmp/x' AS y", "CREATEX TABLE t (a)", "")) {
      assertThatThrownBy(() -> write(definition("CREATE TABLE a (b)"), definition(sql)))
          .isInstanceOf(StoreException.Invalid.class);
      assertThat(folder).as("a database that was begun would not be made again").isEmptyDirectory();
    }
  }

  @Test
  void aRowDecidesOverValuesOnly() throws IOException, SQLException {
    write(definition("CREATE TABLE a (b)"), definition("CREATE TABLE account (token)"));

    write(new DatabaseRow("a", Map.of("b", "x")));
    for (DatabaseRow row :
        List.of(
            new DatabaseRow("account", Map.of("token", "mine")),
            new DatabaseRow("a\" (b) VALUES (1); --", Map.of("b", "x")),
            new DatabaseRow("A", Map.of("b", "x")),
            new DatabaseRow("a", Map.of("rowid", 7L)),
            new DatabaseRow("a", Map.of("b\") SELECT token FROM account --", "x")))) {
      assertThatThrownBy(() -> write(row)).isInstanceOf(StoreException.Invalid.class);
    }

    List<DatabaseRow> rows = new ArrayList<>();
    try (SessionDatabase made = SessionDatabase.open(database())) {
      made.each("SELECT b FROM a", "a", rows::add);
      made.each("SELECT token FROM account", "account", rows::add);
    }
    assertThat(rows).containsExactly(new DatabaseRow("a", Map.of("b", "x")));
  }
}
