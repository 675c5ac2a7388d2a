// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.server.access.Audit;
import dev.varve.server.events.ServerEvent;
import dev.varve.server.load.Budget;
import dev.varve.server.load.Watch;
import dev.varve.server.metrics.Failure;
import dev.varve.server.metrics.RequestMeter;
import dev.varve.wire.ErrorResponse;
import dev.varve.wire.Fields;
import dev.varve.wire.MessageType;
import dev.varve.wire.Response;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/// The binary port of one store. Whoever opens it closes it, and closes the store behind it.
public final class BinaryPort implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(BinaryPort.class.getPackageName());

  /// What this port is called where ports are counted.
  static final String NAME = "binary";

  private static final int BACKLOG = 1024;
  private static final long ACCEPT_PAUSE_NANOS = 50_000_000;

  /// A peer whose machine is gone is noticed within two minutes, however long it may stay silent.
  private static final int KEEPALIVE_IDLE_SECONDS = 60;

  private static final int KEEPALIVE_PROBES = 4;
  private static final int KEEPALIVE_SECONDS = 15;

  private final ServerSocket server;
  private final BinaryLimits limits;
  private final Answers answers;
  private final Budget budget;
  private final BinaryService service;
  private final InstantSource clock;
  private final @Nullable SSLContext tls;
  private final Watch watch;
  private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
  private final AtomicLong sessions = new AtomicLong();
  private final CountDownLatch accepting = new CountDownLatch(1);
  private volatile boolean closing;

  private BinaryPort(
      ServerSocket server,
      BinaryService service,
      BinaryLimits limits,
      InstantSource clock,
      @Nullable SSLContext tls) {
    this.server = server;
    this.service = service;
    this.limits = limits;
    this.answers = new Answers(service.store(), limits, service.events());
    this.budget = new Budget(limits.bufferBytes(), limits.bufferWait());
    this.clock = clock;
    this.tls = tls;
    this.watch = Watch.start(NAME, connections);
  }

  /// Opens the port and accepts from then on.
  ///
  /// @param address port 0 for one that the system chooses
  /// @param tls null for none
  /// @throws StoreException.Busy if the port is in use
  /// @throws StoreException.Io if the address cannot be had
  public static BinaryPort open(
      BinaryService service,
      InetSocketAddress address,
      BinaryLimits limits,
      @Nullable SSLContext tls) {
    try {
      ServerSocket server = new ServerSocket();
      server.setReuseAddress(true);
      server.bind(address, BACKLOG);
      BinaryPort port = new BinaryPort(server, service, limits, InstantSource.system(), tls);
      Thread.ofPlatform().daemon().name("varve-binary-accept").start(port::accept);
      return port;
    } catch (BindException e) {
      throw new StoreException.Busy(
          address.getHostString() + ":" + address.getPort(), "another program");
    } catch (IOException e) {
      throw new StoreException.Io(address.toString(), "cannot listen: " + e.getMessage(), e);
    }
  }

  /// Opens the port for everybody who reaches it, with the default limits.
  public static BinaryPort open(Store store, InetSocketAddress address) {
    return open(BinaryService.of(store), address, BinaryLimits.DEFAULTS, null);
  }

  /// Where it listens.
  public InetSocketAddress address() {
    return (InetSocketAddress) server.getLocalSocketAddress();
  }

  /// How many peers are connected.
  public int connectionCount() {
    return connections.size();
  }

  /// How much memory for large requests and answers is free.
  public long bufferFreeBytes() {
    return budget.freeBytes();
  }

  // ---- accepting

  private void accept() {
    try {
      while (!closing) {
        try {
          welcome(server.accept());
        } catch (IOException e) {
          if (!closing) {
            LOG.log(Level.WARNING, "cannot accept a connection: " + e.getMessage());
            LockSupport.parkNanos(
                ACCEPT_PAUSE_NANOS); // no descriptors left, for instance: let some be closed
          }
        }
      }
    } finally {
      accepting.countDown();
    }
  }

  private void welcome(Socket socket) throws IOException {
    Client client =
        new Client(
            sessions.incrementAndGet(),
            address(socket),
            service.authenticator(),
            service.events(),
            clock);
    service.meter().connected(NAME);
    Connection connection = new Connection(this, socket, client);
    connections.add(connection);
    try {
      socket.setTcpNoDelay(true);
      socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
      socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, KEEPALIVE_IDLE_SECONDS);
      socket.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, KEEPALIVE_SECONDS);
      socket.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, KEEPALIVE_PROBES);
    } catch (IOException | UnsupportedOperationException e) {
      LOG.log(Level.DEBUG, () -> "socket options: " + e);
    }
    if (connections.size() > limits.connections()) {
      Thread.ofVirtual().name("binary-refusal").start(() -> turnAway(connection, socket));
    } else {
      Thread.ofVirtual().name("binary-connection").start(connection);
    }
    if (closing) {
      connection.drain();
    }
  }

  private void turnAway(Connection connection, Socket socket) {
    service.meter().turnedAway(NAME, RequestMeter.Why.LIMIT);
    ErrorResponse error =
        ErrorResponse.of(
            ErrorResponse.UNAVAILABLE, "all " + limits.connections() + " connections are taken");
    Fields fields = new Fields(error.sizeBytes());
    error.write(fields);
    try (socket) {
      socket.getOutputStream().write(fields.frame(MessageType.ERROR, 0, 0), 0, fields.frameBytes());
    } catch (IOException e) {
      LOG.log(Level.DEBUG, () -> "turned away: " + e);
    } finally {
      connections.remove(connection);
    }
  }

  private static String address(Socket socket) {
    InetSocketAddress peer = (InetSocketAddress) socket.getRemoteSocketAddress();
    return peer == null ? "unknown" : peer.getAddress().getHostAddress() + ":" + peer.getPort();
  }

  // ---- what connections need

  BinaryLimits limits() {
    return limits;
  }

  Answers answers() {
    return answers;
  }

  Budget budget() {
    return budget;
  }

  Audit audit() {
    return service.audit();
  }

  RequestMeter meter() {
    return service.meter();
  }

  /// The socket to speak over: with TLS if there is any. May wait for the peer.
  Socket secure(Socket plain) throws IOException {
    SSLContext context = tls;
    if (context == null) {
      return plain;
    }
    SSLSocket secured =
        (SSLSocket) context.getSocketFactory().createSocket(plain, null, plain.getPort(), true);
    secured.setUseClientMode(false);
    secured.startHandshake();
    return secured;
  }

  void left(Connection connection) {
    connections.remove(connection);
  }

  /// Counts a request that is answered now, and tells of an answer that says the server is to
  /// blame.
  void answered(Asked asked, Response response, long sentBytes) {
    long nanos = System.nanoTime() - asked.readNanos();
    ErrorResponse error = response instanceof ErrorResponse it ? it : null;
    service.meter().answered(NAME, asked.operation(), error == null ? 200 : error.code(), nanos);
    service.meter().moved(NAME, asked.operation(), asked.bytes(), sentBytes);
    if (error == null) {
      return;
    }
    String what = asked.type().name();
    service.meter().failed(new Failure(clock.instant(), NAME, error.code(), error.detail(), what));
    if (error.code() >= 500) {
      service
          .events()
          .on(
              new ServerEvent.ErrorOccurred(
                  clock.instant(), NAME, error.code(), error.detail(), what));
    }
  }

  // ---- the end

  /// Takes no more connections and requests, answers what was accepted, and ends. Waits for that as
  /// long as [BinaryLimits#shutdown()] says; then it cuts off who is left. Idempotent. The store
  /// stays open.
  @Override
  public void close() {
    closing = true;
    try {
      server.close();
    } catch (IOException e) {
      LOG.log(Level.WARNING, "closing the port: " + e.getMessage());
    }
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
