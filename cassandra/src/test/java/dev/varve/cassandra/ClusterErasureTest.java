// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.cql.Row;
import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.EraseReceipt;
import dev.varve.EraseRequest;
import dev.varve.ErasedBlob;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.ReadProgress;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.cassandra.cql.CassandraAddress;
import dev.varve.cassandra.cql.ClusterSession;
import dev.varve.cassandra.cql.CqlStatement;
import dev.varve.contract.AgreedErasure;
import dev.varve.database.ErasedRecord;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Erasures and accidents of a real cluster: programs that end in the middle, writes that arrive
/// late, clocks that differ, and the bytes in all tables.
@Tag("cluster")
final class ClusterErasureTest {

  private static final String SECRET = "AKIA-CLUSTER-EXAMPLE";

  /// An erasure counts as ended soon.
  private static final GateTimes IMPATIENT =
      new GateTimes(Duration.ofMillis(500), Duration.ofMillis(2500), Duration.ofMillis(700));

  private CassandraAddress address;
  private CassandraStore store;
  private ClusterSession session;

  @BeforeEach
  void open() {
    address = CassandraCluster.shared().freshStore();
    store = opened(GateTimes.DEFAULTS);
    session = new ClusterSession(address);
  }

  @AfterEach
  void close() {
    session.close();
    store.close();
  }

  private CassandraStore opened(GateTimes times) {
    return CassandraStore.open(
        new ClusterSession(address), StoreOptions.DEFAULTS, InstantSource.system(), times, true);
  }

  private static NewTurn said(String text) {
    return NewTurn.of(Payload.utf8(text), new DeclaredType("t", 1), Encoding.JSON);
  }

  private static EraseRequest secret() {
    return new EraseRequest(Set.of(), Set.of(), List.of(Payload.utf8(SECRET)));
  }

  private static EraseRequest context(ContextId context) {
    return new EraseRequest(Set.of(context), Set.of(), List.of());
  }

  // ---- bytes

  @Test
  void theBytesAreInNoRowOfAnyTable() {
    ContextId context = store.createContext().id();
    store.describe(context, store.put(Payload.utf8("a former title, " + SECRET)));
    store.describe(context, store.put(Payload.utf8("a title")));
    store.append(context, said("short, " + SECRET));
    BlobHash unlisted = store.put(Payload.utf8("unlisted, " + SECRET));
    session.write(BlobList.deletion(unlisted)); // as if the writer had been killed in between
    Turn kept = store.append(context, said("kept"));
    assertThat(rowsWithSecret()).isEqualTo(3);

    assertThat(AgreedErasure.in(store, secret()).hashes()).hasSize(3).contains(unlisted);

    assertThat(rowsWithSecret()).isZero();
    assertThat(store.get(kept.payloadHash())).isEqualTo(Payload.utf8("kept"));
    assertThat(store.check().problems()).isEmpty();
  }

  /// Reads all rows of all tables, whatever the store knows of them.
  private int rowsWithSecret() {
    int count = 0;
    for (String statement : ClusterSetup.statements()) {
      String table = statement.replaceFirst("(?s).*?%s\\.([a-z_]+).*", "$1");
      for (Row row : session.read(CqlStatement.of("SELECT * FROM ks." + table))) {
        boolean isOwn = address.store().equals(row.getString("store"));
        for (int i = 0; isOwn && i < row.size(); i++) {
          ByteBuffer cell = row.getBytesUnsafe(i);
          boolean hasSecret =
              cell != null && StandardCharsets.ISO_8859_1.decode(cell).toString().contains(SECRET);
          count += hasSecret ? 1 : 0;
        }
      }
    }
    return count;
  }

