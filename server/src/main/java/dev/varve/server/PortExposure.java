// SPDX-License-Identifier: Apache-2.0
package dev.varve.server;

import dev.varve.StoreException;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/// The check that a port which other machines can reach is protected.
final class PortExposure {

  private PortExposure() {}

  /// Refuses a port that other machines can reach unless it has TLS and requires tokens.
  static void check(ServerConfig config) {
    for (InetSocketAddress address :
        new InetSocketAddress[] {config.ports().http(), config.ports().binary()}) {
      if (address.isUnresolved()) {
        throw new StoreException.Invalid(address.getHostString(), "no such host");
      }
      if (!isLocal(address)
          && (config.admission().tls() == null || config.admission().tokens() == null)) {
        throw new StoreException.Invalid(
            address.getHostString(), "an address that other machines reach needs TLS and tokens");
      }
    }
  }

  static boolean isLocal(InetSocketAddress address) {
    return address.getAddress().isLoopbackAddress();
  }

  /// Binds the port and releases it again, for the sake of a clear error: the HTTP library's own
  /// error does not name the port.
  static void checkFree(InetSocketAddress address) {
    if (address.getPort() == 0) {
      return;
    }
    String name = address.getHostString() + ":" + address.getPort();
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(address);
    } catch (BindException e) {
      throw new StoreException.Busy(name, "another program, or not allowed: " + e.getMessage());
    } catch (IOException e) {
      throw new StoreException.Io(name, "cannot be opened", e);
    }
  }
}
