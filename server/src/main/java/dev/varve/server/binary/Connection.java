// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import dev.varve.StoreException;
import dev.varve.server.access.PublicRefusal;
import dev.varve.server.access.Scope;
import dev.varve.server.limits.MemoryBudget;
import dev.varve.server.limits.WatchedConnection;
import dev.varve.server.metrics.RequestMeter;
import dev.varve.socket.PeerStream;
import dev.varve.wire.BasicRequest;
import dev.varve.wire.ErrorResponse;
import dev.varve.wire.FieldWriter;
import dev.varve.wire.Frame;
import dev.varve.wire.MessageType;
import dev.varve.wire.Request;
import dev.varve.wire.Response;
import dev.varve.wire.StoreRequest;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One peer. Its frames are read on one virtual thread, and each request is answered on another.
///
/// The reader stops at the limit of requests in flight, so a peer that does not read its answers is
/// not read from either.
///
/// When the server stops, accepted requests are answered, the peer hears that nothing follows, and
/// what the peer still sends is skipped for a moment: closing a connection that holds unread bytes
/// may lose answers on their way. The skipped requests get no ERROR, because clients that reconnect
/// by themselves repeat unanswered requests and would take an ERROR for the answer.
final class Connection implements Runnable, WatchedConnection {

  private static final System.Logger LOG = System.getLogger(Connection.class.getPackageName());

  private final BinaryPort port;
  private final AcceptedPeer peer;
  private final BinaryClient client;
  private final RequestOrder order = new RequestOrder();
  private final Semaphore slots;
  private volatile @Nullable FrameSource source;
  private volatile @Nullable FrameSink sink;

  /// The time for which a peer's bytes are skipped once everything was said to the peer. Also: an
  /// answer that was sent longer ago than this has arrived.
  private static final long LINGER_NANOS = 1_000_000_000L;

  private final CountDownLatch readerLeft = new CountDownLatch(1);
  private volatile boolean draining;
  private final long openedNanos = System.nanoTime();

  Connection(BinaryPort port, AcceptedPeer peer, BinaryClient client) {
    this.port = port;
    this.peer = peer;
    this.client = client;
    this.slots = new Semaphore(port.limits().inFlight());
  }

  @Override
  public void run() {
    try {
      PeerStream secured = peer.secured();
      FrameSource in = new FrameSource(secured.in(), port.limits());
      FrameSink out = new FrameSink(secured, port.limits());
      source = in;
      sink = out;
      serve(in, out);
      awaitAnswers(); // accepted requests are answered first
      secured.close();
    } catch (IOException e) {
      LOG.log(Level.DEBUG, () -> "connection of " + peer.address() + ": " + e);
    } catch (Throwable e) {
      LOG.log(Level.ERROR, "the connection of " + peer.address() + " ends", e);
    } finally {
      close();
      readerLeft.countDown();
      client.leave();
      port.left(this);
    }
  }

  private void awaitAnswers() {
    slots.acquireUninterruptibly(port.limits().inFlight());
    slots.release(port.limits().inFlight());
  }

  private void serve(FrameSource in, FrameSink out) throws IOException {
    for (Frame.Header header = in.header(); header != null; header = in.header()) {
      client.touch();
      if (draining) {
        if (!in.skip(header.length())) {
          return;
        }
        continue;
      }
      if (header.length() > port.limits().frameBytes()) {
        reply(out, ReceivedFrame.of(header, 0), tooLarge(header.length()));
        if (header.length() > port.limits().drainBytes()) {
          port.meter().turnedAway(BinaryPort.NAME, RequestMeter.EndReason.GARBAGE);
          return;
        }
        if (!in.skip(header.length())) {
          return;
        }
        continue;
      }
      slots.acquireUninterruptibly();
      boolean handedOn = false;
      MemoryBudget.Lease lease = port.budget().lease();
      try {
        FrameSource.FramePayload body = in.body((int) header.length(), lease);
        byte[] payload = body.payload();
        ReceivedFrame received = ReceivedFrame.of(header, header.length() - body.unread());
        if (payload == null) {
          StoreException why =
              body.refusal() != null ? body.refusal() : new StoreException.Closed("server");
          reply(out, received, ErrorResponse.of(why));
          if (!in.skip(body.unread())) {
            return;
          }
        } else if (!draining) {
          handedOn =
              accept(
                  new Frame(header.type(), header.flags(), header.reqId(), payload),
                  received,
                  out,
                  lease);
        }
      } finally {
        if (!handedOn) {
          lease.close();
          slots.release();
        }
      }
    }
  }

  private ErrorResponse tooLarge(long length) {
    return ErrorResponse.of(
        new StoreException.TooLarge("frame", length, port.limits().frameBytes()));
  }