  @Test
  void aCellThatArrivesLateIsHiddenByTheDeletion() {
    Payload content = Payload.utf8("late, " + SECRET);
    BlobHash hash = store.put(content);
    Row cell =
        session.readOne(
            CqlStatement.of("SELECT data FROM ks.blob WHERE store = ? AND hash = ?", hash));
    assertThat(cell).isNotNull();
    ByteBuffer data = cell.getByteBuffer(0);
    long sentMicros = session.stampAfter(0);
    AgreedErasure.in(store, secret());

    session.write(
        CqlStatement.of("INSERT INTO ks.blob (store, hash, data) VALUES (?, ?, ?)", hash, data)
            .at(sentMicros));

    assertThat(store.has(hash)).isFalse();
    assertThat(rowsWithSecret()).isZero();
  }

  @Test
  void aCellOfAClockThatIsAheadGoesAndContentThatIsReadmittedComesBack() {
    Payload content = Payload.utf8("ahead, " + SECRET);
    BlobHash hash = store.put(content);
    session.write(
        CqlStatement.of(
                "UPDATE ks.blob SET data = ? WHERE store = ? AND hash = ?",
                session
                    .readOne(
                        CqlStatement.of(
                            "SELECT data FROM ks.blob WHERE store = ? AND hash = ?", hash))
                    .getByteBuffer(0),
                hash)
            .at(session.stampAfter(0) + TimeUnit.HOURS.toMicros(1)));

    AgreedErasure.in(store, secret());
    assertThat(store.has(hash)).isFalse();
    assertThat(store.readmit(content)).isEqualTo(1);
    store.put(content);

    assertThat(store.get(hash)).isEqualTo(content);
    assertThat(store.blobs(null, 10)).containsExactly(hash);
    AgreedErasure.in(store, secret());
    assertThat(store.has(hash)).isFalse();
    assertThatThrownBy(() -> store.put(content)).isInstanceOf(StoreException.Erased.class);
  }

  // ---- programs that end

  @Test
  void anErasureThatIsBrokenOffTakesNothing() {
    BlobHash hash = store.put(Payload.utf8(SECRET));
    BlobHash digest = store.erasures().plan(secret(), ReadProgress.NONE).digest();

    assertThatThrownBy(
            () ->
                store
                    .erasures()
                    .erase(
                        secret(),
                        digest,
                        (_, _) -> {
                          throw new StoreException.Closed("service");
                        }))
        .isInstanceOf(StoreException.Closed.class);

    assertThat(store.has(hash)).isTrue();
    assertThat(store.mark().erasures()).isZero();
    assertThat(AgreedErasure.in(store, secret()).run()).isEqualTo(1);
  }

  @Test
  void anErasureWhoseProgramEndedBeforeTheDecisionTakesNothing() {
    BlobHash hash = store.put(Payload.utf8(SECRET));
    ErasureGate gate = new ErasureGate(session);
    record(gate.close(gate.read()), hash);

    try (CassandraStore next = opened(IMPATIENT)) {
      next.put(Payload.utf8("next"));
    }

    assertThat(gate.read().isOpen()).isTrue();
    assertThat(store.has(hash)).isTrue();
    assertThat(store.receipt(1)).isEmpty();
    assertThat(store.put(Payload.utf8(SECRET))).isEqualTo(hash);
  }

  @Test
  void anErasureWhoseProgramEndedBehindTheDecisionIsCompletedByTheNextWriter() {
    BlobHash hash = store.put(Payload.utf8(SECRET));
    decideAndEnd(hash);

    try (CassandraStore next = opened(IMPATIENT)) {
      next.put(Payload.utf8("next"));
    }

    assertErased(hash);
  }

  @Test
  void anErasureWhoseProgramEndedBehindTheDecisionIsCompletedByTheNextErasure() {
    BlobHash hash = store.put(Payload.utf8(SECRET));
    BlobHash other = store.put(Payload.utf8("another " + SECRET));
    decideAndEnd(hash);

    try (CassandraStore next = opened(IMPATIENT)) {
      EraseRequest rest = new EraseRequest(Set.of(), Set.of(other), List.of());
      assertThat(AgreedErasure.in(next, rest).run()).isEqualTo(2);
    }

    assertErased(hash);
  }

