// SPDX-License-Identifier: Apache-2.0
package dev.varve.client;

import dev.varve.StoreException;
import dev.varve.socket.PeerStream;
import dev.varve.wire.ErrorResponse;
import dev.varve.wire.FieldWriter;
import dev.varve.wire.Frame;
import dev.varve.wire.Request;
import dev.varve.wire.Response;
import dev.varve.wire.StoreRequest;
import dev.varve.wire.StoreResponse;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// One connection to a server. Any number of threads ask at the same time; each waits for its own
/// answer.
///
/// Two threads of its own read and write. The asking ones never touch the socket: an interrupt of a
/// virtual thread would close it.
final class ClientConnection implements AutoCloseable {

  private static final System.Logger LOG =
      System.getLogger(ClientConnection.class.getPackageName());

  /// The number of bytes that are sent at once, if so many wait.
  private static final int GATHER_BYTES = 64 << 10;

  private static final int QUEUE_FRAMES = 256;

  private final PeerStream stream;
  private final InputStream in;
  private final OutputStream out;
  private final StoreResponse.Opened opened;
  private final AtomicLong lastId = new AtomicLong(1); // 1 was OPEN
  private final Map<Long, CompletableFuture<Frame>> waiting = new ConcurrentHashMap<>();
  private final BlockingQueue<Outgoing> outgoing = new LinkedBlockingQueue<>(QUEUE_FRAMES);
  private final ReentrantLock ending = new ReentrantLock(); // guards lost
  private volatile @Nullable IOException lost;

  /// The first `length` bytes of `frame`.
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Outgoing(byte[] frame, int length) {}

  private ClientConnection(PeerStream stream, StoreResponse.Opened opened) {
    this.stream = stream;
    this.in = stream.in();
    this.out = stream.out();
    this.opened = opened;
  }

  /// Connects and introduces this client.
  ///
  /// @throws StoreException if the server refuses
  /// @throws IOException if there is none, or it is none of Varve, or it does not answer in time
  static ClientConnection open(ServerDialer server, RemoteOptions options) throws IOException {
    PeerStream stream = server.dial(options);
    CountDownLatch introduced = new CountDownLatch(1);
    AtomicBoolean late = new AtomicBoolean();
    Thread.ofVirtual()
        .name("remote-patience")
        .start(() -> endIfLate(stream, options.connectTimeout(), introduced, late));
    try {
      ClientConnection link = new ClientConnection(stream, introduce(stream, options));
      Thread.ofVirtual().name("remote-reader").start(link::read);
      Thread.ofVirtual().name("remote-writer").start(link::write);
      return link;
    } catch (IOException e) {
      stream.close();
      throw late.get() ? new IOException("no answer within " + options.connectTimeout(), e) : e;
    } catch (RuntimeException e) {
      stream.close();
      throw e;
    } finally {
      introduced.countDown();
    }
  }

