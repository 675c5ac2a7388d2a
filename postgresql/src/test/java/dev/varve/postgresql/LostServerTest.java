// SPDX-License-Identifier: Apache-2.0
package dev.varve.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Accidents of a database: sessions and servers that end in the middle, two services at once,
/// damaged rows.
@Tag("database")
final class LostServerTest {

  private static final int WRITERS = 4;
  private static final int TURNS = 60;

  private static NewTurn said(String text) {
    return NewTurn.of(Payload.utf8(text), new DeclaredType("test.Message", 1), Encoding.RAW);
  }

  /// Appends in several threads through two services; an accident happens on the way.
  private static void survives(PostgresAddress address, Callable<?> accident) throws Exception {
    try (Store one = PostgresStore.open(address, StoreOptions.DEFAULTS);
        Store two = PostgresStore.open(address, StoreOptions.DEFAULTS);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      ContextId shared = one.createContext().id();
      CountDownLatch third = new CountDownLatch(WRITERS * TURNS / 3);
      List<Future<List<TurnId>>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        Store store = i % 2 == 0 ? one : two;
        int writer = i;
        writers.add(
            threads.submit(
                () -> {
                  List<TurnId> own = new ArrayList<>();
                  for (int n = 0; n < TURNS; n++) {
                    own.add(store.append(shared, said(writer + "/" + n)).id());
                    third.countDown();
                  }
                  return own;
                }));
      }
      third.await();
      accident.call();
      List<TurnId> acknowledged = new ArrayList<>();
      for (Future<List<TurnId>> writer : writers) {
        acknowledged.addAll(writer.get());
      }

      List<Turn> path = two.last(shared, 10_000, View.LATEST).turns();
      assertThat(path).extracting(Turn::id).containsExactlyInAnyOrderElementsOf(acknowledged);
      assertThat(path).extracting(Turn::id).isSorted();
      assertThat(path).extracting(Turn::payload).doesNotHaveDuplicates();
      assertThat(one.check().problems()).isEmpty();
    }
  }

  @Test
  void nothingIsLostOrDoneTwiceWhenSessionsEnd() throws Exception {
    PostgresServer server = PostgresServer.shared();
    PostgresAddress address = server.freshSchema();
    survives(
        address,
        () ->
            execute(
                address,
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    + " WHERE application_name = 'varve'"));
  }

  @Test
  void nothingIsLostOrDoneTwiceWhenTheServerIsKilled() throws Exception {
    PostgresServer server = PostgresServer.start();
    survives(
        server.freshSchema(),
        () -> {
          server.kill();
          server.restart();
          return true;
        });
  }

  @Test
  void aDamagedRowIsRefusedNamedAndHealedByAPut() throws Exception {
    PostgresAddress address = PostgresServer.shared().freshSchema();
    try (Store store = PostgresStore.open(address, StoreOptions.DEFAULTS)) {
      Payload content = Payload.utf8("short");
      BlobHash hash = store.put(content);
      execute(address, "UPDATE " + address.schema() + ".blob SET data = 'shorT'");

      assertThatThrownBy(() -> store.get(hash)).isInstanceOf(StoreException.Corrupt.class);
      assertThat(store.check().problems())
          .singleElement()
          .satisfies(problem -> assertThat(problem.what()).contains(hash.toString()));
      store.put(content);

      assertThat(store.get(hash)).isEqualTo(content);
      assertThat(store.check().problems()).isEmpty();
    }
  }

  @Test
  void whatIsNoStoreIsRefusedByName() throws Exception {
    PostgresAddress absent = PostgresServer.shared().freshSchema();
    assertThatThrownBy(() -> PostgresStore.openExisting(absent, StoreOptions.DEFAULTS))
        .isInstanceOf(StoreException.NoStore.class)
        .hasMessageContaining(absent.toString());

    PostgresAddress newer = PostgresServer.shared().freshSchema();
    PostgresStore.open(newer, StoreOptions.DEFAULTS).close();
    execute(newer, "UPDATE " + newer.schema() + ".store SET format = " + (SchemaSetup.FORMAT + 1));
    assertThatThrownBy(() -> PostgresStore.open(newer, StoreOptions.DEFAULTS))
        .isInstanceOf(StoreException.FormatTooNew.class);
  }

  private static boolean execute(PostgresAddress address, String sql) throws Exception {
    try (Connection connection =
            DriverManager.getConnection(address.jdbcUrl(), address.properties());
        Statement statement = connection.createStatement()) {
      return statement.execute(sql);
    }
  }
}