  /// Leaves what an erasure leaves whose program ended behind the decision. An erasure decides only
  /// once no writer has a lease, so the store, which wrote just now, gives its lease back.
  private void decideAndEnd(BlobHash hash) {
    store.close();
    store = opened(GateTimes.DEFAULTS);
    ErasureGate gate = new ErasureGate(session);
    GateRow closed = gate.close(gate.read());
    gate.decide(closed, record(closed, hash), session.stampAfter(0) + 1_000_000);
  }

  private UUID record(GateRow closed, BlobHash hash) {
    UUID attempt = UUID.randomUUID();
    EraseRequest blob = new EraseRequest(Set.of(), Set.of(hash), List.of());
    Instant now = Instant.ofEpochMilli(1);
    EraseReceipt receipt =
        new EraseReceipt(
            store.storeId(),
            closed.run() + 1,
            now,
            store.erasures().plan(blob, ReadProgress.NONE),
            List.of(hash),
            new EraseReceipt.PackBytes(20, 0));
    ErasedBlob going = new ErasedBlob(hash, 20, ErasedBlob.Cause.BLOB, now, closed.run() + 1);
    new ErasureRecords(session, store.storeId())
        .keep(attempt, new ErasedRecord(List.of(going), List.of(), receipt), () -> {});
    return attempt;
  }

  private void assertErased(BlobHash hash) {
    assertThat(store.has(hash)).isFalse();
    assertThat(store.receipt(1)).get().extracting(EraseReceipt::hashes).isEqualTo(List.of(hash));
    assertThatThrownBy(() -> store.put(Payload.utf8(SECRET)))
        .isInstanceOf(StoreException.Erased.class);
    assertThat(store.check().problems()).isEmpty();
  }

  @Test
  void anOwnerThatLivesIsNotReplaced() {
    ErasureGate gate = new ErasureGate(session);
    GateRow closed = gate.close(gate.read());
    GateRow later = gate.beat(closed);

    assertThatThrownBy(() -> gate.takeOver(closed)).isInstanceOf(StoreException.Conflict.class);
    GateRow taken = gate.takeOver(later);

    assertThatThrownBy(() -> gate.beat(later)).isInstanceOf(StoreException.Conflict.class);
    assertThatThrownBy(() -> gate.decide(later, UUID.randomUUID(), 1))
        .isInstanceOf(StoreException.Conflict.class);
    gate.open(taken, 0);
    assertThat(gate.read().isOpen()).isTrue();
  }

  // ---- beside an erasure

  @Test
  void readersGoOnAndWritersWaitWhileAnErasureIsUnderWay() throws Exception {
    ContextId context = store.createContext().id();
    Turn kept = store.append(context, said("kept"));
    store.append(context, said(SECRET));
    BlobHash digest = store.erasures().plan(secret(), ReadProgress.NONE).digest();
    Future<?>[] write = new Future<?>[1];
    try (CassandraStore other = opened(GateTimes.DEFAULTS);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      store
          .erasures()
          .erase(
              secret(),
              digest,
              (_, _) -> {
                if (write[0] == null) {
                  write[0] = threads.submit(() -> other.append(context, said("behind")));
                }
                assertThat(other.get(kept.payloadHash())).isEqualTo(Payload.utf8("kept"));
                assertThat(write[0].isDone()).isFalse();
              });
      write[0].get();

      assertThat(other.head(context).headDepth()).isEqualTo(2);
      assertThat(other.last(context, 3, View.HEADERS).turns())
          .extracting(Turn::tombstone)
          .containsExactly(false, true, false);
      assertThat(other.check().problems()).isEmpty();
    }
  }

