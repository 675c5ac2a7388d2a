// SPDX-License-Identifier: Apache-2.0
package dev.varve.postgresql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.varve.Durability;
import dev.varve.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The sessions of one store with its database: a few connections, each used by one platform thread
/// at a time. Callers wait for these threads, so that an interrupt of a caller never closes a
/// connection in the middle of a statement.
///
/// What is asked may be asked again: when a connection dies or the server restarts, the question is
/// repeated until [#PATIENCE] is over. So everything that writes must do nothing when it is
/// repeated. A write waits for an erasure as long as the erasure takes, and keeps no connection
/// meanwhile.
final class DatabaseSessions implements AutoCloseable {

  /// The time for which a question without an answer is repeated.
  static final Duration PATIENCE = Duration.ofSeconds(30);

  /// More connections than this do not make a database of usual size faster.
  static final int CONNECTIONS_MAX = 16;

  private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(10).toNanos();
  private static final long LONGEST_PAUSE_NANOS = Duration.ofMillis(500).toNanos();

  /// Something to ask, with the statements and results of one connection.
  interface Question<T> {

    /// @param repeated whether the question may have been answered before, and the answer lost
    T ask(Connection connection, boolean repeated) throws SQLException;
  }

  private final PostgresAddress address;
  private final Duration patience;
  private final HikariDataSource pool;
  private final ExecutorService threads;

  DatabaseSessions(PostgresAddress address, Durability durability, Duration patience) {
    this.address = address;
    this.patience = patience;
    Properties driver = address.properties();
    driver.setProperty("currentSchema", address.schema());
    driver.putIfAbsent("ApplicationName", "varve");
    driver.putIfAbsent("tcpKeepAlive", "true");
    driver.putIfAbsent("connectTimeout", "5");
    driver.putIfAbsent("socketTimeout", "120");
    HikariConfig config = new HikariConfig();
    config.setPoolName("varve");
    config.setJdbcUrl(address.jdbcUrl());
    config.setDataSourceProperties(driver);
    config.setMaximumPoolSize(CONNECTIONS_MAX);
    config.setMinimumIdle(1);
    config.setConnectionTimeout(Math.clamp(patience.toMillis(), 250, 5_000));
    config.setInitializationFailTimeout(-1); // the first question shows what is wrong
    config.setConnectionInitSql(
        "SET synchronous_commit = " + (durability == Durability.LET_THE_SYSTEM ? "off" : "on"));
    this.pool = new HikariDataSource(config);
    this.threads =
        Executors.newFixedThreadPool(
            CONNECTIONS_MAX, Thread.ofPlatform().daemon().name("varve-postgresql-", 0).factory());
  }

  /// Asks the database, by one or more statements that each count at once.
  ///
  /// @throws StoreException.Io if there is no answer in time; it is unknown then whether a write
  ///   was done
  <T> T ask(Question<T> question) {
    boolean interrupted = false;
    try {
      Future<T> answer = submit(question);
      while (true) {
        try {
          return answer.get();
        } catch (InterruptedException e) {
          interrupted = true; // the question goes on; who asked hears of it afterwards
        } catch (ExecutionException e) {
          if (!(e.getCause() instanceof ErasureUnderWay)) {
            throw unwrapped(e.getCause());
          }
          interrupted |= Thread.interrupted();
          LockSupport.parkNanos(LONGEST_PAUSE_NANOS / 10); // no connection waits with the caller
          answer = submit(question);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private <T> Future<T> submit(Question<T> question) {
    try {
      return threads.submit(() -> repeat(question));
    } catch (RejectedExecutionException e) {
      throw new StoreException.Closed("store");
    }
  }

  /// Asks in one transaction that writes, beside others that do and never beside an erasure.
  <T> T askToWrite(Question<T> question) {
    return askTogether(
        (connection, repeated) -> {
          try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT begin_write()");
          }
          return question.ask(connection, repeated);
        });
  }

  /// Asks in one transaction: its statements see one state and count together.
  <T> T askTogether(Question<T> question) {
    return ask(
        (connection, repeated) -> {
          connection.setAutoCommit(false);
          T answer;
          try {
            answer = question.ask(connection, repeated);
            connection.commit();
          } catch (SQLException | RuntimeException e) {
            rollBack(connection, e);
            throw e;
          }
          connection.setAutoCommit(true);
          return answer;
        });
  }

  private static void rollBack(Connection connection, Exception cause) {
    try {
      connection.rollback();
      connection.setAutoCommit(true);
    } catch (SQLException e) {
      cause.addSuppressed(e);
    }
  }

  private <T> T repeat(Question<T> question) {
    long start = System.nanoTime();
    long pause = FIRST_PAUSE_NANOS;
    boolean repeated = false;
    while (true) {
      try (Connection connection = pool.getConnection()) {
        return question.ask(connection, repeated);
      } catch (SQLException e) {
        if (DatabaseErrors.isErasureUnderWay(e)) {
          throw new ErasureUnderWay(e);
        }
        boolean late = System.nanoTime() - start > patience.toNanos();
        if (late || pool.isClosed() || !DatabaseErrors.isPassing(e)) {
          throw DatabaseErrors.refusal(address.toString(), e);
        }
        repeated = true;
      }
      LockSupport.parkNanos(pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
    }
  }

  /// The sign that an erasure has the store alone, however long the erasure takes.
  private static final class ErasureUnderWay extends RuntimeException {
    private static final long serialVersionUID = 1;

    ErasureUnderWay(SQLException cause) {
      super(cause);
    }
  }

  private static RuntimeException unwrapped(@Nullable Throwable cause) {
    return switch (cause) {
      case RuntimeException e -> e;
      case Error e -> throw e;
      case null, default -> throw new AssertionError(cause);
    };
  }

  /// Waits for what was asked, and ends all connections. Idempotent.
  @Override
  public void close() {
    threads.close();
    pool.close();
  }
}
