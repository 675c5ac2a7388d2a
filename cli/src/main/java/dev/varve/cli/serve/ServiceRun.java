// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.serve;

import dev.varve.StorageFacts;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.access.DatabaseStore;
import dev.varve.cli.session.CommandException;
import dev.varve.cli.session.CommandSession;
import dev.varve.cli.session.ErrorExit;
import dev.varve.cli.session.ExitCodes;
import dev.varve.cli.session.Version;
import dev.varve.server.Server;
import dev.varve.server.ServerConfig;
import dev.varve.server.types.TypeBundleFiles;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;

/// A service of this process, from its start to the signal that ends the process.
///
/// @param formatVersion of the store's files or tables
record ServiceRun(CommandSession command, Server server, String url, int formatVersion) {

  private static final String HOW_TO_BE_SAFE =
      "Give --tls-cert, --tls-key and --token-file ('varve token create'), or leave the address"
          + " out.";

  /// Opens the store for a service of this process, and its ports.
  ///
  /// @throws StoreException.Busy if another process has the store
  /// @throws CommandException if a port is in use or unsafe
  static ServiceRun start(CommandSession command, StoreOptions options, ServerConfig config) {
    Store store = command.access().openToServe(options);
    command.terminal().status("");
    int formatVersion = formatVersion(store);
    Server server = open(command, store, config);
    String url =
        (config.admission().tls() == null ? "http://" : "https://") + shown(server.httpAddress());
    ServiceAddress.in(command.storeFolder()).write(url);
    return new ServiceRun(command, server, url, formatVersion);
  }

  private static int formatVersion(Store store) {
    return switch (store) {
      case StorageFacts local -> local.formatVersion();
      case DatabaseStore shared -> shared.formatVersion();
      default -> throw new AssertionError("served by another process: " + store);
    };
  }

  /// The version of this program.
  static String version() {
    return Version.text().substring("varve ".length());
  }

  private static Server open(CommandSession command, Store store, ServerConfig config) {
    try {
      return Server.start(
          store,
          TypeBundleFiles.of(command.storeFolder()),
          config,
          version(),
          command.terminal().clock());
    } catch (StoreException.Busy e) {
      throw new CommandException(
          ExitCodes.UNAVAILABLE,
          String.valueOf(e.getMessage()),
          "--http and --binary choose other ports; port 0 lets the system choose.");
    } catch (StoreException.Invalid e) {
      String message = String.valueOf(e.getMessage());
      boolean unsafe = message.contains("needs TLS and tokens");
      throw new CommandException(ExitCodes.USAGE, message, unsafe ? HOW_TO_BE_SAFE : null);
    }
  }

  /// Runs `ready`, then waits for the signal.
  void untilStopped(Runnable ready) throws InterruptedException {
    CountDownLatch stopped = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(stopped), "varve-end"));
    ready.run();
    SystemdNotice.send(SystemdNotice.READY);
    stopped.await();
  }

  /// Ends the service after SIGTERM or Control-C. Java would exit with status 143 after a signal;
  /// `halt` sets status 0 once all parts are closed.
  private void end(CountDownLatch stopped) {
    SystemdNotice.send(SystemdNotice.STOPPING);
    try {
      command.terminal().say("stopping: accepted requests are finished first");
      ServiceAddress.in(command.storeFolder()).delete(url);
      server.close();
      stopped.countDown();
      command.terminal().flush();
    } catch (RuntimeException | Error e) {
      Runtime.getRuntime().halt(ErrorExit.of(e, command.terminal()));
    }
    Runtime.getRuntime().halt(ExitCodes.OK);
  }

  static String shown(InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
  }
}
