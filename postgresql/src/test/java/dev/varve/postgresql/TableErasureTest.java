// SPDX-License-Identifier: Apache-2.0
package dev.varve.postgresql;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.ErasePlan;
import dev.varve.EraseReceipt;
import dev.varve.EraseRequest;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.ReadProgress;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.View;
import dev.varve.contract.AgreedErasure;
import dev.varve.hash.Blake3;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Erasures and accidents of a real database: a store of an earlier format, a server or a session
/// that ends in the middle, and the bytes in the server's files.
@Tag("database")
final class TableErasureTest {

  private static final String SECRET = "AKIA-TABLE-EXAMPLE";
  private static final String FORMER = "a title that was replaced";

  private static NewTurn said(String text) {
    return NewTurn.of(Payload.utf8(text), new DeclaredType("t", 1), Encoding.JSON);
  }

  private static EraseRequest secret() {
    return new EraseRequest(Set.of(), Set.of(), List.of(Payload.utf8(SECRET)));
  }

  private static EraseRequest context(ContextId context) {
    return new EraseRequest(Set.of(context), Set.of(), List.of());
  }

  /// Erases the secret as a plan says.
  private static EraseReceipt erase(PostgresStore store, ErasePlan plan, ReadProgress progress) {
    return store.erasures().erase(secret(), plan.digest(), progress);
  }

  private static PostgresStore open(PostgresAddress address) {
    return PostgresStore.open(address, StoreOptions.DEFAULTS);
  }

