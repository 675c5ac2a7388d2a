// SPDX-License-Identifier: Apache-2.0
package dev.varve.server;

import dev.varve.ErasePlan;
import dev.varve.EraseReceipt;
import dev.varve.EraseRequest;
import dev.varve.ReadProgress;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.disk.QuietThread;
import dev.varve.server.events.EventListener;
import dev.varve.server.events.ServerEvent;
import dev.varve.server.logs.AnsweredRequest;
import dev.varve.server.logs.RequestLog;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The rounds in which a service erases old content by itself: the first one when the service
/// starts, then one each time the duty names.
///
/// Each erasure, and each that failed, is a line of the audit log. A failure does not end the
/// rounds; the next one is tried after an hour, or after the time between two rounds if that is
/// shorter. An erasure that another erasure or change came between is refused, and no failure.
final class RetentionRounds implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(RetentionRounds.class.getPackageName());

  /// The time between two looks at the clock, which may be set forward, or stand still while the
  /// computer sleeps.
  private static final Duration LOOK = Duration.ofSeconds(20);

  private static final Duration AFTER_FAILURE_MAX = Duration.ofHours(1);

  private final Store store;
  private final RetentionDuty duty;
  private final RequestLog log;
  private final EventListener events;
  private final InstantSource clock;
  private final CountDownLatch closing = new CountDownLatch(1);
  private Instant next = Instant.MIN;
  private @Nullable Thread thread;

  /// @param log receives each erasure as a writing request
  /// @param events are told that blobs were erased
  RetentionRounds(
      Store store, RetentionDuty duty, RequestLog log, EventListener events, InstantSource clock) {
    this.store = store;
    this.duty = duty;
    this.log = log;
    this.events = events;
    this.clock = clock;
  }

  void start() {
    thread = Thread.ofPlatform().daemon().name("varve-retention").start(this::run);
  }

  private void run() {
    try {
      do {
        look();
      } while (!closing.await(LOOK.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Makes a round if it is time for one.
  void look() {
    Instant now = clock.instant();
    if (now.isBefore(next)) {
      return;
    }
    try {
      round(now);
      next = now.plus(duty.every());
    } catch (StoreException.Closed e) {
      closing.countDown();
    } catch (StoreException.Conflict e) {
      // Of several services over one database, another one is at it.
      refused(now, 409, System.Logger.Level.INFO, e);
    } catch (RuntimeException e) {
      refused(now, 500, System.Logger.Level.WARNING, e);
    }
  }

  private void refused(Instant now, int status, System.Logger.Level level, RuntimeException e) {
    boolean isSooner = duty.every().compareTo(AFTER_FAILURE_MAX) < 0;
    next = now.plus(isSooner ? duty.every() : AFTER_FAILURE_MAX);
    record("", status);
    LOG.log(level, () -> "the rules of retention were not applied: " + e.getMessage());
  }

  private void round(Instant now) {
    Optional<EraseRequest> due = duty.rules().due(store, now);
    if (due.isEmpty()) {
      return;
    }
    ReadProgress breakable = (_, _) -> requireOpen();
    ErasePlan plan = store.erasures().plan(due.get(), breakable);
    if (plan.counts().blobs() == 0) {
      return;
    }
    EraseReceipt receipt = store.erasures().erase(due.get(), plan.digest(), breakable);
    record("erasure " + receipt.run(), 200);
    events.on(new ServerEvent.BlobsErased(receipt.run()));
    duty.done().accept(receipt);
  }

  /// Breaks a plan or an erasure off, for the sake of a service that is to stop.
  private void requireOpen() {
    if (closing.getCount() == 0) {
      throw new StoreException.Closed("service");
    }
  }

  private void record(String target, int status) {
    log.answered(
        new AnsweredRequest(
            "-", "retention", "-", "erase", target, true, status, AnsweredRequest.Cost.NONE));
  }

  /// Ends the rounds. An erasure that has begun is broken off, unless it is at its end, and the
  /// next service erases again. Idempotent.
  @Override
  public void close() {
    closing.countDown();
    Thread running = thread;
    if (running != null) {
      QuietThread.join(running);
    }
  }
}
