// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.server.events.ServerEvent;
import dev.varve.server.limits.MemoryBudget;
import dev.varve.server.limits.TimeoutWatch;
import dev.varve.server.logs.AnsweredRequest;
import dev.varve.server.metrics.RequestFailure;
import dev.varve.server.metrics.RequestMeter;
import dev.varve.socket.PeerStream;
import dev.varve.socket.SocketFile;
import dev.varve.wire.ErrorResponse;
import dev.varve.wire.FieldWriter;
import dev.varve.wire.MessageType;
import dev.varve.wire.Response;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// The binary port of one store. The caller that opens the port closes it, and closes the store
/// afterwards.
public final class BinaryPort implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(BinaryPort.class.getPackageName());

  /// The name of this port in metrics and logs.
  static final String NAME = "binary";

  private static final long ACCEPT_PAUSE_NANOS = 50_000_000;

  private final TcpAcceptor tcp;
  private final List<Acceptor> acceptors;
  private final BinaryLimits limits;
  private final RequestHandler answers;
  private final MemoryBudget budget;
  private final BinaryService service;
  private final InstantSource clock;
  private final TimeoutWatch watch;
  private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
  private final AtomicLong sessions = new AtomicLong();
  private final CountDownLatch accepting;
  private volatile boolean closing;

  private BinaryPort(
      TcpAcceptor tcp, List<Acceptor> acceptors, BinaryService service, BinaryLimits limits) {
    this.tcp = tcp;
    this.acceptors = acceptors;
    this.accepting = new CountDownLatch(acceptors.size());
    this.service = service;
    this.limits = limits;
    this.answers = new RequestHandler(service, limits);
    this.budget = new MemoryBudget(limits.bufferBytes(), limits.bufferWait());
    this.clock = InstantSource.system();
    this.watch = TimeoutWatch.start(NAME, connections);
  }

  /// Opens the port and accepts connections from then on.
  ///
  /// @param address port 0 for a port that the system chooses
  /// @param tls null for none
  /// @throws StoreException.Busy if the port is in use
  /// @throws StoreException.Io if the address cannot be used
  public static BinaryPort open(
      BinaryService service,
      InetSocketAddress address,
      BinaryLimits limits,
      @Nullable SSLContext tls) {
    return open(service, address, limits, tls, null);
  }

  /// Opens the port, and beside it a socket for this user's own programs.
  ///
  /// @param address port 0 for one that the system chooses
  /// @param tls of the port; null for none
  /// @param socket in the folder of the store, which this process has open; null for none
  /// @throws StoreException.Busy if the port is in use
  /// @throws StoreException.Io if the address cannot be had
  public static BinaryPort open(
      BinaryService service,
      InetSocketAddress address,
      BinaryLimits limits,
      @Nullable SSLContext tls,
      @Nullable SocketFile socket) {
    TcpAcceptor tcp = TcpAcceptor.open(address, tls, service.authenticator());
    try {
      List<Acceptor> acceptors =
          socket == null ? List.of(tcp) : List.of(tcp, UnixAcceptor.open(socket));
      BinaryPort port = new BinaryPort(tcp, acceptors, service, limits);
      for (Acceptor acceptor : acceptors) {
        Thread.ofPlatform().daemon().name("varve-binary-accept").start(() -> port.accept(acceptor));
      }
      return port;
    } catch (RuntimeException e) {
      close(tcp);
      throw e;
    }
  }

  /// Opens the port for every client that reaches it, with the default limits.
  public static BinaryPort open(Store store, InetSocketAddress address) {
    return open(BinaryService.of(store), address, BinaryLimits.DEFAULTS, null);
  }

  /// The address of the port.
  public InetSocketAddress address() {
    return tcp.address();
  }

  /// The number of connected peers.
  public int connectionCount() {
    return connections.size();
  }

  /// The free memory for large requests and answers.
  public long bufferFreeBytes() {
    return budget.freeBytes();
  }

  // ---- accepting

  private void accept(Acceptor acceptor) {
    AcceptFailures failures = new AcceptFailures();
    try {
      while (!closing) {
        try {
          welcome(acceptor.accept());
        } catch (IOException | RuntimeException | Error e) { // the port must survive all of them
          if (!closing) {
            failures.report(e);
            LockSupport.parkNanos(ACCEPT_PAUSE_NANOS); // time for connections to end
          }
        }
      }
    } finally {
      accepting.countDown();
    }
  }

  private void welcome(AcceptedPeer peer) {
    service.meter().connected(NAME);
    if (connections.size() >= limits.connections()) {
      turnAway(peer);
      return;
    }
    BinaryClient client =
        new BinaryClient(
            sessions.incrementAndGet(),
            peer.address(),
            peer.authenticator(),
            service.events(),
            clock);
    Connection connection = new Connection(this, peer, client);
    connections.add(connection);
    Thread.ofVirtual().name("binary-connection").start(connection);
    if (closing) {
      connection.drain();
    }
  }

  /// Refuses a peer. On the accepting thread, so that refused peers take one descriptor together
  /// and not one each; the few bytes fit into the buffer of a new connection.
  private void turnAway(AcceptedPeer peer) {
    service.meter().turnedAway(NAME, RequestMeter.EndReason.LIMIT);
    ErrorResponse error =
        ErrorResponse.of(
            ErrorResponse.UNAVAILABLE, "all " + limits.connections() + " connections are taken");
    FieldWriter fields = new FieldWriter(error.sizeBytes());
    error.write(fields);
    try (PeerStream stream = peer.plain()) {
      stream.out().write(fields.frame(MessageType.ERROR, 0, 0), 0, fields.frameBytes());
    } catch (IOException e) {
      LOG.log(Level.DEBUG, () -> "turned away: " + e);
    }
  }

  // ---- for connections

  BinaryLimits limits() {
    return limits;
  }

  RequestHandler answers() {
    return answers;
  }

  MemoryBudget budget() {
    return budget;
  }

  RequestMeter meter() {
    return service.meter();
  }

  void left(Connection connection) {
    connections.remove(connection);
  }

  /// Counts and records an answered request, and publishes an event for an answer that blames the
  /// server.
  ///
  /// @param target the object of the request, for people; may be empty
  void answered(
      ReceivedFrame received,
      BinaryClient client,
      String target,
      Response response,
      long sentBytes) {
    long nanos = System.nanoTime() - received.readNanos();
    ErrorResponse error = response instanceof ErrorResponse it ? it : null;
    int status = error == null ? 200 : error.code();
    service.meter().answered(NAME, received.operation(), status, nanos);
    service
        .log()
        .answered(
            new AnsweredRequest(
                NAME,
                client.name(),
                client.peerAddress(),
                received.type().name(),
                target,
                received.type().writes(),
                status,
                new AnsweredRequest.Cost(received.bytes(), sentBytes, nanos)));
    service.meter().moved(NAME, received.operation(), received.bytes(), sentBytes);
    if (error == null) {
      return;
    }
    String what = received.type().name();
    service
        .meter()
        .failed(new RequestFailure(clock.instant(), NAME, error.code(), error.detail(), what));
    if (error.code() >= 500) {
      service
          .events()
          .on(
              new ServerEvent.ErrorOccurred(
                  clock.instant(), NAME, error.code(), error.detail(), what));
    }
  }

  // ---- closing

  /// Accepts no more connections and requests, answers the accepted ones, and ends. Waits as long
  /// as [BinaryLimits#shutdown()] says; then it closes the remaining connections. Idempotent. The
  /// store stays open.
  @Override
  public void close() {
    closing = true;
    acceptors.forEach(BinaryPort::close);
    long deadline = System.nanoTime() + limits.shutdown().toNanos();
    awaitAccepting();
    connections.forEach(Connection::drain);
    while (!connections.isEmpty() && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(1_000_000);
    }
    if (!connections.isEmpty()) {
      LOG.log(Level.WARNING, connections.size() + " connections were cut off");
      connections.forEach(Connection::close);
    }
    watch.close();
  }

  private static void close(Acceptor acceptor) {
    try {
      acceptor.close();
    } catch (IOException e) {
      LOG.log(Level.WARNING, "closing the port: " + e.getMessage());
    }
  }

  private void awaitAccepting() {
    boolean interrupted = false;
    while (true) {
      try {
        if (!accepting.await(1, TimeUnit.SECONDS)) {
          LOG.log(Level.WARNING, "still accepting");
        }
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
