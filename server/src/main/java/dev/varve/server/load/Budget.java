// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.load;

import dev.varve.StoreException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The memory that large requests and answers of all connections of a port share.
///
/// What is at most [#FREE_BYTES] is not counted: it is bounded by the number of connections and of
/// their requests in flight.
///
/// Nobody waits for another's peer: where memory is short, who needs some takes it from those whose
/// peers keep theirs waiting, being slower than 1 MiB a second, and then from the largest request
/// that is still coming in, if that is larger than its own. Only what is being worked on is waited
/// for.
///
/// Lock: the budget's monitor guards all leases. What an eviction runs, it runs without it.
public final class Budget {

  public static final int FREE_BYTES = 16 << 10;

  /// What a peer must move in [#STALL_NANOS], lest it give way.
  public static final int STEP_BYTES = 256 << 10;

  private static final long STALL_NANOS = 250_000_000;
  private static final long LOOK_MS = 25;

  private final long maxBytes;
  private final Duration wait;
  private final Set<Lease> held = new LinkedHashSet<>();
  private long freeBytes;

  /// @param bytes of all together
  /// @param wait how long a request waits for what others work on
  public Budget(long bytes, Duration wait) {
    this.maxBytes = bytes;
    this.freeBytes = bytes;
    this.wait = wait;
  }

  public Lease lease() {
    return new Lease();
  }

  /// How many bytes nobody has taken.
  public synchronized long freeBytes() {
    return freeBytes;
  }

  /// Waited for: a peer that sends, or takes what is sent to it.
  ///
  /// @param lastStepNanos when it last moved [#STEP_BYTES], or began
  /// @param mayBeLarger whether it gives way to smaller ones, too, however fast it is
  /// @param evict is run once the memory has been taken away
  private record Peer(LongSupplier lastStepNanos, boolean mayBeLarger, Runnable evict) {}

  /// Memory that is taken; to be given back once.
  public final class Lease implements AutoCloseable {

    private long bytes;
    private boolean evicted;
    private @Nullable Peer peer;

    private Lease() {}

    /// Takes more, so that `wanted` bytes are held altogether. More than there is counts as all
    /// there is: one request of any size that is allowed can go on.
    ///
    /// @throws StoreException.Busy if others do not give back enough in time, or have taken what
    ///   was held
    public void growTo(long wanted) {
      if (wanted > FREE_BYTES) {
        grow(this, Math.min(wanted, maxBytes));
      }
    }

    /// From now on a peer is waited for, and the memory may be taken away.
    ///
    /// @param lastStepNanos when it last moved [#STEP_BYTES], or began; as by [System#nanoTime]
    /// @param givesWay whether to smaller requests too, however fast it is
    /// @param evict what to do then, on another's thread; quickly
    public void waits(LongSupplier lastStepNanos, boolean givesWay, Runnable evict) {
      synchronized (Budget.this) {
        peer = new Peer(lastStepNanos, givesWay, evict);
      }
    }

    /// From now on nobody outside is waited for.
    ///
    /// @throws StoreException.Busy if the memory has been taken away
    public void works() {
      synchronized (Budget.this) {
        peer = null;
        if (evicted) {
          throw takenAway();
        }
      }
    }

    /// Whether the memory has been taken away.
    public boolean isEvicted() {
      synchronized (Budget.this) {
        return evicted;
      }
    }

    /// Gives everything back.
    @Override
    public void close() {
      synchronized (Budget.this) {
        freeBytes += bytes;
        bytes = 0;
        peer = null;
        held.remove(this);
        Budget.this.notifyAll();
      }
    }
  }

  private static StoreException.Busy takenAway() {
    return new StoreException.Busy(
        "memory for a large request", "others that needed it and are quicker; try again");
  }

  private void grow(Lease lease, long wanted) {
    long deadline = System.nanoTime() + wait.toNanos();
    boolean interrupted = false;
    try {
      while (true) {
        Lease victim;
        synchronized (this) {
          if (lease.evicted) {
            throw takenAway();
          }
          long missing = wanted - lease.bytes;
          if (missing <= freeBytes) {
            take(lease, Math.max(0, missing));
            return;
          }
          victim = victim(lease, wanted);
          if (victim == null) {
            if (System.nanoTime() - deadline >= 0) {
              throw new StoreException.Busy(
                  "memory for " + wanted + " bytes", "other requests; try again");
            }
            interrupted |= !pause();
            continue;
          }
        }
        evict(victim);
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void take(Lease lease, long bytes) {
    freeBytes -= bytes;
    lease.bytes += bytes;
    held.add(lease);
  }

  private boolean pause() {
    try {
      TimeUnit.MILLISECONDS.timedWait(this, LOOK_MS);
      return true;
    } catch (InterruptedException e) {
      return false;
    }
  }

  /// Who gives way: the largest of those whose peers are slow, else the largest that is larger.
  private @Nullable Lease victim(Lease mine, long wanted) {
    long now = System.nanoTime();
    Lease slow = null;
    Lease large = null;
    for (Lease other : held) {
      Peer peer = other.peer;
      if (other == mine || peer == null) {
        continue;
      }
      if (now - peer.lastStepNanos().getAsLong() > STALL_NANOS) {
        slow = slow == null || other.bytes > slow.bytes ? other : slow;
      } else if (peer.mayBeLarger() && other.bytes > wanted) {
        large = large == null || other.bytes > large.bytes ? other : large;
      }
    }
    return slow == null ? large : slow;
  }

  private void evict(Lease victim) {
    Peer peer;
    synchronized (this) {
      peer = victim.peer;
      if (peer == null) {
        return; // it was quicker
      }
      victim.evicted = true;
      victim.peer = null;
      freeBytes += victim.bytes;
      victim.bytes = 0;
      held.remove(victim);
      notifyAll();
    }
    peer.evict().run();
  }
}
