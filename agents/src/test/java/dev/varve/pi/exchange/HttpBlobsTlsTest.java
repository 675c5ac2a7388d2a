// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.varve.BlobHash;
import dev.varve.StoreException;
import dev.varve.client.PrivateAuthority;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Blobs over https from a server whose certificate no public authority has issued.
final class HttpBlobsTlsTest {

  private static final char[] PASSWORD = "changeit".toCharArray();
  private static final BlobHash HASH = BlobHash.of(new byte[32]);

  @TempDir Path folder;
  private HttpsServer server;
  private Path authority;

  @BeforeEach
  void serve() throws Exception {
    Path keys = folder.resolve("keys.p12");
    authority = folder.resolve("ca.pem");
    keytool(
        keys,
        "-genkeypair",
        "-keyalg",
        "EC",
        "-dname",
        "CN=localhost",
        "-ext",
        "san=dns:localhost");
    keytool(keys, "-exportcert", "-rfc", "-file", authority.toString());
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context(keys)));
    server.createContext("/", exchange -> exchange.sendResponseHeaders(404, -1));
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private static void keytool(Path keys, String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(options));
    command.addAll(
        List.of("-alias", "s", "-keystore", keys.toString(), "-storepass", new String(PASSWORD)));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).as(output).isZero();
  }

  private static SSLContext context(Path keys) throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(keys)) {
      store.load(in, PASSWORD);
    }
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(factory.getKeyManagers(), null, null);
    return context;
  }

  private HttpBlobs blobs(String host, @Nullable Path authorities) {
    return new HttpBlobs("https://" + host + ":" + server.getAddress().getPort(), "", authorities);
  }

  @Test
  void aServerOfTheNamedAuthorityIsTrusted() throws IOException {
    try (HttpBlobs blobs = blobs("localhost", authority)) {
      assertThat(blobs.open(HASH, 0)).isEmpty();
    }
  }

  @Test
  void withoutTheAuthorityTheRefusalNamesTheRemedy() {
    try (HttpBlobs blobs = blobs("localhost", null)) {
      assertThatThrownBy(() -> blobs.open(HASH, 0))
          .isInstanceOf(IOException.class)
          .hasMessage(
              "its certificate comes from an authority that is not trusted here; --ca names one");
    }
  }

  @Test
  void aPortWithTlsIsNoServerOfPlainHttp() {
    try (HttpBlobs blobs = new HttpBlobs("http://localhost:" + server.getAddress().getPort(), "")) {
      assertThatThrownBy(() -> blobs.open(HASH, 0))
          .isInstanceOf(IOException.class)
          .hasMessage(
              "expected an answer in HTTP, found other bytes; a port with TLS is named https://…");
    }
  }

  @Test
  void aServerThatIsNotThereIsSaidToBeAbsent() throws IOException {
    int free;
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = taken.getLocalPort();
    }
    try (HttpBlobs blobs = new HttpBlobs("http://127.0.0.1:" + free, "")) {
      assertThatThrownBy(() -> blobs.open(HASH, 0)).hasMessage("nothing answers at this address");
    }
    try (HttpBlobs blobs = new HttpBlobs("http://nowhere.invalid:80", "")) {
      assertThatThrownBy(() -> blobs.open(HASH, 0)).hasMessage("no address is known for this name");
    }
  }

  @Test
  void aCertificateForAnotherHostIsRefused() {
    try (HttpBlobs blobs = blobs("127.0.0.1", authority)) {
      assertThatThrownBy(() -> blobs.open(HASH, 0))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("its certificate is not for 127.0.0.1");
    }
  }

  @Test
  void aFileWithoutCertificatesIsRefused() throws IOException {
    Path empty = Files.writeString(folder.resolve("empty"), "");
    Path text = Files.writeString(folder.resolve("text"), "-----BEGIN CERTIFICATE-----\nxx\n");

    assertThatThrownBy(() -> PrivateAuthority.trusting(empty))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessageContaining("expected certificates in PEM");
    assertThatThrownBy(() -> PrivateAuthority.trusting(text))
        .isInstanceOf(StoreException.Invalid.class);
    assertThatThrownBy(() -> PrivateAuthority.trusting(folder.resolve("none")))
        .isInstanceOf(StoreException.Io.class);
  }
}
