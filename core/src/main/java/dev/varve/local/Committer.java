// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.Durability;
import dev.varve.Limits;
import dev.varve.StoreException;
import dev.varve.journal.Journal;
import dev.varve.journal.Position;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Commits changes, one batch at a time: the single sequencer of the store.
///
/// Callers queue; a thread of the committer's takes what has queued, writes it, forces it once,
/// shows it to readers, and wakes the callers. A caller who is alone does all that itself, which
/// saves two changes of threads, at the price of nothing: the lock `committing` admits one of them,
/// and the disk's files do not mind interrupts.
///
/// A commit that fails leaves the committer failed: nobody knows what the disk holds of it. Opening
/// the store again is the recovery. Why it is so: `docs/decisions/0002-one-forced-write.md`.
final class Committer implements AutoCloseable {

  /// A caller's wish, put into a draft on the committing thread; returns a number, or refuses by
  /// throwing.
  @FunctionalInterface
  interface Change {
    long plan(Draft draft);
  }

  /// A commit takes no more changes than this, nor more record bytes than fit in place.
  private static final int CHANGES_MAX = 1024;

  /// With this many callers at work the processors are busy, and it pays to let three in eight of
  /// them queue before the disk is forced: with few, it only makes the first wait.
  private static final int CROWD = 32;

  /// The longest that the first of them waits for the others.
  private static final long GATHERING_NANOS_MAX = 800_000;

  private final StoreFiles files;
  private final Journal journal;
  private final Checkpointer checkpointer;
  private final Durability durability;
  private final Limits limits;
  private final InstantSource clock;
  private final int inPlaceBytes;
  private final long inPlaceBytesMax;
  private final long shortId;

  /// Guards everything about committing: the position, the journal, and the files' unpublished
  /// ends.
  private final ReentrantLock committing = new ReentrantLock();

  private final ConcurrentLinkedQueue<Ticket> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger queued = new AtomicInteger();
  private final AtomicInteger callers = new AtomicInteger();
  private final ArrayDeque<Ticket> waiting = new ArrayDeque<>();
  private final Thread thread;
  private volatile boolean closing;
  private volatile boolean parked;

  /// How many must have queued before a caller wakes the thread.
  private volatile int wanted = 1;

  private volatile @Nullable RuntimeException failure;
  private volatile Position position;
  private boolean started;
  private long inPlaceSinceTurn;
  private ByteBuffer buffer = Journal.buffer(1 << 16);

  /// @param full why nothing can be committed from the start, or null
  Committer(
      StoreFiles files,
      Journal journal,
      Checkpointer checkpointer,
      Durability durability,
      Limits limits,
      InstantSource clock,
      Geometry geometry,
      long shortId,
      Position position,
      StoreException.@Nullable Full full) {
    this.files = files;
    this.journal = journal;
    this.checkpointer = checkpointer;
    this.durability = durability;
    this.limits = limits;
    this.clock = clock;
    this.inPlaceBytes = geometry.inPlaceBytes();
    this.inPlaceBytesMax = 4 * geometry.journal().maxBytes();
    this.shortId = shortId;
    this.position = position;
    this.failure = full;
    this.thread = new Thread(this::run, "varve-committer");
    thread.setDaemon(true);
  }

  /// Refuses every change from now on.
  void refuse(RuntimeException why) {
    failure = why;
  }

  /// Lets the committing thread begin.
  Committer start() {
    thread.start();
    return this;
  }

  /// Where the store stands, as far as readers see.
  Position position() {
    return position;
  }

  /// Whether anything was written since the store was opened.
  boolean hasWritten() {
    return started;
  }

  boolean hasFailed() {
    return failure != null;
  }

  /// Says that a caller is getting a change ready. So a second one who does the same knows that it
  /// is not alone.
  void enter() {
    callers.incrementAndGet();
  }

  void leave() {
    callers.decrementAndGet();
  }

  /// Commits a change, between [#enter] and [#leave]. Returns once it is as durable as the store's
  /// option says.
  ///
  /// @throws StoreException the refusal of the change, or why nothing can be committed any more
  long commit(Change change) {
    Ticket ticket = new Ticket(change);
    if (callers.get() == 1 && committing.tryLock()) {
      try {
        if (queue.isEmpty() && waiting.isEmpty() && !closing) {
          commit(List.of(ticket));
          return ticket.result();
        }
      } finally {
        committing.unlock();
      }
    }
    queue.add(ticket);
    int inQueue = queued.incrementAndGet();
    if (closing) {
      wakeAll(); // the thread may have taken its last look
    }
    if (parked && inQueue >= wanted) {
      LockSupport.unpark(thread);
    }
    return ticket.await();
  }

  private void wakeAll() {
    for (Ticket ticket = queue.poll(); ticket != null; ticket = queue.poll()) {
      ticket.fail(new StoreException.Closed("store"));
      ticket.finish();
    }
  }

