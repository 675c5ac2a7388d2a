// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra.cql;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import dev.varve.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The session of one store with its cluster.
///
/// A read or a plain write is repeated until [#PATIENCE] is over: each may be done twice. A
/// conditional statement is sent once; when its answer is lost, the caller hears that the outcome
/// is unknown, and finds out by a SERIAL read. An interrupt of the caller is kept for later.
///
/// Reads and plain writes reach as far as conditions do: a quorum of all data centres beside
/// SERIAL, a quorum of one data centre beside LOCAL_SERIAL. So what a head leads to is found in
/// each data centre that can read the head.
public final class ClusterSession implements AutoCloseable {

  /// The time for which a question without an answer is repeated.
  public static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final Duration SCHEMA_TIMEOUT = Duration.ofSeconds(60);

  /// The time that a coordinator has for counting one partition, page by page.
  private static final Duration COUNT_TIMEOUT = Duration.ofMinutes(2);

  /// The partitions that are counted at once, so that other readers get their turn.
  private static final int COUNTS_TOGETHER = 4;

  /// The most statements of one caller that are under way at once.
  private static final int TOGETHER_MAX = 128;

  /// The answer to a conditional statement.
  public enum Condition {
    HELD,
    FAILED,
    UNKNOWN
  }

  private final CassandraAddress address;
  private final SharedDriver driver;
  private final CqlSession session;
  private final Duration patience;
  private final ConsistencyLevel serial;
  private final ConsistencyLevel plain;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final AtomicLong lastMicros = new AtomicLong();
  private volatile boolean asksForLeases;

  public ClusterSession(CassandraAddress address) {
    this(address, PATIENCE);
  }

  public ClusterSession(CassandraAddress address, Duration patience) {
    this.address = address;
    this.patience = patience;
    this.serial =
        address.isSerialLocal()
            ? DefaultConsistencyLevel.LOCAL_SERIAL
            : DefaultConsistencyLevel.SERIAL;
    this.plain =
        address.isSerialLocal()
            ? DefaultConsistencyLevel.LOCAL_QUORUM
            : DefaultConsistencyLevel.QUORUM;
    this.driver = repeat(() -> CompletableFuture.completedFuture(SharedDriver.open(address)));
    this.session = driver.session();
  }

  public CassandraAddress address() {
    return address;
  }

  // ---- reads

  /// All rows that a statement finds, from a quorum.
  public List<Row> read(CqlStatement statement) {
    return repeat(() -> rows(plain(statement)));
  }

  /// The first row that a statement finds, from a quorum; null if there is none.
  public @Nullable Row readOne(CqlStatement statement) {
    return first(read(statement));
  }

  /// The rows of several statements that are asked together, in the order of the statements.
  public List<List<Row>> readAll(List<CqlStatement> statements) {
    return together(statements, TOGETHER_MAX, this::plain);
  }

  /// The row behind all conditional statements that are done or under way; null if there is none.
  public @Nullable Row readSerial(CqlStatement statement) {
    return first(repeat(() -> rows(serial(statement))));
  }

  /// The rows of several SERIAL reads that are asked together.
  public List<@Nullable Row> readAllSerial(List<CqlStatement> statements) {
    List<@Nullable Row> all = new ArrayList<>(statements.size());
    together(statements, TOGETHER_MAX, this::serial).forEach(rows -> all.add(first(rows)));
    return all;
  }

  /// All rows of a partition behind all conditional statements that are done or under way.
  public List<Row> readAllSerial(CqlStatement statement) {
    return repeat(() -> rows(serial(statement)));
  }

  /// The rows that a reading of all partitions finds, from each replica.
  public List<Row> readEverywhere(CqlStatement statement) {
    return repeat(() -> rows(counting(statement).setConsistencyLevel(DefaultConsistencyLevel.ALL)));
  }

  /// The rows of statements that each count a partition, in the order of the statements. Few are
  /// under way at once, each has time for a large partition, and no second node is asked to do the
  /// same beside the first.
  public List<Row> count(List<CqlStatement> statements) {
    return together(statements, COUNTS_TOGETHER, this::counting).stream()
        .map(List::getFirst)
        .toList();
  }

