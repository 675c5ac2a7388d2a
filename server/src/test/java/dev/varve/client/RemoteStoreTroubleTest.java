// SPDX-License-Identifier: Apache-2.0
package dev.varve.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.local.LocalStore;
import dev.varve.server.access.Authenticator;
import dev.varve.server.access.Principal;
import dev.varve.server.binary.BinaryLimits;
import dev.varve.server.binary.BinaryPort;
import dev.varve.server.binary.BinaryService;
import dev.varve.server.events.EventListener;
import dev.varve.server.logs.RequestLog;
import dev.varve.server.metrics.RequestMeter;
import dev.varve.server.tls.TestCertificate;
import dev.varve.server.tls.TlsFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Connections that are lost, servers that are started again, TLS and tokens.
class RemoteStoreTroubleTest {

  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final RemoteOptions PATIENT =
      RemoteOptions.DEFAULTS.withReconnect(Duration.ofSeconds(30));

  @TempDir Path folder;
  private LocalStore local;

  @BeforeEach
  void open() throws IOException {
    local = LocalStore.open(Files.createTempDirectory(folder, "store"), StoreOptions.DEFAULTS);
  }

  @AfterEach
  void close() {
    local.close();
  }

  private static NewTurn said(String text) {
    return NewTurn.of(Payload.utf8(text), new DeclaredType("test.Message", 1), Encoding.RAW);
  }

  @Test
  void aServerThatIsStartedAgainIsFoundAgain() {
    BinaryPort first = BinaryPort.open(local, ANY);
    InetSocketAddress address = first.address();
    try (Store remote = RemoteStore.connect(address, PATIENT)) {
      ContextId context = remote.createContext().id();
      for (int i = 0; i < 5; i++) {
        remote.append(context, said("turn " + i));
        first.close();
        first = BinaryPort.open(local, address);
        assertThat(remote.head(context).headDepth()).isEqualTo(i);
      }
    } finally {
      first.close();
    }
  }

  /// Each answer is lost once: the append is stored, its client does not know, and asks again.
  @Test
  void anAppendOfWhichTheAnswerIsLostIsStoredOnce() throws IOException {
    try (BinaryPort port = BinaryPort.open(local, ANY);
        LossyProxy proxy = LossyProxy.before(port.address());
        Store remote = RemoteStore.connect(proxy.address(), PATIENT)) {
      ContextId context = local.createContext().id();
      for (int i = 0; i < 20; i++) {
        proxy.loseNextAnswer();
        Turn turn = remote.append(context, said("the same"));
        assertThat(turn.depth()).isEqualTo(i);
      }
      assertThat(proxy.lost()).isEqualTo(20);
      assertThat(local.head(context).headDepth()).isEqualTo(19);
      assertThat(remote.last(context, 100, View.LATEST).turns()).hasSize(20);
    }
  }

  @Test
  void aChangeThatMustNotBeRepeatedIsToldToBeUnknown() throws IOException {
    TurnId turn = local.append(local.createContext().id(), said("a")).id();
    try (BinaryPort port = BinaryPort.open(local, ANY);
        LossyProxy proxy = LossyProxy.before(port.address());
        Store remote = RemoteStore.connect(proxy.address(), PATIENT)) {
      for (Runnable change :
          List.<Runnable>of(
              remote::createContext,
              () -> remote.tombstone(turn),
              () -> remote.patch(turn, Payload.utf8("b")))) {
        proxy.loseNextAnswer();
        assertThatThrownBy(change::run)
            .isInstanceOf(StoreException.Io.class)
            .hasMessageContaining("nobody knows");
      }
      assertThat(remote.overlays(turn)).as("the next call works, and tells").hasSize(2);
    }
  }

  @Test
  void aServerThatIsNotThereIsAnIoRefusal() throws IOException {
    InetSocketAddress nobody;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = (InetSocketAddress) socket.getLocalSocketAddress();
    }

    assertThatThrownBy(() -> RemoteStore.connect(nobody, RemoteOptions.DEFAULTS))
        .isInstanceOf(StoreException.Io.class)
        .hasMessageContaining(String.valueOf(nobody.getPort()));
  }

  @Test
  void aServerThatNeverAnswersIsGivenUp() throws IOException {
    try (BinaryPort port = BinaryPort.open(local, ANY);
        LossyProxy proxy = LossyProxy.before(port.address());
        Store remote =
            RemoteStore.connect(
                proxy.address(), PATIENT.withRequestTimeout(Duration.ofMillis(200)))) {
      proxy.swallowAnswers();
      assertThatThrownBy(remote::createContext)
          .isInstanceOf(StoreException.Io.class)
          .hasMessageContaining("no answer");
    }
  }

  @Test
  void somethingElseOnThePortIsRefused() throws IOException {
    try (ServerSocket web = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual()
          .start(
              () -> {
                try (var socket = web.accept()) {
                  socket.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes());
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              });
      InetSocketAddress address = (InetSocketAddress) web.getLocalSocketAddress();

      assertThatThrownBy(() -> RemoteStore.connect(address, RemoteOptions.DEFAULTS))
          .isInstanceOf(StoreException.Io.class)
          .hasMessageContaining("not a server of Varve");
    }
  }

  @Test
  void withTlsAndATokenItIsTheSameStore() {
    TestCertificate certificate = TestCertificate.make(folder, "EC");
    SSLContext tls = TlsFiles.context(certificate.certificates(), certificate.key());
    Authenticator one =
        token -> "secret".equals(token) ? Optional.of(Principal.ANYBODY) : Optional.empty();
    try (BinaryPort port =
        BinaryPort.open(
            new BinaryService(local, one, RequestLog.NONE, EventListener.NONE, RequestMeter.NONE),
            ANY,
            BinaryLimits.DEFAULTS,
            tls)) {
      InetSocketAddress named =
          InetSocketAddress.createUnresolved("localhost", port.address().getPort());
      RemoteOptions trusting = RemoteOptions.DEFAULTS.withTls(certificate.trusting());
      try (Store remote = RemoteStore.connect(named, trusting.withToken("secret"))) {
        ContextId context = remote.createContext().id();
        byte[] large = new byte[3 << 20];
        assertThat(remote.get(remote.put(Payload.of(large))).sizeBytes()).isEqualTo(large.length);
        assertThat(remote.append(context, said("a")).depth()).isZero();
      }
      assertThatThrownBy(() -> RemoteStore.connect(named, trusting.withToken("guess")))
          .isInstanceOf(StoreException.Invalid.class)
          .hasMessageContaining("token");
      assertThatThrownBy(
              () -> RemoteStore.connect(named, RemoteOptions.DEFAULTS.withToken("secret")))
          .as("without TLS")
          .isInstanceOf(StoreException.class);
    }
  }
}
