// SPDX-License-Identifier: Apache-2.0
package dev.varve.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.client.RemoteStore;
import dev.varve.local.LocalStore;
import dev.varve.server.Server;
import dev.varve.server.ServerConfig;
import dev.varve.server.types.TypeBundleFiles;
import dev.varve.socket.SocketFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The way to a store that a service has open.
final class ServiceAccessTest {

  @TempDir Path temporary;
  private StoreAccess access;
  private Server server;

  @BeforeEach
  void serve() {
    access = StoreAccess.of(temporary.resolve("store"), WaitingRules.NONE);
    InetSocketAddress any = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
    server =
        Server.start(
            access.hold(),
            TypeBundleFiles.of(access.folder()),
            ServerConfig.DEFAULTS
                .withHttp(any)
                .withBinary(any)
                .withSocket(StoreAccess.socket(access.folder())),
            "test",
            InstantSource.system());
  }

  @AfterEach
  void end() {
    server.close();
  }

  @Test
  void leadsThroughTheService() {
    try (Store store = access.openExisting()) {
      assertThat(store).isInstanceOf(RemoteStore.class);
      store.put(Payload.utf8("through the service"));
    }
    try (Store store = access.openForImport()) {
      assertThat(store.counts().blobs()).isEqualTo(1);
    }
    assertThat(access.openIfThere())
        .hasValueSatisfying(store -> assertThat(store).isInstanceOf(RemoteStore.class))
        .hasValueSatisfying(Store::close);
  }

  @Test
  void oneImportGoesOnAtATime() {
    try (Store _ = access.openForImport()) {
      assertThatThrownBy(access::openForImport)
          .isInstanceOf(StoreException.Busy.class)
          .hasMessageContaining("an import, process " + ProcessHandle.current().pid());
      access.openExisting().close();
      access.openBesideImports().close();
    }
    access.openForImport().close();
  }

  @Test
  void leadsIntoTheFolderOnceTheServiceHasEnded() {
    SocketFile socket = StoreAccess.socket(access.folder());
    assertThat(socket.exists()).isTrue();
    server.close();
    assertThat(socket.exists()).isFalse();
    try (Store store = access.open()) {
      assertThat(store).isInstanceOf(LocalStore.class);
    }
  }

  @Test
  void whatOnlyAHolderCanDoIsRefusedAtOnce() {
    StoreAccess patient = StoreAccess.of(access.folder(), WaitingRules.DEFAULTS);
    assertThatThrownBy(patient::hold)
        .isInstanceOf(StoreException.Busy.class)
        .hasMessageContaining("a service, process " + ProcessHandle.current().pid());
    assertThatThrownBy(patient::rebuild).isInstanceOf(StoreException.Busy.class);
  }
}