  @Test
  void anAppendThatAnErasureOvertakesIsNotAcknowledged() throws Exception {
    ContextId doomed = store.createContext().id();
    Turn spoken = store.append(doomed, said("spoken"));
    ContextId own = store.createContext().id();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch erased = new CountDownLatch(1);
    AtomicBoolean waits = new AtomicBoolean();
    InstantSource clock = // is asked in the midst of an append
        () -> {
          if (waits.get()) {
            begun.countDown();
            await(erased);
          }
          return Instant.now();
        };
    try (CassandraStore slow =
            CassandraStore.open(
                new ClusterSession(address),
                StoreOptions.DEFAULTS,
                clock,
                GateTimes.DEFAULTS,
                true);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      slow.put(Payload.utf8("spoken")); // so that the append need not write the payload
      waits.set(true);
      Future<Turn> appending = threads.submit(() -> slow.append(own, said("spoken")));
      await(begun);
      AgreedErasure.in(store, context(doomed));
      erased.countDown();

      assertThatThrownBy(appending::get).hasCauseInstanceOf(StoreException.Io.class);
    }
    assertThat(store.has(spoken.payloadHash())).isFalse();
    assertThat(store.head(own).head().isNone()).isTrue();
    assertThat(store.check().problems()).isEmpty();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void anErasureIsRefusedWhileAWriterHasALease() {
    BlobHash hash = store.put(Payload.utf8(SECRET));
    session.write(LeaseRows.announcement(UUID.randomUUID(), 1));
    GateTimes patient =
        new GateTimes(Duration.ofHours(1), Duration.ofHours(1), Duration.ofHours(1));
    try (CassandraStore brief =
        CassandraStore.open(
            new ClusterSession(address, Duration.ofSeconds(1)),
            StoreOptions.DEFAULTS,
            InstantSource.system(),
            patient,
            true)) {
      assertThatThrownBy(() -> AgreedErasure.in(brief, secret()))
          .isInstanceOf(StoreException.Conflict.class)
          .hasMessageContaining("writers that wait");
    }
    assertThat(store.has(hash)).isTrue();
    assertThat(store.put(Payload.utf8("the gate is open"))).isNotNull();
  }

  @Test
  void aDraftKeepsItsPayloadAndGoesWithItsContext() {
    ContextId doomed = store.createContext().id();
    ContextId lane = store.createContext().id();
    Turn first = store.append(doomed, said("shared words"));
    Turn own = store.append(lane, said("root"));
    TurnRow row = new TurnRows(session).require(own.id(), "turn");
    Turn draft =
        new Turn(
            new TurnId(own.id().value() + 1),
            own.id(),
            1,
            lane,
            own.type(),
            own.encoding(),
            0,
            first.payloadHash(),
            first.payloadSizeBytes(),
            own.createdAt(),
            null,
            false,
            0,
            null);
    TurnRow left = new TurnRow(draft, row.id(), row.lane());
    session.write(TurnRows.preparations(left));
    session.write(TurnRows.insertion(left));

    assertThat(AgreedErasure.in(store, context(doomed)).hashes()).isEmpty();
    assertThat(
            AgreedErasure.in(store, new EraseRequest(Set.of(doomed, lane), Set.of(), List.of()))
                .hashes())
        .containsExactlyInAnyOrder(first.payloadHash(), own.payloadHash());
  }

  // ---- formats

  @Test
  void aStoreOfTheFirstFormatIsUpgradedWhenItIsOpenedAndMayBeUpgradedAgain() {
    BlobHash hash = store.put(Payload.utf8(SECRET));
    session.write(CqlStatement.of("DELETE FROM ks.erasure_gate WHERE store = ?"));
    for (int again = 0; again < 2; again++) {
      session.write(CqlStatement.of("UPDATE ks.store SET format = 1 WHERE store = ?"));
      CassandraStore.openExisting(address, StoreOptions.DEFAULTS).close();
    }

    try (CassandraStore upgraded = opened(GateTimes.DEFAULTS)) {
      assertThat(upgraded.get(hash)).isEqualTo(Payload.utf8(SECRET));
      assertThat(AgreedErasure.in(upgraded, secret()).hashes()).containsExactly(hash);
    }
  }
}