  /// Ends a connection whose server has not answered to the introduction in time.
  private static void endIfLate(
      PeerStream stream, Duration patience, CountDownLatch introduced, AtomicBoolean late) {
    try {
      if (!introduced.await(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        late.set(true);
        stream.close();
      }
    } catch (InterruptedException | IOException e) {
      LOG.log(System.Logger.Level.DEBUG, () -> "ending a silent connection: " + e);
    }
  }

  private static StoreResponse.Opened introduce(PeerStream stream, RemoteOptions options)
      throws IOException {
    StoreRequest.Open open =
        new StoreRequest.Open(StoreRequest.VERSION, options.clientTag(), options.token());
    FieldWriter fields = open.fields(128);
    stream.out().write(fields.frame(open.type(), 0, 1), 0, fields.frameBytes());
    Frame frame = frame(stream.in(), Frame.PAYLOAD_BYTES_MAX);
    if (frame == null) {
      throw new EOFException("the server ended the connection");
    }
    Response response = Response.read(open, frame);
    return switch (response) {
      case StoreResponse.Opened opened -> opened;
      case ErrorResponse error when error.code() == ErrorResponse.UNAVAILABLE ->
          throw new IOException(error.detail());
      case ErrorResponse error -> throw error.toException();
      default -> throw new IOException("not an answer to OPEN: " + response);
    };
  }

  /// The next frame; null at an orderly end.
  private static @Nullable Frame frame(InputStream in, long payloadBytesMax) throws IOException {
    byte[] head = in.readNBytes(Frame.HEADER_BYTES);
    if (head.length == 0) {
      return null;
    }
    if (head.length < Frame.HEADER_BYTES) {
      throw new EOFException("the server ended the connection within a header");
    }
    Frame.Header header = Frame.Header.read(head);
    if (header.length() > payloadBytesMax) {
      throw new IOException("a frame of " + header.length() + " bytes: not a server of Varve?");
    }
    byte[] payload = in.readNBytes((int) header.length());
    if (payload.length < header.length()) {
      throw new EOFException("the server ended the connection within a frame");
    }
    return new Frame(header.type(), header.flags(), header.reqId(), payload);
  }

  /// The limits and abilities of the server.
  StoreResponse.Opened opened() {
    return opened;
  }

  boolean isLost() {
    return lost != null;
  }

  /// Asks, and waits for the answer. An interrupt is kept for later.
  ///
  /// @throws Unanswered if the connection is lost, or no answer comes in time
  Response call(Request request, int sizeBytes, Duration timeout) throws Unanswered {
    long id = lastId.incrementAndGet();
    FieldWriter fields = request.fields(sizeBytes);
    if (fields.payloadBytes() > opened.frameBytesMax()) {
      throw new StoreException.TooLarge("frame", fields.payloadBytes(), opened.frameBytesMax());
    }
    byte[] frame = fields.frame(request.type(), request.flags(), id);
    CompletableFuture<Frame> answer = new CompletableFuture<>();
    waiting.put(id, answer);
    boolean interrupted = false;
    try {
      long deadline = System.nanoTime() + timeout.toNanos();
      boolean queued = false;
      while (true) {
        IOException before = lost;
        if (before != null) {
          throw new Unanswered(queued, before);
        }
        try {
          if (!queued) {
            queued =
                outgoing.offer(
                    new Outgoing(frame, fields.frameBytes()),
                    deadline - System.nanoTime(),
                    TimeUnit.NANOSECONDS);
          }
          if (queued) {
            return Response.read(
                request, answer.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS));
          }
          throw new TimeoutException();
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (TimeoutException e) {
          IOException late = new IOException("no answer within " + timeout);
          end(late); // whatever comes now is not to be mistaken for an answer to something else
          throw new Unanswered(queued, late);
        } catch (ExecutionException e) {
          throw new Unanswered(queued, new IOException(e.getCause()));
        }
      }
    } finally {
      waiting.remove(id);
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /// No answer came.
  static final class Unanswered extends Exception {
    private static final long serialVersionUID = 1;
    private final boolean sent;

    Unanswered(boolean sent, IOException why) {
      super(why.getMessage(), why);
      this.sent = sent;
    }

    /// Returns whether the server may have fulfilled the request.
    boolean sent() {
      return sent;
    }
  }

  private void read() {
    try {
      for (Frame frame = frame(in, opened.frameBytesMax());
          frame != null;
          frame = frame(in, opened.frameBytesMax())) {
        CompletableFuture<Frame> asked = waiting.remove(frame.reqId());
        if (asked != null) { // else it gave up
          asked.complete(frame);
        }
      }
      end(new EOFException("the server ended the connection"));
    } catch (IOException e) {
      end(e);
    }
  }

  private void write() {
    List<Outgoing> batch = new ArrayList<>();
    byte[] gathered = new byte[GATHER_BYTES];
    try {
      while (lost == null) {
        batch.add(outgoing.take());
        outgoing.drainTo(batch);
        int size = 0;
        for (Outgoing next : batch) {
          if (size + next.length() > GATHER_BYTES) {
            out.write(gathered, 0, size);
            size = 0;
          }
          if (next.length() > GATHER_BYTES) {
            out.write(next.frame(), 0, next.length());
          } else {
            System.arraycopy(next.frame(), 0, gathered, size, next.length());
            size += next.length();
          }
        }
        out.write(gathered, 0, size);
        batch.clear();
      }
    } catch (IOException e) {
      end(e);
    } catch (InterruptedException e) {
      end(new IOException("closed")); // how close() ends this thread's waiting is below
    }
  }

  private void end(IOException why) {
    ending.lock();
    try {
      if (lost != null) {
        return;
      }
      lost = why;
    } finally {
      ending.unlock();
    }
    try {
      stream.close();
    } catch (IOException e) {
      why.addSuppressed(e);
    }
    outgoing.clear();
    outgoing.offer(new Outgoing(new byte[0], 0)); // wakes the writer, which sees that it is over
    waiting.values().forEach(asked -> asked.completeExceptionally(why));
  }

  @Override
  public void close() {
    end(new IOException("closed"));
  }
}
