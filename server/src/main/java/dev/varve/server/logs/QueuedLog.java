// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.logs;

import dev.varve.disk.QuietThread;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/// A log of requests whose lines are made and written by a thread of its own, ten times a second:
/// no request waits for a log.
///
/// Where requests come faster than lines can be written, requests are left out and counted rather
/// than kept in memory without bound. The same holds for lines that cannot be written; the first
/// such failure is logged.
final class QueuedLog implements RequestLog, AutoCloseable {

  private static final System.Logger LOG = System.getLogger(QueuedLog.class.getPackageName());

  static final int QUEUE_MAX = 1 << 14;
  private static final long PAUSE_NANOS = 100_000_000;

  private record TimedRequest(Instant at, AnsweredRequest request) {}

  private final String event;
  private final LineSink sink;
  private final LogFormat format;
  private final InstantSource clock;
  private final Queue<TimedRequest> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger queued = new AtomicInteger();
  private final AtomicLong lost = new AtomicLong();
  private final Thread thread = new Thread(this::run, "varve-log");
  private volatile boolean closing;
  private boolean failed;

  private QueuedLog(String event, LineSink sink, LogFormat format, InstantSource clock) {
    this.event = event;
    this.sink = sink;
    this.format = format;
    this.clock = clock;
    thread.setDaemon(true);
  }

  /// Begins a log.
  ///
  /// @param event the kind of its lines
  /// @param sink closed with the log
  static QueuedLog start(String event, LineSink sink, LogFormat format, InstantSource clock) {
    QueuedLog log = new QueuedLog(event, sink, format, clock);
    log.thread.start();
    return log;
  }

  @Override
  public void answered(AnsweredRequest request) {
    int length = queued.incrementAndGet();
    if (length > QUEUE_MAX) {
      queued.decrementAndGet();
      lost.incrementAndGet();
      return;
    }
    queue.add(new TimedRequest(clock.instant(), request));
    if (length == QUEUE_MAX / 2) {
      LockSupport.unpark(thread);
    }
  }

  /// The number of requests whose lines are not in the log.
  long lost() {
    return lost.get();
  }

  private void run() {
    while (!closing) {
      writeQueued();
      LockSupport.parkNanos(this, PAUSE_NANOS);
    }
    writeQueued();
  }

  private void writeQueued() {
    StringBuilder lines = new StringBuilder();
    int count = 0;
    for (TimedRequest next = queue.poll(); next != null; next = queue.poll()) {
      queued.decrementAndGet();
      lines.append(line(next)).append('\n');
      if (++count == QUEUE_MAX) {
        break; // the others get their turn: memory for lines is bounded too
      }
    }
    if (count == 0) {
      return;
    }
    try {
      sink.write(lines.toString());
    } catch (IOException | RuntimeException e) {
      lost.addAndGet(count);
      if (!failed) {
        failed = true;
        LOG.log(System.Logger.Level.ERROR, "lines of the log are lost: " + e.getMessage());
      }
    }
  }

  private String line(TimedRequest timed) {
    AnsweredRequest request = timed.request();
    return LogLine.of(format, timed.at(), event)
        .text("port", request.port())
        .text("who", request.who())
        .text("peer", request.peer())
        .text("what", request.what())
        .text("target", request.target())
        .number("status", request.status())
        .number("received_bytes", request.cost().receivedBytes())
        .number("sent_bytes", request.cost().sentBytes())
        .millis("taken_ms", request.cost().nanos())
        .built();
  }

  /// Writes the lines of all requests that were answered, and ends.
  @Override
  public void close() {
    closing = true;
    LockSupport.unpark(thread);
    QuietThread.join(thread);
    sink.close();
  }
}
