// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RowInsertionTest {

  @TempDir Path folder;

  private Path write(String... statements) throws IOException {
    Path database = folder.resolve("made.db");
    RowInsertion insertion = new RowInsertion("an agent", Set.of(), (_, _, _, _) -> {});
    for (String sql : statements) {
      byte[] line = RowLine.encode(new DatabaseRow("sqlite_master", Map.of("sql", sql)));
      insertion.write(database, List.of(() -> new ByteArrayInputStream(line)), _ -> {});
    }
    return database;
  }

  @Test
  void definitionsAreExecuted() throws IOException, SQLException {
    Path database =
        write(
            "CREATE TABLE a (b)",
            "CREATE UNIQUE INDEX c ON a (b)",
            "CREATE VIEW d AS SELECT b FROM a",
            "CREATE TRIGGER e AFTER INSERT ON a BEGIN SELECT 1; END");

    try (SessionDatabase made = SessionDatabase.open(database)) {
      assertThat(made.tables()).containsOnlyKeys("a");
    }
  }

  @Test
  void noOtherStatementIs() throws IOException, SQLException {
    Path database = write("CREATE TABLE a (b)");

    for (String sql : List.of("DROP TABLE a", "ATTACH '/tmp/x' AS y", "CREATEX TABLE t (a)", "")) {
      assertThatThrownBy(() -> write(sql)).isInstanceOf(StoreException.Invalid.class);
    }
    try (SessionDatabase made = SessionDatabase.open(database)) {
      assertThat(made.tables()).containsOnlyKeys("a");
    }
  }
}