  /// Accepts a request.
  ///
  /// @return whether a thread of its own answers the request and returns lease and slot
  private boolean accept(
      Frame frame, ReceivedFrame received, FrameSink out, MemoryBudget.Lease lease)
      throws IOException {
    Request request;
    try {
      request = Request.read(frame);
    } catch (StoreException e) {
      reply(out, received, ErrorResponse.of(e));
      return false;
    }
    if (request instanceof BasicRequest.Hello || request instanceof StoreRequest.Open) {
      Response response = respond(request, lease); // before any later request
      reply(out, received, response);
      return false;
    }
    RequestOrder.PendingRequest pending = order.enter(request);
    Thread.ofVirtual()
        .name("binary-request")
        .start(() -> answer(request, received, pending, out, lease));
    return true;
  }

  private void answer(
      Request request,
      ReceivedFrame received,
      RequestOrder.PendingRequest pending,
      FrameSink out,
      MemoryBudget.Lease lease) {
    try (lease) {
      Response response;
      try {
        pending.await();
        response = respond(request, lease);
      } finally {
        pending.leave();
      }
      // A peer that does not read its answer keeps memory from nobody: its connection is ended if
      // others need the memory.
      lease.waits(out::lastStepNanos, false, this::giveWay);
      reply(out, received, RequestOrder.named(request), response);
    } catch (IOException e) {
      close(); // the reader notices
    } catch (Throwable e) {
      // Without an answer the peer would wait for ever: it learns at once that there is none.
      LOG.log(Level.ERROR, "no answer to " + request.type(), e);
      close();
    } finally {
      slots.release();
    }
  }

  /// The answer to a request, or its refusal.
  private Response respond(Request request, MemoryBudget.Lease lease) {
    try {
      Scope needed = RequestHandler.scope(request);
      Optional<ErrorResponse> refusal = needed == null ? Optional.empty() : client.refuse(needed);
      return refusal.isPresent() ? refusal.get() : port.answers().answer(request, client, lease);
    } catch (StoreException e) {
      return ErrorResponse.of(PublicRefusal.of(e));
    } catch (Throwable e) { // an Error of the JVM is answered like any other fault
      LOG.log(Level.ERROR, "answering " + request.type() + " failed", e);
      return ErrorResponse.of(500, "unexpected: " + e.getClass().getSimpleName());
    }
  }

  private void reply(FrameSink out, ReceivedFrame received, Response response) throws IOException {
    reply(out, received, "", response);
  }

  private void reply(FrameSink out, ReceivedFrame received, String target, Response response)
      throws IOException {
    Response sent = response;
    FieldWriter fields = new FieldWriter(response.sizeBytes());
    response.write(fields);
    if (fields.payloadBytes() > port.limits().frameBytes()) {
      sent = tooLarge(fields.payloadBytes());
      fields = new FieldWriter(sent.sizeBytes());
      sent.write(fields);
    }
    port.answered(received, client, target, sent, fields.payloadBytes());
    MessageType answered = sent instanceof ErrorResponse ? MessageType.ERROR : received.type();
    out.write(fields.frame(answered, 0, received.reqId()), fields.frameBytes());
  }

  @Override
  public void checkTimeout(long nowNanos) {
    FrameSource in = source;
    FrameSink out = sink;
    if (in == null || out == null) {
      if (nowNanos - openedNanos > port.limits().timeouts().first().toNanos()) {
        port.meter().turnedAway(BinaryPort.NAME, RequestMeter.EndReason.SLOW);
        close(); // a handshake that does not complete
      }
      return;
    }
    if (out.isLate(nowNanos) || in.isLate(nowNanos)) {
      LOG.log(Level.DEBUG, () -> "too slow: " + peer.address());
      if (peer.plain().isOpen()) {
        port.meter().turnedAway(BinaryPort.NAME, RequestMeter.EndReason.SLOW);
      }
      close();
    }
  }

  private void giveWay() {
    port.meter().turnedAway(BinaryPort.NAME, RequestMeter.EndReason.SLOW);
    close();
  }

  /// Accepts no more requests; accepted ones are answered, then the connection ends.
  void drain() {
    draining = true;
    Thread.ofVirtual().name("binary-end").start(this::end);
  }

  private void end() {
    FrameSink out = sink;
    if (out != null && !isQuiet(out)) {
      awaitAnswers();
      try {
        out.end();
        if (readerLeft.await(LINGER_NANOS, TimeUnit.NANOSECONDS)) {
          return;
        }
      } catch (IOException e) {
        LOG.log(Level.DEBUG, () -> "ending: " + e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    close();
  }

  /// Returns whether no bytes are on their way in either direction, as far as this end can know.
  private boolean isQuiet(FrameSink out) {
    return slots.availablePermits() == port.limits().inFlight()
        && System.nanoTime() - out.lastStepNanos() > LINGER_NANOS;
  }

  /// Ends the connection now.
  void close() {
    try {
      peer.close();
    } catch (IOException e) {
      LOG.log(Level.DEBUG, () -> "closing: " + e);
    }
  }
}
