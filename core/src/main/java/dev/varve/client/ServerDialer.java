// SPDX-License-Identifier: Apache-2.0
package dev.varve.client;

import dev.varve.socket.PeerStream;
import dev.varve.socket.SocketFile;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/// Connects to a server, each time anew.
///
/// `toString` names the server in messages.
sealed interface ServerDialer {

  /// Opens a connection, over which nothing has been sent.
  ///
  /// @throws IOException if there is no server, or none that can be trusted
  PeerStream dial(RemoteOptions options) throws IOException;

  /// A server's port.
  record OfPort(InetSocketAddress address) implements ServerDialer {

    @Override
    public PeerStream dial(RemoteOptions options) throws IOException {
      InetSocketAddress resolved =
          address.isUnresolved()
              ? new InetSocketAddress(address.getHostString(), address.getPort())
              : address;
      if (resolved.isUnresolved()) {
        throw new UnknownHostException("no such host: " + address.getHostString());
      }
      Socket plain = new Socket();
      try {
        int timeoutMs = Math.toIntExact(options.connectTimeout().toMillis());
        plain.setTcpNoDelay(true);
        plain.setKeepAlive(true);
        plain.connect(resolved, timeoutMs);
        plain.setSoTimeout(timeoutMs);
        Socket socket = secured(plain, options);
        plain.setSoTimeout(0);
        return PeerStream.of(socket);
      } catch (IOException | RuntimeException e) {
        plain.close();
        throw e;
      }
    }

    private Socket secured(Socket plain, RemoteOptions options) throws IOException {
      if (options.tls() == null) {
        return plain;
      }
      SSLSocket secured =
          (SSLSocket)
              options
                  .tls()
                  .getSocketFactory()
                  .createSocket(plain, address.getHostString(), plain.getPort(), true);
      SSLParameters parameters = secured.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS"); // the name must be the certificate's
      secured.setSSLParameters(parameters);
      secured.startHandshake();
      return secured;
    }

    @Override
    public String toString() {
      return address.toString();
    }
  }

  /// A server's socket on this machine.
  record OfSocketFile(SocketFile file) implements ServerDialer {

    @Override
    public PeerStream dial(RemoteOptions options) throws IOException {
      return PeerStream.of(file.connect());
    }

    @Override
    public String toString() {
      return file.path().toString();
    }
  }
}
