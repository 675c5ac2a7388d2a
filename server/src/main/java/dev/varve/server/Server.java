// SPDX-License-Identifier: Apache-2.0
package dev.varve.server;

import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.server.http.HttpApi;
import dev.varve.server.http.HttpConfig;
import dev.varve.server.http.HttpPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Set;

/// A store that is served. It owns the store: closing the server closes it, last.
public final class Server implements AutoCloseable {

  private final Store store;
  private final HttpPort http;
  private final InetSocketAddress httpAddress;
  private boolean closed;

  private Server(Store store, HttpPort http, InetSocketAddress httpAddress) {
    this.store = store;
    this.http = http;
    this.httpAddress = httpAddress;
  }

  /// Opens the ports for `store`; both answer when it returns. The store is closed if that fails.
  ///
  /// @param version of this program, as clients are told
  /// @throws StoreException.Busy if a port is in use
  /// @throws StoreException.Invalid if the addresses ask for more safety than there is
  public static Server start(
      Store store, ServerConfig config, String version, InstantSource clock) {
    try {
      checkLoopback(config.http());
      checkLoopback(config.binary());
      Set<String> hosts = new HashSet<>(HttpConfig.LOOPBACK_HOSTS);
      hosts.addAll(config.hosts());
      HttpConfig forHttp =
          new HttpConfig(config.http(), null, hosts, config.origins(), config.httpLimits());
      checkFree(config.http());
      HttpPort http = HttpApi.open(forHttp, store, version, clock);
      return new Server(
          store, http, new InetSocketAddress(config.http().getAddress(), http.port()));
    } catch (RuntimeException | Error e) {
      store.close();
      throw e;
    }
  }

  private static void checkLoopback(InetSocketAddress address) {
    if (address.isUnresolved()) {
      throw new StoreException.Invalid(address.getHostString(), "no such host");
    }
    if (!address.getAddress().isLoopbackAddress()) {
      throw new StoreException.Invalid(
          address.getHostString(), "an address that other machines reach needs TLS and tokens");
    }
  }

  /// Binds the port and lets it go, for an error that says what is wrong: the HTTP library's own
  /// does not.
  private static void checkFree(InetSocketAddress address) {
    if (address.getPort() == 0) {
      return;
    }
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(address);
    } catch (java.net.BindException e) {
      throw new StoreException.Busy(
          address.getHostString() + ":" + address.getPort(), "another program");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Where HTTP is answered.
  public InetSocketAddress httpAddress() {
    return httpAddress;
  }

  /// Finishes what was accepted, closes the ports, then the store. Idempotent.
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      http.close();
    } finally {
      store.close();
    }
  }
}
