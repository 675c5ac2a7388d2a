// SPDX-License-Identifier: Apache-2.0
package dev.varve.server;

import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.local.LocalStore;
import dev.varve.server.types.TypeBundleFiles;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.InstantSource;

/// Serves the store in a folder until its standard input ends: a service in a process of its own.
///
/// Argument: the folder. Prints `ready` and the ports of HTTP and of the binary protocol, or
/// `refused` and the reason.
final class StartServer {

  private StartServer() {}

  @SuppressWarnings("SystemOut")
  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    InetSocketAddress any = new InetSocketAddress("127.0.0.1", 0);
    LocalStore store = LocalStore.open(folder, StoreOptions.DEFAULTS);
    try (Server server =
        Server.start(
            store,
            TypeBundleFiles.of(folder),
            ServerConfig.DEFAULTS.withHttp(any).withBinary(any),
            "1.2.3",
            InstantSource.system())) {
      System.out.println(
          "ready " + server.httpAddress().getPort() + " " + server.binaryAddress().getPort());
      while (System.in.read() >= 0) {
        continue;
      }
    } catch (StoreException.Io e) {
      System.out.println("refused " + e.getMessage());
    }
  }
}
