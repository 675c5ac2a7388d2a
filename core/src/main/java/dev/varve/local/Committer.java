// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.Durability;
import dev.varve.StoreException;
import dev.varve.StoreLimits;
import dev.varve.WriteMeter;
import dev.varve.disk.QuietThread;
import dev.varve.erase.CallerDoor;
import dev.varve.journal.StorePosition;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Commits changes, one batch at a time: the single sequencer of the store.
///
/// Callers queue; a thread of the committer takes the queued changes, writes them, forces them
/// once, shows them to readers, and wakes the callers. A caller who is alone does all these steps
/// itself, which saves two changes of threads: the lock `committing` admits one thread at a time,
/// and the disk's files survive interrupts.
///
/// A commit that fails leaves the committer failed: nobody knows what the disk holds of it. Opening
/// the store again is the recovery. Why it is so: `docs/decisions/0002-one-forced-write.md`.
final class Committer implements AutoCloseable {

  /// A caller's wish, put into a draft on the committing thread; returns a number, or refuses by
  /// throwing.
  @FunctionalInterface
  interface Change {
    long plan(CommitDraft draft);
  }

  /// The most changes of one commit. A commit also takes no more record bytes than fit in place.
  private static final int CHANGES_MAX = 1024;

  /// With this many callers at work the processors are busy, and it pays to let three in eight of
  /// them queue before the disk is forced: with few callers, the first would only wait.
  private static final int CROWD = 32;

  /// The longest time that the first of the callers waits for the others.
  private static final long GATHERING_NANOS_MAX = 800_000;

  private final StoreFiles files;
  private final CommitWriter writer;
  private final Durability durability;
  private final StoreLimits limits;
  private final InstantSource clock;
  private final int inPlaceBytes;
  private final long shortId;

  /// Guards everything about committing: the position, the writer, and the files' unpublished ends.
  private final ReentrantLock committing = new ReentrantLock();

  private final ConcurrentLinkedQueue<CommitTicket> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger queued = new AtomicInteger();
  private final CallerDoor callers = new CallerDoor();
  private final CallerDoor streams = new CallerDoor();
  private final ArrayDeque<CommitTicket> waiting = new ArrayDeque<>();
  private final Thread thread;
  private volatile boolean closing;
  private volatile boolean parked;

  /// The number of queued changes at which a caller wakes the thread.
  private volatile int wanted = 1;

  private volatile WriteMeter meter = WriteMeter.NONE;
  private volatile @Nullable RuntimeException failure;
  private volatile StorePosition position;

  /// @param refusal why nothing can be committed from the start, or null
  Committer(
      StoreFiles files,
      CommitWriter writer,
      Durability durability,
      StoreLimits limits,
      InstantSource clock,
      StoreGeometry geometry,
      long shortId,
      StorePosition position,
      @Nullable StoreException refusal) {
    this.files = files;
    this.writer = writer;
    this.durability = durability;
    this.limits = limits;
    this.clock = clock;
    this.inPlaceBytes = geometry.inPlaceBytes();
    this.shortId = shortId;
    this.position = position;
    this.failure = refusal;
    this.thread = new Thread(this::run, "varve-committer");
    thread.setDaemon(true);
  }

  /// Refuses every change from now on.
  void refuse(RuntimeException why) {
    failure = why;
  }

  /// Reports the times of later commits to `value`.
  void measure(WriteMeter value) {
    meter = value;
    writer.measure(value);
  }

  /// The number of changes in the queue.
  int waitingChanges() {
    return queued.get();
  }

  /// Lets the committing thread begin.
  Committer start() {
    thread.start();
    return this;
  }

  /// Where the store stands, as far as readers see.
  StorePosition position() {
    return position;
  }

  /// Asks something at the position of the store, after everything up to the position was made to
  /// survive a power cut: bytes before the position are never written again, and no erasure
  /// replaces them meanwhile.
  <R> R atForcedPosition(Function<StorePosition, R> question) {
    committing.lock();
    try {
      if (writer.hasWritten() && !writer.forces()) {
        refuseIfFailed();
        writer.forceAll();
      }
      return question.apply(position);
    } catch (StoreException.Io | StoreException.Full e) {
      throw fail(e);
    } finally {
      committing.unlock();
    }
  }

  /// Returns whether anything was written since the store was opened.
  boolean hasWritten() {
    return writer.hasWritten();
  }

  boolean hasFailed() {
    return failure != null;
  }

  /// Announces a caller who prepares a change, so that a second caller knows that it is not alone.
  void enter() {
    callers.enter();
  }

