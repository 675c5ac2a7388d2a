// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.limits;

import dev.varve.StoreException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The memory that large requests and answers of all connections of a port share.
///
/// Up to [#FREE_BYTES] a request is not counted: the number of connections and of their requests in
/// flight bounds that memory.
///
/// No request waits for the peer of another one. Where memory is short, a request takes it from
/// requests whose peers are slower than 1 MiB a second, and then from the largest request that is
/// still arriving, if that is larger than the request itself. Only requests that are being
/// processed are waited for.
///
/// Lock: the budget's monitor guards all leases. The callbacks of an eviction run without the lock.
public final class MemoryBudget {

  public static final int FREE_BYTES = 16 << 10;

  /// The bytes that a peer must move within [#STALL_NANOS] to keep its memory.
  public static final int STEP_BYTES = 256 << 10;

  private static final long STALL_NANOS = 250_000_000;
  private static final long LOOK_MS = 25;

  private final long maxBytes;
  private final Duration wait;
  private final Set<Lease> held = new LinkedHashSet<>();
  private long freeBytes;

  /// @param bytes the memory of all requests together
  /// @param wait how long a request waits for requests that are being processed
  public MemoryBudget(long bytes, Duration wait) {
    this.maxBytes = bytes;
    this.freeBytes = bytes;
    this.wait = wait;
  }

  public Lease lease() {
    return new Lease();
  }

  /// The number of bytes that are free.
  public synchronized long freeBytes() {
    return freeBytes;
  }

  /// A peer that is waited for: it sends, or it reads what is sent to it.
  ///
  /// @param lastStepNanos when the peer last moved [#STEP_BYTES], or began
  /// @param givesWay whether the request also gives way to smaller ones, however fast its peer is
  /// @param evict runs once the memory has been taken away
  private record WaitingPeer(LongSupplier lastStepNanos, boolean givesWay, Runnable evict) {}

  /// Memory of one request, to be returned once.
  public final class Lease implements AutoCloseable {

    private long bytes;
    private boolean evicted;
    private @Nullable WaitingPeer peer;

    private Lease() {}

    /// Grows the lease to `wanted` bytes in total. More than the whole budget counts as the whole
    /// budget, so that one request of any allowed size can go on.
    ///
    /// @throws StoreException.Busy if other requests do not return enough memory in time, or took
    ///   the memory of this lease
    public void growTo(long wanted) {
      if (wanted > FREE_BYTES) {
        grow(this, Math.min(wanted, maxBytes));
      }
    }

    /// Declares that a peer is waited for from now on, so that the memory may be taken away.
    ///
    /// @param lastStepNanos when the peer last moved [#STEP_BYTES], or began; as by
    ///   [System#nanoTime]
    /// @param givesWay whether the request also gives way to smaller ones, however fast its peer is
    /// @param evict runs when the memory is taken away, on another thread; must be fast
    public void waits(LongSupplier lastStepNanos, boolean givesWay, Runnable evict) {
      synchronized (MemoryBudget.this) {
        peer = new WaitingPeer(lastStepNanos, givesWay, evict);
      }
    }

    /// Declares that no peer is waited for from now on.
    ///
    /// @throws StoreException.Busy if the memory has been taken away
    public void works() {
      synchronized (MemoryBudget.this) {
        peer = null;
        if (evicted) {
          throw takenAway();
        }
      }
    }

    /// Returns whether the memory has been taken away.
    public boolean isEvicted() {
      synchronized (MemoryBudget.this) {
        return evicted;
      }
    }

    /// Returns all memory of the lease.
    @Override
    public void close() {
      synchronized (MemoryBudget.this) {
        freeBytes += bytes;
        bytes = 0;
        peer = null;
        held.remove(this);
        MemoryBudget.this.notifyAll();
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

  /// The lease that gives way: the largest one with a slow peer, otherwise the largest one above
  /// `wanted`.
  private @Nullable Lease victim(Lease mine, long wanted) {
    long now = System.nanoTime();
    Lease slow = null;
    Lease large = null;
    for (Lease other : held) {
      WaitingPeer peer = other.peer;
      if (other == mine || peer == null) {
        continue;
      }
      if (now - peer.lastStepNanos().getAsLong() > STALL_NANOS) {
        slow = slow == null || other.bytes > slow.bytes ? other : slow;
      } else if (peer.givesWay() && other.bytes > wanted) {
        large = large == null || other.bytes > large.bytes ? other : large;
      }
    }
    return slow == null ? large : slow;
  }

  private void evict(Lease victim) {
    WaitingPeer peer;
    synchronized (this) {
      peer = victim.peer;
      if (peer == null) {
        return; // it has just ended by itself
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
