// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import dev.varve.BulkStore;
import dev.varve.Store;
import dev.varve.StoreOptions;
import dev.varve.local.LocalStore;
import dev.varve.server.access.Authenticator;
import dev.varve.server.events.EventListener;
import dev.varve.server.logs.RequestLog;
import dev.varve.server.metrics.RequestMeter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/// Opens stores and ports for a test, and closes them behind it.
abstract class Ports {

  @TempDir Path folder;
  private final List<AutoCloseable> opened = new ArrayList<>();

  BulkStore store() throws IOException {
    return opened(
        LocalStore.open(Files.createTempDirectory(folder, "store"), StoreOptions.DEFAULTS));
  }

  BinaryPort port(Store store, BinaryLimits limits) {
    return port(BinaryService.of(store), limits);
  }

  BinaryPort port(
      Store store,
      BinaryLimits limits,
      Authenticator authenticator,
      RequestLog log,
      EventListener listener) {
    return port(new BinaryService(store, authenticator, log, listener, RequestMeter.NONE), limits);
  }

  BinaryPort port(BinaryService service, BinaryLimits limits) {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return opened(BinaryPort.open(service, any, limits, null));
  }

  Peer peer(BinaryPort port) throws IOException {
    return opened(new Peer(port.address()));
  }

  <T extends AutoCloseable> T opened(T closeable) {
    opened.addFirst(closeable);
    return closeable;
  }

  @AfterEach
  final void closeAll() throws Exception {
    for (AutoCloseable closeable : opened) {
      closeable.close();
    }
  }
}