  void leave() {
    callers.leave();
  }

  /// Announces a caller who puts a blob by several commits, of which the later ones count on the
  /// blobs of the former ones and on what the caller found in the store.
  void enterStream() {
    streams.enter();
  }

  void leaveStream() {
    streams.leave();
  }

  /// Does `work` while nobody writes: blobs that are put by several commits are waited for, then
  /// single changes, and whoever comes meanwhile waits. Readers go on.
  ///
  /// @param grace how long to wait for blobs that are being put, and then for single changes
  /// @throws StoreException.Conflict if one of them takes longer
  <R> R alone(Duration grace, Supplier<R> work) {
    if (!streams.shut(grace)) {
      throw new StoreException.Conflict(
          "erase", "blobs that are put within " + words(grace), "one that takes longer");
    }
    try {
      if (!callers.shut(grace)) {
        throw new StoreException.Conflict(
            "erase", "changes that end within " + words(grace), "one that does not");
      }
      committing.lock();
      try {
        refuseIfFailed();
        return work.get();
      } finally {
        committing.unlock();
        callers.open();
      }
    } finally {
      streams.open();
    }
  }

  private static String words(Duration grace) {
    return grace.toSeconds() + " s";
  }

  /// Goes on at another position with a new journal. Called within [#alone], after the journal was
  /// closed.
  void goOnAt(StorePosition other) {
    position = other;
    writer.beginAgain();
  }

  /// Refuses every later change, because the files of the store may be replaced in part. Opening
  /// the store again completes the replacement.
  void giveUp(Throwable why) {
    fail(why);
  }

  /// Commits a change, between [#enter] and [#leave]. Returns when the change is as durable as the
  /// store's option demands.
  ///
  /// @throws StoreException the refusal of the change, or the reason why nothing can be committed
  ///   any more
  long commit(Change change) {
    CommitTicket ticket = new CommitTicket(change);
    if (callers.inside() == 1 && committing.tryLock()) {
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
    for (CommitTicket ticket = queue.poll(); ticket != null; ticket = queue.poll()) {
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
        for (CommitTicket next = queue.poll(); next != null; next = queue.poll()) {
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
    int crowd = callers.inside();
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

  /// Commits `first` and the waiting changes, as far as they fit into one batch. Holds
  /// `committing`.
  private void commit(List<CommitTicket> first) {
    List<CommitTicket> planned = new ArrayList<>();
    long beganNanos = System.nanoTime();
    try {
      refuseIfFailed();
      CommitDraft draft = new CommitDraft(files, limits, position, clock.instant());
      first.forEach(waiting::addFirst);
      int changesMax = durability == Durability.FORCE_EACH ? 1 : CHANGES_MAX;
      while (!waiting.isEmpty()
          && planned.size() < changesMax
          && (planned.isEmpty() || draft.packBytes() < inPlaceBytes)) {
        CommitTicket ticket = waiting.poll();
        planned.add(ticket);
        ticket.plan(draft);
      }
      if (!draft.isEmpty()) {
        position =
            writer.write(new Commit(draft, shortId, inPlaceBytes, writer.forces()), position);
        meter.committed(planned.size(), System.nanoTime() - beganNanos);
      }
    } catch (RuntimeException | Error e) {
      RuntimeException cause = fail(e);
      first.stream().filter(ticket -> !planned.contains(ticket)).forEach(planned::add);
      planned.addAll(waiting);
      waiting.clear();
      planned.forEach(ticket -> ticket.fail(cause));
    }
    CommitTicket.finish(planned);
  }

  /// Refuses while no change is accepted.
  void refuseIfFailed() {
    StoreException refusal = refusal().orElse(null);
    if (refusal != null) {
      throw refusal;
    }
  }

  /// The refusal that every change gets; empty while changes are accepted.
  Optional<StoreException> refusal() {
    return switch (failure) {
      case null -> Optional.empty();
      case StoreException earlier -> Optional.of(earlier);
      case RuntimeException earlier ->
          Optional.of(new StoreException.Io("store", "an earlier commit failed", earlier));
    };
  }

  /// Refuses all later commits, because the disk may hold any part of a failed commit.
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

  /// Stops taking changes, finishes those accepted, and waits for the thread.
  @Override
  public void close() {
    closing = true;
    committing.lock(); // a caller who commits alone ends first; later ones see the closing
    try {
      LockSupport.unpark(thread);
    } finally {
      committing.unlock();
    }
    QuietThread.join(thread);
    wakeAll();
  }
}
