// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import dev.varve.StoreException;
import dev.varve.cassandra.cql.ClusterSession;
import dev.varve.cassandra.cql.ClusterSession.Condition;
import dev.varve.cassandra.cql.CqlStatement;
import dev.varve.cassandra.cql.KeyspaceReplication;
import dev.varve.cassandra.cql.QuietPause;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/// The keyspace and the tables of stores, made once by the user, and the row of one store, made
/// when the store is first opened.
final class ClusterSetup {

  /// The format that this version writes and reads.
  static final int FORMAT = 2;

  private static final String NUMBER_ROW =
      "INSERT INTO ks.seq (store, name, next, restored) VALUES (?, ?, 1, 0) IF NOT EXISTS";
  private static final String STORE_ROW =
      "INSERT INTO ks.store (store, format, store_id, made_ms, serial_dc) VALUES (?, ?, ?, ?, ?)"
          + " IF NOT EXISTS";
  private static final String GATE_ROW =
      "INSERT INTO ks.erasure_gate (store, closings, run, phase, beat, at_us)"
          + " VALUES (?, 0, 0, 0, 0, 0) IF NOT EXISTS";
  private static final String READ_GATE = "SELECT closings FROM ks.erasure_gate WHERE store = ?";
  private static final String UPGRADE =
      "UPDATE ks.store SET format = ? WHERE store = ? IF format = ?";
  private static final String READ =
      "SELECT format, store_id, serial_dc FROM ks.store WHERE store = ?";

  private final ClusterSession session;

  ClusterSetup(ClusterSession session) {
    this.session = session;
  }

  /// Makes the keyspace and the tables that are missing. May be run again.
  ///
  /// @param replication data centres and their numbers of replicas, as `dc1=3,dc2=3`
  /// @throws StoreException.Invalid if there is such a keyspace, and it has another replication
  void make(String replication) {
    makeKeyspace(KeyspaceReplication.parse(replication));
    for (String statement : statements()) {
      session.define(statement.replace("%s", session.address().keyspace()));
    }
  }

  private void makeKeyspace(KeyspaceReplication wanted) {
    String keyspace = session.address().keyspace();
    KeyspaceReplication present = session.replication();
    if (present == null) {
      session.define(
          "CREATE KEYSPACE IF NOT EXISTS %s WITH replication = %s AND durable_writes = true"
              .formatted(keyspace, wanted.cql()));
      present = session.replication(); // another program may have been faster
    }
    if (!wanted.equals(present)) {
      throw new StoreException.Invalid(
          "replication of keyspace " + keyspace, "expected " + wanted + ", found " + present);
    }
  }

  /// The statements of the schema, with `%s` for the keyspace.
  static List<String> statements() {
    try (InputStream in = ClusterSetup.class.getResourceAsStream("schema.cql")) {
      if (in == null) {
        throw new AssertionError("schema.cql is not in the jar");
      }
      List<String> statements = new ArrayList<>();
      StringBuilder text = new StringBuilder();
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
        text.append(line.startsWith("--") ? "" : line + " ");
      }
      for (String statement : text.toString().split(";", -1)) {
        if (!statement.isBlank()) {
          statements.add(statement.strip());
        }
      }
      return statements;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Makes the row of the store unless there is one. Of several programs that do so at once, one
  /// makes the row.
  void makeStore() {
    requireTables();
    if (session.readOne(CqlStatement.of(READ)) != null) {
      return;
    }
    insert(CqlStatement.of(GATE_ROW), READ_GATE);
    for (String name : List.of("turn", "context")) {
      insert(
          CqlStatement.of(NUMBER_ROW, name),
          "SELECT next FROM ks.seq WHERE store = ? AND name = ?",
          name);
    }
    insert(
        CqlStatement.of(
            STORE_ROW,
            FORMAT,
            UUID.randomUUID(),
            System.currentTimeMillis(),
            session.address().serialDataCentre()),
        READ);
  }

  private void insert(CqlStatement statement, String reading, Object... key) {
    QuietPause pause = session.pauses();
    while (session.writeIf(statement) == Condition.UNKNOWN
        && session.readSerial(CqlStatement.of(reading, key)) == null) {
      pause.take();
    }
  }

  /// Brings a store of an earlier format up to this one. May be run again.
  private void upgrade(int format) {
    insert(CqlStatement.of(GATE_ROW), READ_GATE);
    QuietPause pause = session.pauses();
    while (session.writeIf(CqlStatement.of(UPGRADE, FORMAT, format)) == Condition.UNKNOWN) {
      pause.take();
    }
  }

  private void requireTables() {
    for (String table : List.of("store", "erasure_gate")) {
      if (!session.hasTable(table)) {
        throw new StoreException.NoStore(
            session.address().toString(), "the keyspace has no tables of format " + FORMAT, true);
      }
    }
  }

  /// The identity of the store.
  ///
  /// @throws StoreException.NoStore if there is no such store in the keyspace
  /// @throws StoreException.FormatTooNew if a later version made the store
  /// @throws StoreException.Invalid if the heads of the store are decided elsewhere than the
  ///   address says: two programs that differ would each move a head
  UUID check() {
    requireTables();
    Row row = session.readSerial(CqlStatement.of(READ));
    UUID id = row == null ? null : row.getUuid(1);
    if (row == null || id == null) {
      throw new StoreException.NoStore(
          session.address().toString(), "the keyspace has no store of this name", true);
    }
    if (row.getInt(0) > FORMAT) {
      throw new StoreException.FormatTooNew(session.address().toString(), row.getInt(0), FORMAT);
    }
    if (row.getInt(0) < FORMAT) {
      upgrade(row.getInt(0));
    }
    String decided = Objects.requireNonNullElse(row.getString(2), "");
    String asked = session.address().serialDataCentre();
    if (!decided.equals(asked)) {
      throw new StoreException.Invalid(
          session.address().toString(),
          "expected " + serial(decided) + ", as the store was made, found " + serial(asked));
    }
    return id;
  }

  private static String serial(String dataCentre) {
    return dataCentre.isEmpty() ? "no serial=local" : "serial=local and dc=" + dataCentre;
  }
}