  private static @Nullable Row first(List<Row> rows) {
    return rows.isEmpty() ? null : rows.getFirst();
  }

  // ---- writes

  /// Writes, all together; each is on a quorum on return. Needs the lease of an operation, if the
  /// session was told to ask for leases.
  ///
  /// @throws StoreException.Io if an erasure began in the midst of the operation
  public void write(List<CqlStatement> statements) {
    together(statements, TOGETHER_MAX, this::leased);
    if (asksForLeases && !statements.isEmpty()) {
      SendPermit.CURRENT.get().requireAnswered();
    }
  }

  /// A write whose time is one at which the lease lasted, however late the write arrives.
  private BoundStatement leased(CqlStatement statement) {
    BoundStatement bound = stamped(statement);
    if (asksForLeases) {
      SendPermit.CURRENT.get().requireToSend();
    }
    return bound;
  }

  private BoundStatement stamped(CqlStatement statement) {
    BoundStatement bound = plain(statement);
    return statement.timestampMicros() == null ? bound.setQueryTimestamp(stampAfter(0)) : bound;
  }

  /// A time for a write, in microseconds since 1970: later than another time, and than all times
  /// that this process has given.
  public long stampAfter(long micros) {
    long now = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
    return micros >= now ? micros + 1 : lastMicros.updateAndGet(last -> Math.max(last + 1, now));
  }

  /// From now on each write needs the lease of an operation.
  public void askForLeases() {
    asksForLeases = true;
  }

  /// Writes what needs no lease: leases themselves, and what an erasure writes.
  public void writeFreely(List<CqlStatement> statements) {
    together(statements, TOGETHER_MAX, this::stamped);
  }

  /// Writes once what may be lost.
  public void tryWrite(CqlStatement statement) {
    joined(begin(() -> rows(stamped(statement))));
  }

  public void write(CqlStatement... statements) {
    write(List.of(statements));
  }

  /// Asks for a change that is made only if its condition holds.
  ///
  /// @throws dev.varve.StoreException.Io if the statement was not even sent
  public Condition writeIf(CqlStatement statement) {
    Condition done = ask(statement, asksForLeases);
    if (asksForLeases) {
      SendPermit.CURRENT.get().requireAnswered();
    }
    return done;
  }

  /// Asks for a change that needs no lease: a change of the gate.
  public Condition writeIfFreely(CqlStatement statement) {
    return ask(statement, false);
  }

  private Condition ask(CqlStatement statement, boolean needsLease) {
    BoundStatement bound = repeat(() -> CompletableFuture.completedFuture(bound(statement)));
    BoundStatement once = bound.setIdempotent(false).setSerialConsistencyLevel(serial);
    if (needsLease) {
      SendPermit.CURRENT.get().requireToSend();
    }
    AsyncResultSet answer = joined(begin(() -> session.executeAsync(once)));
    if (answer == null) {
      return Condition.UNKNOWN;
    }
    return answer.wasApplied() ? Condition.HELD : Condition.FAILED;
  }

  // ---- tables

  /// Makes a part of the schema; the whole cluster agrees on return.
  public void define(String cql) {
    SimpleStatement statement =
        SimpleStatement.newInstance(cql).setTimeout(SCHEMA_TIMEOUT).setIdempotent(true);
    repeat(() -> session.executeAsync(statement));
    QuietPause pause = pauses();
    while (!session.checkSchemaAgreement()) {
      if (pause.isOver()) {
        throw new StoreException.Io(
            address.toString(),
            "the nodes do not agree on the schema",
            new TimeoutException(patience.toString()));
      }
      pause.rest();
    }
  }

