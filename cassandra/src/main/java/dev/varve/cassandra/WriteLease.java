// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import dev.varve.StoreException;
import dev.varve.cassandra.cql.ClusterSession;
import dev.varve.cassandra.cql.DriverSettings;
import dev.varve.cassandra.cql.QuietPause;
import dev.varve.cassandra.cql.SendPermit;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The right of this process to write to a store. A row of the table `lease` announces the process;
/// behind that, a look at the gate shows that no erasure is under way. For the time of the lease
/// the process then sends writes without another look.
///
/// An erasure closes the gate first and reads the leases behind that. So either the process sees
/// the closed gate, or the erasure sees the lease, and waits until the lease is over by the
/// erasure's own clock ([LeaseRows]). Both measure time from a moment before or behind the same
/// write, so that no two clocks are compared.
///
/// Each operation that writes is done as a whole under one lease: what the operation found in the
/// store is there until the operation ends. An operation that outlasts its lease goes on if the
/// gate was not closed meanwhile, and ends with an error if it was.
final class WriteLease {

  /// The lease under which the thread's operation writes.
  private static final ScopedValue<Ticket> TICKET = ScopedValue.newInstance();

  /// A lease, or a series of leases between which the gate was not closed.
  static final class Ticket implements SendPermit {
    private final WriteLease lease;
    private final long closings;
    private final int run;
    private volatile long untilNanos;

    private Ticket(WriteLease lease, GateRow gate) {
      this.lease = lease;
      this.closings = gate.closings();
      this.run = gate.run();
    }

    long closings() {
      return closings;
    }

    /// The number of the last erasure.
    int run() {
      return run;
    }

    @Override
    public void requireToSend() {
      lease.require(this, 0);
    }

    @Override
    public void requireAnswered() {
      lease.require(this, DriverSettings.REQUEST_TIMEOUT.toNanos());
    }
  }

  private final ClusterSession session;
  private final ErasureGate gate;
  private final GateTimes times;
  private volatile Consumer<GateRow> completion = _ -> {};
  private final UUID service = UUID.randomUUID();
  private final ReentrantLock lock = new ReentrantLock();
  private final ReentrantLock waiting = new ReentrantLock();
  private final AtomicInteger active = new AtomicInteger();
  private volatile @Nullable Ticket current;

  private volatile boolean isAnnounced; // changed under the lock
  private long beat; // guarded by the lock

  WriteLease(ClusterSession session, ErasureGate gate, GateTimes times) {
    this.session = session;
    this.gate = gate;
    this.times = times;
  }

  /// Names who completes an erasure whose owner gives no sign of life.
  void completeBy(Consumer<GateRow> other) {
    completion = other;
  }

  // ---- operations

  /// Does an operation that writes, once no erasure is under way.
  <T> T with(Supplier<T> operation) {
    if (TICKET.isBound()) {
      return operation.get(); // a part of an operation
    }
    Ticket ticket = enter();
    try {
      return ScopedValue.where(TICKET, ticket)
          .where(SendPermit.CURRENT, ticket)
          .call(operation::get);
    } finally {
      active.decrementAndGet();
    }
  }

  /// The lease of the thread's operation.
  static Ticket ticket() {
    return TICKET.get();
  }

  private Ticket enter() {
    active.incrementAndGet(); // before the look at the lease, which may be given up
    Ticket ticket = current;
    if (ticket != null && isFresh(ticket)) {
      return ticket;
    }
    active.decrementAndGet();
    while (true) {
      lock.lock();
      try {
        ticket = current;
        if (ticket == null || !isFresh(ticket)) {
          ticket = leased();
        }
        if (ticket != null) {
          active.incrementAndGet();
          return ticket;
        }
      } finally {
        lock.unlock();
      }
      awaitOpen();
    }
  }

  private boolean isFresh(Ticket ticket) {
    return ticket != null && ticket.untilNanos - System.nanoTime() > times.lease().toNanos() / 2;
  }

  /// Takes or renews the lease; null if the gate is closed. The process is not announced while the
  /// gate is seen closed, so that an erasure need not wait for the process once more.
  private @Nullable Ticket leased() {
    GateRow seen = current == null ? gate.read() : null;
    if (seen == null || seen.isOpen()) {
      long sentNanos = System.nanoTime();
      announce();
      seen = gate.read();
      if (seen.isOpen()) {
        Ticket known = current;
        Ticket ticket =
            known != null && known.closings == seen.closings() ? known : new Ticket(this, seen);
        ticket.untilNanos = sentNanos + times.lease().toNanos();
        current = ticket;
        return ticket;
      }
    }
    current = null;
    return null;
  }

  /// Waits until the gate is open; of several callers one looks.
  private void awaitOpen() {
    waiting.lock();
    try {
      GateWatch watch = new GateWatch(times);
      QuietPause pause = session.pauses();
      for (GateRow seen = gate.read(); !seen.isOpen(); seen = gate.read()) {
        withdrawIfIdle();
        if (watch.isSilent(seen)) {
          completion.accept(seen);
        }
        pause.rest();
      }
    } finally {
      waiting.unlock();
    }
  }

  private void withdrawIfIdle() {
    lock.lock();
    try {
      if (current == null && active.get() == 0 && isAnnounced) {
        session.writeFreely(List.of(LeaseRows.withdrawal(service)));
        isAnnounced = false;
      }
    } finally {
      lock.unlock();
    }
  }

  private void announce() {
    isAnnounced = true;
    session.writeFreely(List.of(LeaseRows.announcement(service, ++beat)));
  }

  /// Ends the lease with the store, unless an operation is under way.
  void close() {
    current = null;
    if (active.get() == 0 && isAnnounced) {
      session.tryWrite(LeaseRows.withdrawal(service));
    }
  }

  /// Gives the lease up, as soon as no operation of this process is under way. An operation that
  /// does not end keeps the lease until the lease is over.
  void giveUp() {
    lock.lock();
    try {
      current = null;
    } finally {
      lock.unlock();
    }
    QuietPause pause = session.pauses();
    while (active.get() > 0 && !pause.isOver()) {
      pause.rest();
    }
    withdrawIfIdle();
  }

  // ---- statements of an operation

  private void require(Ticket ticket, long graceNanos) {
    if (ticket.untilNanos + graceNanos - System.nanoTime() > 0) {
      return;
    }
    lock.lock();
    try {
      if (ticket.untilNanos - System.nanoTime() > 0 || isRevived(ticket)) {
        return;
      }
    } finally {
      lock.unlock();
    }
    throw new StoreException.Io(
        session.address().toString(),
        "an erasure began in the midst of a write",
        new TimeoutException(times.lease().toString()));
  }

  /// Renews a lease that is over, unless the gate was closed since the lease began.
  private boolean isRevived(Ticket ticket) {
    if (gate.read().closings() != ticket.closings) {
      return false;
    }
    long sentNanos = System.nanoTime();
    announce();
    if (gate.read().closings() != ticket.closings) {
      return false;
    }
    ticket.untilNanos = sentNanos + times.lease().toNanos();
    return true;
  }
}
