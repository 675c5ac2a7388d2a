// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.client.RemoteOptions;
import dev.varve.client.RemoteStore;
import dev.varve.server.events.EventListener;
import dev.varve.server.logs.AnsweredRequest;
import dev.varve.server.metrics.RequestMeter;
import dev.varve.socket.SocketFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/// The socket in the store's folder: who gets in, and what is left behind.
class UnixAcceptorTest extends Ports {

  private final List<AnsweredRequest> noted = new CopyOnWriteArrayList<>();

  private BinaryPort port(Store store, SocketFile socket) {
    BinaryService service =
        new BinaryService(
            store, token -> Optional.empty(), noted::add, EventListener.NONE, RequestMeter.NONE);
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return opened(BinaryPort.open(service, any, BinaryLimits.DEFAULTS, null, socket));
  }

  private RemoteStore connect(SocketFile socket) {
    return opened(RemoteStore.connect(socket, RemoteOptions.DEFAULTS));
  }

  @Test
  void needsNoTokenWhereThePortAsksForOne() throws IOException {
    SocketFile socket = new SocketFile(folder.resolve("way-in"));
    BinaryPort port = port(store(), socket);
    connect(socket).put(Payload.of(new byte[] {1}));
    assertThat(noted)
        .filteredOn(AnsweredRequest::writes)
        .singleElement()
        .satisfies(
            entry -> {
              assertThat(entry.who()).isEqualTo(Files.getOwner(folder).getName());
              assertThat(entry.peer()).isEqualTo("user " + entry.who());
            });
    assertThatThrownBy(() -> RemoteStore.connect(port.address(), RemoteOptions.DEFAULTS).counts())
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessageContaining("token");
  }

  @Test
  void isForItsOwnerOnly() throws IOException {
    SocketFile socket = new SocketFile(folder.resolve("way-in"));
    port(store(), socket);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket.path())))
        .isEqualTo("rw-------");
  }

  @Test
  void takesThePlaceOfAKilledProcessAndLeavesNothing() throws IOException {
    SocketFile socket = new SocketFile(folder.resolve("way-in"));
    ServerSocketChannel killed = socket.listen(1);
    killed.close();
    assertThat(socket.exists()).isTrue();
    BinaryPort port = port(store(), socket);
    assertThat(connect(socket).counts().turns()).isZero();
    port.close();
    assertThat(socket.exists()).isFalse();
  }

  @Test
  void isReachedHoweverLongItsPathIs() throws IOException {
    Path deep = folder;
    while (deep.toString().length() < 600) {
      deep = deep.resolve("a-folder-with-quite-a-long-name");
    }
    SocketFile socket = new SocketFile(Files.createDirectories(deep).resolve("way-in"));
    port(store(), socket);
    assertThat(connect(socket).counts().turns()).isZero();
    assertThat(socket.exists()).isTrue();
  }

  @Test
  void aProcessThatDoesNotAnswerIsNotWaitedForForEver() throws IOException {
    SocketFile socket = new SocketFile(folder.resolve("way-in"));
    opened(socket.listen(1));
    RemoteOptions impatient =
        new RemoteOptions(
            "", "", null, Duration.ofMillis(50), Duration.ofSeconds(1), Duration.ofMillis(50));
    assertThatThrownBy(() -> RemoteStore.connect(socket, impatient))
        .isInstanceOf(StoreException.Io.class)
        .hasMessageContaining("no answer within");
  }

  @Test
  void nobodyListensIsSaid() {
    SocketFile socket = new SocketFile(folder.resolve("way-in"));
    assertThatThrownBy(() -> RemoteStore.connect(socket, RemoteOptions.DEFAULTS))
        .isInstanceOf(StoreException.Io.class)
        .hasMessageContaining("way-in");
  }
}
