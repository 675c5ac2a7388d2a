// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import dev.varve.StoreException;
import dev.varve.server.access.Audit;
import dev.varve.server.access.Scope;
import dev.varve.server.load.Budget;
import dev.varve.server.load.Watched;
import dev.varve.server.metrics.RequestMeter;
import dev.varve.wire.BasicRequest;
import dev.varve.wire.ErrorResponse;
import dev.varve.wire.Fields;
import dev.varve.wire.Frame;
import dev.varve.wire.MessageType;
import dev.varve.wire.Request;
import dev.varve.wire.Response;
import dev.varve.wire.StoreRequest;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.Socket;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One peer: reads its frames on one virtual thread, answers each on another.
///
/// The reader stops when so many requests are in flight as the limits allow, so a peer that does
/// not read its answers is not listened to either.
///
/// When the server stops, what was accepted is answered, the peer is told that nothing more comes,
/// and what it still sends is read over for a moment: to close a connection with something unread
/// in it may cost the peer answers that are on their way. The rest gets no ERROR, since clients
/// that connect again by themselves ask again what had no answer, and take an ERROR for the answer.
final class Connection implements Runnable, Watched {

  private static final System.Logger LOG = System.getLogger(Connection.class.getPackageName());

  private final BinaryPort port;
  private final Socket socket;
  private final Client client;
  private final Order order = new Order();
  private final Semaphore slots;
  private volatile @Nullable FrameSource source;
  private volatile @Nullable FrameSink sink;

  /// How long what a peer sends is read over once everything it may hear was said. Also: who was
  /// answered longer ago than that has the answer.
  private static final long LINGER_NANOS = 1_000_000_000L;

  private final CountDownLatch readerLeft = new CountDownLatch(1);
  private volatile boolean draining;
  private final long openedNanos = System.nanoTime();

  Connection(BinaryPort port, Socket socket, Client client) {
    this.port = port;
    this.socket = socket;
    this.client = client;
    this.slots = new Semaphore(port.limits().inFlight());
  }

