// SPDX-License-Identifier: Apache-2.0
package dev.varve.server;

import dev.varve.StoreException;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Set;

/// The check that a port which other machines can reach is protected.
final class PortExposure {

  private PortExposure() {}

  /// Refuses a port that other machines can reach unless it has TLS and requires tokens, and every
  /// way to a service that restores files other than a page of this machine's own.
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
    if (config.restores().areCarriedOut()) {
      checkOwn(config);
    }
  }

  /// Refuses an address or a name by which the files of this machine could be restored from
  /// elsewhere: through a proxy, or from a page of another site.
  private static void checkOwn(ServerConfig config) {
    String why = "a service that restores files is for this machine alone";
    InetSocketAddress http = config.ports().http();
    if (!isLocal(http)) {
      throw new StoreException.Invalid(http.getHostString(), why);
    }
    for (Set<String> names : List.of(config.sites().hosts(), config.sites().origins())) {
      if (!names.isEmpty()) {
        throw new StoreException.Invalid(String.join(", ", names), why);
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