  private void run() {
    while (true) {
      if (queue.isEmpty() && waiting.isEmpty()) {
        if (closing) {
          return;
        }
        wanted = 1;
        parked = true;
        if (queue.isEmpty() && !closing) {
          LockSupport.park(this);
        }
        parked = false;
        continue;
      }
      gather();
      committing.lock();
      try {
        for (Ticket next = queue.poll(); next != null; next = queue.poll()) {
          queued.decrementAndGet();
          waiting.add(next);
        }
        commit(List.of());
      } finally {
        committing.unlock();
      }
    }
  }

  /// Where many callers are at work, waits a little until three in eight have queued: one forced
  /// write then serves more of them, and the others still have work while the disk is waited for.
  private void gather() {
    int crowd = callers.get();
    if (crowd < CROWD || !waiting.isEmpty() || durability != Durability.FORCE_GROUPED) {
      return;
    }
    long until = System.nanoTime() + GATHERING_NANOS_MAX;
    wanted = crowd * 3 / 8;
    parked = true;
    while (queued.get() < wanted && !closing) {
      long left = until - System.nanoTime();
      if (left <= 0) {
        break;
      }
      LockSupport.parkNanos(this, left);
    }
    parked = false;
  }

  /// Commits `first` and what is waiting, as far as it fits into one batch. Holds `committing`.
  private void commit(List<Ticket> first) {
    List<Ticket> planned = new ArrayList<>();
    try {
      refuseIfFailed();
      Draft draft = new Draft(files, limits, position, clock.instant());
      first.forEach(waiting::addFirst);
      int changesMax = durability == Durability.FORCE_EACH ? 1 : CHANGES_MAX;
      while (!waiting.isEmpty()
          && planned.size() < changesMax
          && (planned.isEmpty() || draft.packBytes() < inPlaceBytes)) {
        Ticket ticket = waiting.poll();
        planned.add(ticket);
        ticket.plan(draft);
      }
      if (!draft.isEmpty()) {
        commit(new Commit(draft, inPlaceBytes, forces()));
      }
    } catch (RuntimeException | Error e) {
      RuntimeException cause = fail(e);
      first.stream().filter(ticket -> !planned.contains(ticket)).forEach(planned::add);
      planned.addAll(waiting);
      waiting.clear();
      planned.forEach(ticket -> ticket.fail(cause));
    }
    Ticket.finish(planned);
  }

  private void refuseIfFailed() {
    RuntimeException earlier = failure;
    if (earlier != null) {
      throw earlier instanceof StoreException
          ? earlier
          : new StoreException.Io("store", "an earlier commit failed", earlier);
    }
  }

  /// Notes that nobody knows what the disk holds of a commit.
  private RuntimeException fail(Throwable e) {
    RuntimeException cause =
        e instanceof RuntimeException known
            ? known
            : new StoreException.Io("store", "commit failed: " + e, e);
    if (failure == null) {
      failure = cause;
      System.getLogger("dev.varve.local")
          .log(
              System.Logger.Level.ERROR,
              "no more writes until the store is opened again: {0}",
              cause.getMessage());
    }
    return cause;
  }

  private void commit(Commit commit) {
    if (!started) {
      journal.start();
      started = true;
    }
    boolean forces = forces();
    commit.write(files);
    if (commit.batch.packInPlace() && forces) {
      files.blobs.forcePack();
    }
    long size = commit.batch.sizeBytes();
    inPlaceSinceTurn += commit.batch.packInPlace() ? commit.draft.packBytes() : 0;
    // What a recovery has to read is bounded, also where it does not stand in the journal.
    if (!journal.fits(size) || inPlaceSinceTurn > inPlaceBytesMax) {
      turnOver(size);
      inPlaceSinceTurn = 0;
    }
    ByteBuffer bytes = buffer(size);
    commit.batch.write(shortId, MemorySegment.ofBuffer(bytes));
    journal.append(bytes);
    // Numbers must never be given twice, whatever is lost: a new limit is forced even where the
    // rest is not.
    boolean limitMoved =
        commit.after.turnIdLimit() != position.turnIdLimit()
            || commit.after.contextIdLimit() != position.contextIdLimit();
    if (forces || limitMoved) {
      journal.force();
    }
    commit.publish(files, forces);
    position = commit.after;
  }

  private boolean forces() {
    return durability != Durability.LET_THE_SYSTEM;
  }

  private ByteBuffer buffer(long size) {
    if (buffer.capacity() < size) {
      buffer = Journal.buffer(Math.max(size, buffer.capacity() * 2L));
    }
    return buffer.clear().limit((int) size);
  }

  /// Goes on in the other journal file, once what it held is durable where it belongs, and lets the
  /// present one's content become so.
  private void turnOver(long neededBytes) {
    checkpointer.await();
    journal.turnOver(neededBytes);
    checkpointer.begin(position);
  }

  /// Stops taking changes, finishes those accepted, and waits for the thread.
  @Override
  public void close() {
    closing = true;
    LockSupport.unpark(thread);
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    wakeAll();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