  private static void execute(PostgresAddress address, String... statements) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(address.jdbcUrl(), address.properties());
        Statement statement = connection.createStatement()) {
      statement.execute("SET search_path = " + address.schema());
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  @Test
  void aStoreOfTheFirstFormatIsUpgradedWhenItIsOpenedAndMayBeUpgradedAgain() throws Exception {
    PostgresAddress address = PostgresServer.shared().freshSchema();
    String payload = "the key is " + SECRET;
    BlobHash hash = Blake3.hash(Payload.utf8(payload));
    try (InputStream script =
        requireNonNull(TableErasureTest.class.getResourceAsStream("format-1.sql"))) {
      execute(
          address,
          "CREATE SCHEMA " + address.schema(),
          new String(script.readAllBytes(), StandardCharsets.UTF_8),
          "INSERT INTO context VALUES (1, 0, 0, 0, 1, 1, NULL)",
          "SELECT setval('turn_id', 1), setval('context_id', 1)",
          "SELECT append_turn(1, 1, NULL, NULL, NULL, 't', 1, 9, 1, 0, '\\x%s', %d, 0::smallint,"
                  .formatted(hash, payload.length())
              + " '"
              + payload
              + "', NULL, 1)");
    }
    for (int again = 0; again < 2; again++) {
      try (PostgresStore store = PostgresStore.openExisting(address, StoreOptions.DEFAULTS)) {
        assertThat(store.get(hash)).isEqualTo(Payload.utf8(payload));
        assertThat(store.check().problems()).isEmpty();
      }
      execute(address, "UPDATE store SET format = 1"); // as if the upgrade had not been counted
    }
    execute(address, "UPDATE store SET format = 2", "DROP TABLE former_about"); // the second format

    try (PostgresStore store = open(address)) {
      assertThat(AgreedErasure.in(store, secret()).hashes()).containsExactly(hash);
      Turn turn = store.last(new ContextId(1), 1, View.LATEST).turns().getFirst();
      assertThat(turn.tombstone()).isTrue();
      assertThat(store.append(new ContextId(1), said("next")).parent()).isEqualTo(turn.id());
      BlobHash former = store.put(Payload.utf8("a former title"));
      store.describe(new ContextId(1), former);
      store.describe(new ContextId(1), store.put(Payload.utf8("a title")));
      assertThat(AgreedErasure.in(store, context(new ContextId(1))).hashes()).contains(former);
      assertThat(store.check().problems()).isEmpty();
    }
  }

  @Test
  void anErasureIsDoneOnceWhenItsSessionEndsInTheMiddle() throws Exception {
    PostgresAddress address = PostgresServer.shared().freshSchema();
    try (PostgresStore store = open(address)) {
      BlobHash hash = store.put(Payload.utf8(SECRET));
      ErasePlan plan = store.erasures().plan(secret(), ReadProgress.NONE);
      AtomicBoolean ended = new AtomicBoolean();

      EraseReceipt receipt =
          erase(
              store,
              plan,
              (_, _) -> {
                if (!ended.getAndSet(true)) {
                  terminateOthers(address);
                }
              });

      assertThat(receipt.run()).isEqualTo(1);
      assertThat(receipt.hashes()).containsExactly(hash);
      assertThat(store.mark().erasures()).isEqualTo(1);
      assertThat(store.has(hash)).isFalse();
    }
  }

  private static void terminateOthers(PostgresAddress address) {
    try {
      execute(
          address,
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
              + " WHERE application_name = 'varve' AND pid <> pg_backend_pid()");
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aKilledServerHasTheFormerStateOrTheNewOne() throws Exception {
    PostgresServer server = PostgresServer.start();
    PostgresAddress address = server.freshSchema();
    try (PostgresStore store = open(address);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int round = 1; round <= 4; round++) {
        for (int n = 0; n < 300; n++) {
          store.put(Payload.utf8(SECRET + " " + round + "/" + n));
        }
        ErasePlan plan = store.erasures().plan(secret(), ReadProgress.NONE);
        CountDownLatch begun = new CountDownLatch(100 * round); // some rounds later than others
        Future<EraseReceipt> erasing =
            threads.submit(() -> erase(store, plan, (_, _) -> begun.countDown()));
        begun.await();
        server.kill();
        server.restart();

        EraseReceipt receipt = erasing.get(); // asked again by itself
        assertThat(receipt.run()).isEqualTo(round);
        assertThat(receipt.hashes()).hasSize(300);
        assertThat(store.counts().blobs()).isZero();
        assertThat(store.receipt(round)).isPresent();
        assertThat(store.receipt(round + 1)).isEmpty();
      }
    }
  }

  @Test
  void aCheckNamesErasedContentThatIsThereAgain() throws Exception {
    PostgresAddress address = PostgresServer.shared().freshSchema();
    try (PostgresStore store = open(address)) {
      BlobHash hash = store.put(Payload.utf8(SECRET));
      AgreedErasure.in(store, secret());
      execute(address, "INSERT INTO blob VALUES ('\\x%s', 18, 0, '%s')".formatted(hash, SECRET));

      assertThat(store.check().problems())
          .singleElement()
          .satisfies(
              problem ->
                  assertThat(problem.what()).contains("erasure, row 1", hash + ", which is there"));
    }
  }

  @Test
  void readersGoOnAndWritersWaitWhileAnErasureHasTheStoreAlone() throws Exception {
    PostgresAddress address = PostgresServer.shared().freshSchema();
    try (PostgresStore store = open(address);
        PostgresStore other = open(address);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      ContextId context = store.createContext().id();
      Turn kept = store.append(context, said("kept"));
      store.append(context, said(SECRET));
      ErasePlan plan = store.erasures().plan(secret(), ReadProgress.NONE);
      Future<?>[] writes = new Future<?>[DatabaseSessions.CONNECTIONS_MAX * 2];

      erase(
          store,
          plan,
          (_, _) -> {
            if (writes[0] == null) {
              for (int i = 0; i < writes.length; i++) {
                int n = i;
                writes[i] = threads.submit(() -> other.append(context, said("write " + n)));
              }
            }
            for (int i = 0; i < 20; i++) { // more than the pool has connections
              assertThat(other.get(kept.payloadHash())).isEqualTo(Payload.utf8("kept"));
            }
            assertThat(writes).noneMatch(Future::isDone);
            assertThatThrownBy(() -> erase(other, plan, ReadProgress.NONE))
                .isInstanceOf(StoreException.Conflict.class)
                .hasMessageContaining("under way");
          });

      for (Future<?> write : writes) {
        write.get();
      }
      assertThat(store.head(context).headDepth()).isEqualTo(1 + writes.length);
      assertThat(store.check().problems()).isEmpty();
    }
  }

  @Test
  void theBytesAreOffTheFilesOfTheTablesOnceTheyAreWrittenAnew() throws Exception {
    PostgresServer server = PostgresServer.start();
    PostgresAddress address = server.freshSchema();
    try (PostgresStore store = open(address)) {
      store.put(Payload.utf8("short " + SECRET));
      store.put(Payload.utf8("kept"));
      ContextId titled = store.createContext().id();
      store.describe(titled, store.put(Payload.utf8(FORMER)));
      store.describe(titled, store.put(Payload.utf8("the present title")));
      execute(address, "CHECKPOINT");
      assertThat(filesWith(SECRET, server.tables())).isPositive();
      assertThat(filesWith(FORMER, server.tables())).isPositive();

      AgreedErasure.in(store, secret());
      AgreedErasure.in(store, context(titled));
      execute(address, "VACUUM (FULL) blob", "CHECKPOINT");

      assertThat(filesWith(SECRET, server.tables())).isZero();
      assertThat(filesWith(FORMER, server.tables())).isZero();
      assertThat(store.check().problems()).isEmpty();
    }
  }

  private static long filesWith(String text, Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> content(file).contains(text))
          .count();
    }
  }

  private static String content(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return ""; // a file that the server has just deleted
    }
  }
}
