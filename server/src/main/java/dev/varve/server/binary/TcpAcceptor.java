// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import dev.varve.StoreException;
import dev.varve.server.access.Authenticator;
import dev.varve.socket.PeerStream;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/// A TCP port, with or without TLS.
final class TcpAcceptor implements Acceptor {

  private static final System.Logger LOG = System.getLogger(TcpAcceptor.class.getPackageName());

  private static final int BACKLOG = 1024;

  /// A peer whose machine is gone is noticed within two minutes, however long it may stay silent.
  private static final int KEEPALIVE_IDLE_SECONDS = 60;

  private static final int KEEPALIVE_PROBES = 4;
  private static final int KEEPALIVE_SECONDS = 15;

  private final ServerSocket server;
  private final @Nullable SSLContext tls;
  private final Authenticator authenticator;

  private TcpAcceptor(ServerSocket server, @Nullable SSLContext tls, Authenticator authenticator) {
    this.server = server;
    this.tls = tls;
    this.authenticator = authenticator;
  }

  /// Listens.
  ///
  /// @param address port 0 for one that the system chooses
  /// @param tls null for none
  /// @throws StoreException.Busy if the port is in use
  /// @throws StoreException.Io if the address cannot be had
  static TcpAcceptor open(
      InetSocketAddress address, @Nullable SSLContext tls, Authenticator authenticator) {
    try {
      ServerSocket server = new ServerSocket();
      server.setReuseAddress(true);
      server.bind(address, BACKLOG);
      return new TcpAcceptor(server, tls, authenticator);
    } catch (BindException e) {
      throw new StoreException.Busy(
          address.getHostString() + ":" + address.getPort(), "another program");
    } catch (IOException e) {
      throw new StoreException.Io(address.toString(), "cannot listen: " + e.getMessage(), e);
    }
  }

  /// Where it listens.
  InetSocketAddress address() {
    return (InetSocketAddress) server.getLocalSocketAddress();
  }

  @Override
  public AcceptedPeer accept() throws IOException {
    Socket socket = server.accept();
    try {
      socket.setTcpNoDelay(true);
      socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
      socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, KEEPALIVE_IDLE_SECONDS);
      socket.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, KEEPALIVE_SECONDS);
      socket.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, KEEPALIVE_PROBES);
    } catch (IOException | UnsupportedOperationException e) {
      LOG.log(Level.DEBUG, () -> "socket options: " + e);
    }
    return new TcpPeer(socket, PeerStream.of(socket), tls, authenticator);
  }

  @Override
  public void close() throws IOException {
    server.close();
  }

  /// A peer over TCP.
  private record TcpPeer(
      Socket socket, PeerStream plain, @Nullable SSLContext tls, Authenticator authenticator)
      implements AcceptedPeer {

    @Override
    public PeerStream secured() throws IOException {
      if (tls == null) {
        return plain;
      }
      SSLSocket secured =
          (SSLSocket) tls.getSocketFactory().createSocket(socket, null, socket.getPort(), true);
      secured.setUseClientMode(false);
      secured.startHandshake();
      return PeerStream.of(secured);
    }

    @Override
    public String address() {
      InetSocketAddress peer = (InetSocketAddress) socket.getRemoteSocketAddress();
      return peer == null ? "unknown" : peer.getAddress().getHostAddress() + ":" + peer.getPort();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
