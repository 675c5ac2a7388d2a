// SPDX-License-Identifier: Apache-2.0
package dev.varve.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.Store;
import dev.varve.StoreLimits;
import dev.varve.StoreOptions;
import dev.varve.contract.BulkContract;
import dev.varve.contract.DurableStoreContract;
import dev.varve.contract.EraseContract;
import dev.varve.contract.HoldContract;
import dev.varve.disk.LocalDisk;
import dev.varve.local.LocalStore;
import dev.varve.local.StoreGeometry;
import dev.varve.server.binary.BinaryLimits;
import dev.varve.server.binary.BinaryPort;
import dev.varve.server.binary.BinaryService;
import dev.varve.socket.SocketFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;

/// A store over a socket keeps the contract that a local one keeps.
class RemoteStoreTest extends DurableStoreContract
    implements BulkContract, EraseContract, HoldContract {

  @TempDir Path folder;
  private final Map<Store, Serving> servings = new HashMap<>();

  private record Opening(Path folder, StoreLimits limits, InstantSource time) {}

  private record Serving(Opening opening, LocalStore store, BinaryPort port) {
    void end() {
      port.close();
      store.close();
    }
  }

  /// What the server allows in one frame; smaller in a subclass.
  protected BinaryLimits limits() {
    return BinaryLimits.DEFAULTS;
  }

  /// Connects by one of the two ways; by the other one in a subclass.
  protected RemoteStore connect(BinaryPort port, SocketFile socket) {
    return RemoteStore.connect(port.address(), RemoteOptions.DEFAULTS);
  }

  @Override
  protected Store open(StoreLimits limits, InstantSource time) throws Exception {
    return open(new Opening(Files.createTempDirectory(folder, "store"), limits, time));
  }

  private Store open(Opening opening) {
    LocalStore store =
        LocalStore.open(
            LocalDisk.open(opening.folder()),
            StoreOptions.DEFAULTS.withLimits(opening.limits()),
            opening.time(),
            StoreGeometry.DEFAULTS);
    SocketFile socket = new SocketFile(opening.folder().resolve("way-in"));
    BinaryPort port =
        BinaryPort.open(
            BinaryService.of(store),
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            limits(),
            null,
            socket);
    RemoteStore remote = connect(port, socket);
    servings.put(remote, new Serving(opening, store, port));
    return remote;
  }

  @Override
  protected Store reopen(Store closed) {
    Serving serving = servings.get(closed);
    serving.end();
    return open(serving.opening());
  }

  @Override
  protected void afterClosing() {
    servings.values().forEach(Serving::end);
    for (Serving serving : servings.values()) {
      try (LocalStore store = LocalStore.open(serving.opening().folder(), StoreOptions.DEFAULTS)) {
        assertThat(store.check().problems()).isEmpty();
      }
    }
  }
}
