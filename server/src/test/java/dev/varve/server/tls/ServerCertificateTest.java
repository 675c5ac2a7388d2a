// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.ContextId;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.client.RemoteOptions;
import dev.varve.client.RemoteStore;
import dev.varve.local.LocalStore;
import dev.varve.server.binary.BinaryLimits;
import dev.varve.server.binary.BinaryPort;
import dev.varve.server.binary.BinaryService;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Certificates are renewed while connections are open.
final class ServerCertificateTest {

  private static final Duration NEVER = Duration.ofDays(1);

  @TempDir Path folder;

  private TestCertificate made(String name) throws IOException {
    return TestCertificate.make(Files.createDirectory(folder.resolve(name)), "EC");
  }

  private static void replace(Path file, Path by) throws IOException {
    Files.copy(by, file, StandardCopyOption.REPLACE_EXISTING);
  }

  @Test
  void aRenewalCountsForNewConnectionsAndOpenOnesGoOn() throws IOException {
    TestCertificate used = made("used");
    TestCertificate renewed = made("renewed");
    try (ServerCertificate certificates =
            ServerCertificate.open(used.certificates(), used.key(), NEVER);
        LocalStore local = LocalStore.open(folder.resolve("s"), StoreOptions.DEFAULTS);
        BinaryPort port =
            BinaryPort.open(
                BinaryService.of(local),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                BinaryLimits.DEFAULTS,
                certificates.context())) {
      InetSocketAddress at =
          InetSocketAddress.createUnresolved("localhost", port.address().getPort());
      RemoteOptions oldTrust = RemoteOptions.DEFAULTS.withTls(used.trusting());
      RemoteOptions newTrust = RemoteOptions.DEFAULTS.withTls(renewed.trusting());
      try (Store before = RemoteStore.connect(at, oldTrust)) {
        ContextId context = before.createContext().id();
        assertThatThrownBy(() -> RemoteStore.connect(at, newTrust)).isNotNull();

        replace(used.certificates(), renewed.certificates());
        assertThat(certificates.check()).as("only one of the two is there yet").isFalse();
        assertThat(certificates.failures()).isEqualTo(1);
        RemoteStore.connect(at, oldTrust).close();
        replace(used.key(), renewed.key());
        assertThat(certificates.check()).isTrue();
        assertThat(certificates.check()).as("nothing has changed since").isFalse();

        assertThat(before.head(context).id()).isEqualTo(context);
        try (Store after = RemoteStore.connect(at, newTrust)) {
          assertThat(after.head(context).id()).isEqualTo(context);
        }
        assertThatThrownBy(
                () -> RemoteStore.connect(at, RemoteOptions.DEFAULTS.withTls(used.trusting())))
            .isNotNull();
      }
    }
  }

  @Test
  void filesThatAreGoneOrNonsenseChangeNothing() throws IOException {
    TestCertificate used = made("used");
    try (ServerCertificate certificates =
        ServerCertificate.open(used.certificates(), used.key(), NEVER)) {
      Files.writeString(used.key(), "nonsense");
      assertThat(certificates.check()).isFalse();
      Files.delete(used.key());
      assertThat(certificates.check()).isFalse();
      assertThat(certificates.failures()).isEqualTo(2);
      assertThat(certificates.context().createSSLEngine()).isNotNull();
    }
    assertThatThrownBy(() -> ServerCertificate.open(used.certificates(), used.key(), NEVER))
        .isInstanceOf(StoreException.Io.class);
  }

  @Test
  void aKeyOfTheSameKindThatIsAnothersIsRefused() throws IOException {
    TestCertificate one = made("one");
    TestCertificate other = made("other");

    assertThatThrownBy(() -> TlsFiles.context(one.certificates(), other.key()))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessageContaining("not the key");
  }
}
