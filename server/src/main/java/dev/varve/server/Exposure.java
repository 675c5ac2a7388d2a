// SPDX-License-Identifier: Apache-2.0
package dev.varve.server;

import dev.varve.StoreException;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/// Who could reach a port, and what must then stand before it.
final class Exposure {

  private Exposure() {}

  /// Refuses a port that other machines reach unless it speaks TLS and asks for tokens.
  static void check(ServerConfig config) {
    for (InetSocketAddress address : new InetSocketAddress[] {config.http(), config.binary()}) {
      if (address.isUnresolved()) {
        throw new StoreException.Invalid(address.getHostString(), "no such host");
      }
      if (!isLocal(address) && (config.certificates() == null || config.tokens() == null)) {
        throw new StoreException.Invalid(
            address.getHostString(), "an address that other machines reach needs TLS and tokens");
      }
    }
  }

  static boolean isLocal(InetSocketAddress address) {
    return address.getAddress().isLoopbackAddress();
  }

  /// Binds the port and lets it go, for an error that says what is wrong: the HTTP library's own
  /// does not.
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
