// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.cassandra.cql.CassandraAddress;
import dev.varve.cassandra.cql.ClusterSession;
import dev.varve.cassandra.cql.CqlStatement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Writers and erasures that keep out of each other's way.
@Tag("cluster")
final class WriteLeaseTest {

  private static final String WRITE =
      "INSERT INTO ks.declared_type (store, id, version) VALUES (?, ?, ?)";

  /// Leases that are over as soon as they begin.
  private static final GateTimes OVER_AT_ONCE =
      new GateTimes(Duration.ofNanos(1), Duration.ofNanos(1), Duration.ofHours(1));

  private static final GateTimes ENDLESS =
      new GateTimes(Duration.ofHours(1), Duration.ofHours(1), Duration.ofHours(1));

  private CassandraAddress address;
  private ClusterSession session;
  private ErasureGate gate;

  @BeforeEach
  void open() {
    address = CassandraCluster.shared().freshStore();
    CassandraStore.open(address, StoreOptions.DEFAULTS).close();
    session = new ClusterSession(address);
    session.askForLeases();
    gate = new ErasureGate(session);
  }

  @AfterEach
  void close() {
    session.close();
  }

  private static boolean write(ClusterSession session) {
    session.write(CqlStatement.of(WRITE, new byte[] {'t'}, 1));
    return true;
  }

  @Test
  void anOperationThatOutlastsItsLeaseGoesOnWhileTheGateIsOpen() {
    WriteLease lease = new WriteLease(session, gate, OVER_AT_ONCE);

    assertThat(lease.<Boolean>with(() -> write(session) && write(session))).isTrue();
  }

  @Test
  void anOperationThatOutlastsItsLeaseSendsNothingBehindTheClosingOfTheGate() {
    WriteLease lease = new WriteLease(session, gate, OVER_AT_ONCE);

    assertThatThrownBy(
            () ->
                lease.<Boolean>with(
                    () -> {
                      gate.close(gate.read());
                      return write(session);
                    }))
        .isInstanceOf(StoreException.Io.class)
        .hasMessageContaining("an erasure began");
    assertThat(session.read(CqlStatement.of("SELECT id FROM ks.declared_type WHERE store = ?")))
        .isEmpty();
  }

  @Test
  void anOperationEndsWithoutAnAnswerIfAnErasureWasThereMeanwhile() {
    WriteLease lease = new WriteLease(session, gate, OVER_AT_ONCE);

    assertThatThrownBy(
            () ->
                lease.<Boolean>with(
                    () -> {
                      GateRow closed = gate.close(gate.read());
                      gate.open(closed, closed.run());
                      return write(session);
                    }))
        .isInstanceOf(StoreException.Io.class);
  }

  @Test
  void aWriterWaitsUntilTheGateIsOpen() throws Exception {
    WriteLease lease = new WriteLease(session, gate, ENDLESS);
    GateRow closed = gate.close(gate.read());
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Boolean> waiting = threads.submit(() -> lease.<Boolean>with(() -> write(session)));
      new LeaseRows(session, OVER_AT_ONCE).awaitNone(() -> {});
      assertThat(waiting.isDone()).isFalse();
      gate.open(closed, 7);

      assertThat(waiting.get()).isTrue();
      assertThat(lease.<Integer>with(() -> WriteLease.ticket().run())).isEqualTo(7);
    }
  }

  @Test
  void anErasureWaitsForEachLeaseThatIsNotOver() {
    LeaseRows leases = new LeaseRows(session, ENDLESS);
    UUID service = UUID.randomUUID();
    session.writeFreely(List.of(LeaseRows.announcement(service, 1)));
    AtomicInteger looks = new AtomicInteger();

    leases.awaitNone(
        () -> {
          if (looks.incrementAndGet() == 3) {
            session.writeFreely(List.of(LeaseRows.withdrawal(service)));
          }
        });

    assertThat(looks.get()).isGreaterThanOrEqualTo(3);
  }

  @Test
  void aLeaseThatIsNotRenewedIsOverAndOneThatIsRenewedIsNot() {
    GateTimes brief = new GateTimes(Duration.ofMillis(200), Duration.ZERO, Duration.ZERO);
    LeaseRows leases = new LeaseRows(session, brief);
    UUID service = UUID.randomUUID();
    session.writeFreely(List.of(LeaseRows.announcement(service, 1)));
    AtomicInteger beats = new AtomicInteger(1);

    leases.awaitNone(
        () -> {
          if (beats.get() < 12) {
            session.writeFreely(List.of(LeaseRows.announcement(service, beats.incrementAndGet())));
          }
        });

    assertThat(beats).hasValue(12);
  }

  @Test
  void aLeaseIsGivenUpOnceNoOperationIsUnderWay() {
    WriteLease lease = new WriteLease(session, gate, ENDLESS);
    assertThat(lease.<Boolean>with(() -> write(session))).isTrue();
    gate.close(gate.read());

    lease.giveUp();

    new LeaseRows(session, ENDLESS).awaitNone(() -> {});
  }

  @Test
  void aStoreThatIsClosedHasNoLease() {
    try (CassandraStore store = CassandraStore.open(address, StoreOptions.DEFAULTS)) {
      store.createContext();
    }

    new LeaseRows(session, ENDLESS).awaitNone(() -> {});
  }
}
