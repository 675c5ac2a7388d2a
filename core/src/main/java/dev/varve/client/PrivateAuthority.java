// SPDX-License-Identifier: Apache-2.0
package dev.varve.client;

import dev.varve.StoreException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// A certificate authority that issues the certificates of one's own servers.
public final class PrivateAuthority {

  private static final int SIZE_BYTES_MAX = 1 << 20;

  private PrivateAuthority() {}

  /// A TLS context that trusts the authorities of a file, and no others.
  ///
  /// @param file certificates in PEM, at most 1 MiB
  /// @throws StoreException.Invalid if the file holds no certificates
  /// @throws StoreException.Io if the file cannot be read
  public static SSLContext trusting(Path file) {
    try {
      KeyStore authorities = KeyStore.getInstance(KeyStore.getDefaultType());
      authorities.load(null, null);
      int number = 0;
      for (Certificate authority : certificates(file)) {
        authorities.setCertificateEntry("authority-" + number++, authority);
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(authorities);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("this JDK has no usable TLS", e);
    }
  }

  private static Collection<? extends Certificate> certificates(Path file) {
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(SIZE_BYTES_MAX + 1);
    } catch (IOException e) {
      throw new StoreException.Io(file.toString(), "cannot be read", e);
    }
    if (bytes.length > SIZE_BYTES_MAX) {
      throw new StoreException.TooLarge(file.toString(), bytes.length, SIZE_BYTES_MAX);
    }
    try {
      Collection<? extends Certificate> found =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(bytes));
      if (!found.isEmpty()) {
        return found;
      }
    } catch (CertificateException e) {
      // refused below: what the parser says means nothing to a user
    }
    throw new StoreException.Invalid(
        file.toString(), "expected certificates in PEM, found none that can be read");
  }
}