  @Override
  public void run() {
    try {
      Socket secured = port.secure(socket);
      FrameSource in = new FrameSource(secured.getInputStream(), port.limits());
      FrameSink out = new FrameSink(secured, port.limits());
      source = in;
      sink = out;
      serve(in, out);
      awaitAnswers(); // what was accepted is answered first
      secured.close();
    } catch (IOException e) {
      LOG.log(Level.DEBUG, () -> "connection of " + socket.getRemoteSocketAddress() + ": " + e);
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
        reply(out, Asked.of(header, 0), tooLarge(header.length()));
        if (header.length() > port.limits().drainBytes()) {
          port.meter().turnedAway(BinaryPort.NAME, RequestMeter.Why.GARBAGE);
          return;
        }
        if (!in.skip(header.length())) {
          return;
        }
        continue;
      }
      slots.acquireUninterruptibly();
      boolean handedOn = false;
      Budget.Lease lease = port.budget().lease();
      try {
        FrameSource.Body body = in.body((int) header.length(), lease);
        byte[] payload = body.payload();
        Asked asked = Asked.of(header, header.length() - body.unread());
        if (payload == null) {
          StoreException why =
              body.refusal() != null ? body.refusal() : new StoreException.Closed("server");
          reply(out, asked, ErrorResponse.of(why));
          if (!in.skip(body.unread())) {
            return;
          }
        } else if (!draining) {
          handedOn =
              accept(
                  new Frame(header.type(), header.flags(), header.reqId(), payload),
                  asked,
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

  /// Takes a request on.
  ///
  /// @return whether a thread of its own answers it, and gives lease and slot back
  private boolean accept(Frame frame, Asked asked, FrameSink out, Budget.Lease lease)
      throws IOException {
    Request request;
    try {
      request = Request.read(frame);
    } catch (StoreException e) {
      reply(out, asked, ErrorResponse.of(e));
      return false;
    }
    if (request instanceof BasicRequest.Hello || request instanceof StoreRequest.Open) {
      Response response = respond(request, lease); // before whatever comes behind it
      reply(out, asked, response);
      return false;
    }
    Order.Passage passage = order.enter(request);
    Thread.ofVirtual()
        .name("binary-request")
        .start(() -> answer(request, asked, passage, out, lease));
    return true;
  }

  private void answer(
      Request request, Asked asked, Order.Passage passage, FrameSink out, Budget.Lease lease) {
    try (lease) {
      Response response;
      try {
        passage.await();
        response = respond(request, lease);
      } finally {
        passage.leave();
      }
      if (request.type().writes()) {
        note(request, response);
      }
      // Who does not take its answer keeps the memory from nobody: it is left, if others need that.
      lease.waits(out::lastStepNanos, false, this::giveWay);
      reply(out, asked, response);
    } catch (IOException e) {
      close(); // the reader notices
    } finally {
      slots.release();
    }
  }

  private void note(Request request, Response response) {
    port.audit()
        .wrote(
            new Audit.Entry(
                "binary",
                client.name(),
                client.peerAddress(),
                request.type().name(),
                Order.written(request),
                response instanceof ErrorResponse error ? error.code() : 200));
  }

  /// What the request gets: an answer, or the refusal.
  private Response respond(Request request, Budget.Lease lease) {
    try {
      Scope needed = Answers.scope(request);
      Optional<ErrorResponse> refusal = needed == null ? Optional.empty() : client.refuse(needed);
      return refusal.isPresent() ? refusal.get() : port.answers().answer(request, client, lease);
    } catch (StoreException e) {
      return ErrorResponse.of(e);
    } catch (RuntimeException | OutOfMemoryError | AssertionError | StackOverflowError e) {
      LOG.log(Level.ERROR, "answering " + request.type() + " failed", e);
      return ErrorResponse.of(500, "unexpected: " + e);
    }
  }

  private void reply(FrameSink out, Asked asked, Response response) throws IOException {
    Response sent = response;
    Fields fields = new Fields(response.sizeBytes());
    response.write(fields);
    if (fields.payloadBytes() > port.limits().frameBytes()) {
      sent = tooLarge(fields.payloadBytes());
      fields = new Fields(sent.sizeBytes());
      sent.write(fields);
    }
    port.answered(asked, sent, fields.payloadBytes());
    MessageType answered = sent instanceof ErrorResponse ? MessageType.ERROR : asked.type();
    out.write(fields.frame(answered, 0, asked.reqId()), fields.frameBytes());
  }

  @Override
  public void checkPatience(long nowNanos) {
    FrameSource in = source;
    FrameSink out = sink;
    if (in == null || out == null) {
      if (nowNanos - openedNanos > port.limits().firstFrame().toNanos()) {
        port.meter().turnedAway(BinaryPort.NAME, RequestMeter.Why.SLOW);
        close(); // a handshake that does not come to an end
      }
      return;
    }
    if (out.isLate(nowNanos) || in.isLate(nowNanos)) {
      LOG.log(Level.DEBUG, () -> "too slow: " + socket.getRemoteSocketAddress());
      if (!socket.isClosed()) {
        port.meter().turnedAway(BinaryPort.NAME, RequestMeter.Why.SLOW);
      }
      close();
    }
  }

  private void giveWay() {
    port.meter().turnedAway(BinaryPort.NAME, RequestMeter.Why.SLOW);
    close();
  }

  /// Takes no more requests; what was accepted is still answered, then the connection ends.
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

  /// Whether nothing is on its way in either direction, as far as can be known.
  private boolean isQuiet(FrameSink out) {
    return slots.availablePermits() == port.limits().inFlight()
        && System.nanoTime() - out.lastStepNanos() > LINGER_NANOS;
  }

  /// Ends the connection now.
  void close() {
    try {
      socket.close();
    } catch (IOException e) {
      LOG.log(Level.DEBUG, () -> "closing: " + e);
    }
  }
}