  /// The replication of the keyspace; null if there is no such keyspace.
  public @Nullable KeyspaceReplication replication() {
    SimpleStatement statement =
        SimpleStatement.newInstance(
                "SELECT replication FROM system_schema.keyspaces WHERE keyspace_name = ?",
                address.keyspace())
            .setConsistencyLevel(DefaultConsistencyLevel.ONE)
            .setIdempotent(true);
    Row row = repeat(() -> session.executeAsync(statement)).one();
    Map<String, String> options = row == null ? null : row.getMap(0, String.class, String.class);
    return options == null ? null : KeyspaceReplication.of(options);
  }

  /// Returns whether the keyspace has a table.
  public boolean hasTable(String name) {
    SimpleStatement statement =
        SimpleStatement.newInstance(
                "SELECT table_name FROM system_schema.tables WHERE keyspace_name = ?"
                    + " AND table_name = ?",
                address.keyspace(),
                name)
            .setConsistencyLevel(DefaultConsistencyLevel.ONE)
            .setIdempotent(true);
    return repeat(() -> session.executeAsync(statement)).one() != null;
  }

  /// The pauses between the attempts at one conditional write, which begin now.
  public QuietPause pauses() {
    return new QuietPause(address.toString(), patience);
  }

  // ---- how

  /// The rows of several statements, of which some are under way at once. A statement whose answer
  /// is lost is asked again, for as long as there is patience.
  private List<List<Row>> together(
      List<CqlStatement> statements, int most, Function<CqlStatement, BoundStatement> binding) {
    List<List<Row>> all = new ArrayList<>(statements.size());
    for (int from = 0; from < statements.size(); from += most) {
      List<CqlStatement> some = statements.subList(from, Math.min(statements.size(), from + most));
      List<CompletableFuture<List<Row>>> answers =
          some.stream().map(one -> begin(() -> rows(binding.apply(one)))).toList();
      for (int i = 0; i < answers.size(); i++) {
        List<Row> rows = joined(answers.get(i));
        CqlStatement one = some.get(i);
        all.add(rows == null ? repeat(() -> rows(binding.apply(one))) : rows);
      }
    }
    return all;
  }

  private BoundStatement plain(CqlStatement statement) {
    return bound(statement).setIdempotent(true);
  }

  private BoundStatement serial(CqlStatement statement) {
    return bound(statement).setConsistencyLevel(serial).setIdempotent(true);
  }

  private BoundStatement counting(CqlStatement statement) {
    return bound(statement).setIdempotent(false).setTimeout(COUNT_TIMEOUT);
  }

  private BoundStatement bound(CqlStatement statement) {
    PreparedStatement known =
        driver.prepared(statement.cql().replace("ks.", address.keyspace() + "."));
    return statement.bind(known, address.store()).setConsistencyLevel(plain);
  }

  private CompletionStage<List<Row>> rows(BoundStatement statement) {
    List<Row> rows = new ArrayList<>();
    return session.executeAsync(statement).thenCompose(page -> take(page, rows));
  }

  private static CompletionStage<List<Row>> take(AsyncResultSet page, List<Row> rows) {
    page.currentPage().forEach(rows::add);
    return page.hasMorePages()
        ? page.fetchNextPage().thenCompose(next -> take(next, rows))
        : CompletableFuture.completedFuture(rows);
  }

  /// Begins what is asked; an error that comes at once is an answer too.
  private static <T> CompletableFuture<T> begin(Supplier<CompletionStage<T>> asking) {
    try {
      return asking.get().toCompletableFuture();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /// The answer, or null if the answer failed to come and may come another time.
  private <T> @Nullable T joined(CompletableFuture<T> answer) {
    try {
      return answer.join();
    } catch (CompletionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      if (ClusterErrors.isPassing(cause)) {
        return null;
      }
      throw ClusterErrors.refusal(address.toString(), cause);
    }
  }

  private <T> T repeat(Supplier<CompletionStage<T>> asking) {
    QuietPause pause = pauses();
    while (true) {
      try {
        return begin(asking).join();
      } catch (CompletionException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        if (pause.isOver() || !ClusterErrors.isPassing(cause)) {
          throw ClusterErrors.refusal(address.toString(), cause);
        }
      }
      pause.rest();
    }
  }

  /// Ends all connections. Idempotent.
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      driver.close();
    }
  }
}
