// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.tls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// A certificate for `localhost` that vouches for itself, made by the JDK's `keytool`.
///
/// @param trusting what a client needs to believe it
public record TestCertificate(Path certificates, Path key, SSLContext trusting) {

  private static final char[] PASSWORD = "changeit".toCharArray();

  /// @param algorithm `EC`, `RSA`, `Ed25519`
  public static TestCertificate make(Path folder, String algorithm) {
    try {
      Path store = folder.resolve("keys.p12");
      Process keytool =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                  "-genkeypair",
                  "-alias",
                  "s",
                  "-keyalg",
                  algorithm,
                  "-dname",
                  "CN=localhost",
                  "-ext",
                  "san=dns:localhost,ip:127.0.0.1",
                  "-storetype",
                  "PKCS12",
                  "-keystore",
                  store.toString(),
                  "-storepass",
                  "changeit")
              .redirectErrorStream(true)
              .start();
      String said = new String(keytool.getInputStream().readAllBytes());
      if (keytool.waitFor() != 0) {
        throw new AssertionError(said);
      }
      KeyStore keys = KeyStore.getInstance("PKCS12");
      try (InputStream in = Files.newInputStream(store)) {
        keys.load(in, PASSWORD);
      }
      Certificate certificate = keys.getCertificate("s");
      Key key = keys.getKey("s", PASSWORD);
      return new TestCertificate(
          pem(folder.resolve("cert.pem"), "CERTIFICATE", certificate.getEncoded()),
          pem(folder.resolve("key.pem"), "PRIVATE KEY", key.getEncoded()),
          trusting(certificate));
    } catch (IOException | GeneralSecurityException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static SSLContext trusting(Certificate certificate)
      throws IOException, GeneralSecurityException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("s", certificate);
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  private static Path pem(Path file, String what, byte[] der) throws IOException {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return Files.writeString(
        file, "-----BEGIN " + what + "-----\n" + body + "\n-----END " + what + "-----\n");
  }
}
