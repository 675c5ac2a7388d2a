// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.tls;

import dev.varve.StoreException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/// A certificate chain and its private key, both PEM files (RFC 7468), as every authority and tool
/// hands them out.
public final class TlsFiles {

  private static final long SIZE_BYTES_MAX = 1 << 20;
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

  private TlsFiles() {}

  /// What a port needs to speak TLS.
  ///
  /// @param certificates the server's own certificate first, then those that vouch for it
  /// @param key PKCS #8, not encrypted: RSA, EC or EdDSA
  /// @throws StoreException.Invalid if a file holds something else, or they do not belong together
  public static SSLContext context(Path certificates, Path key) {
    Certificate[] chain = chain(certificates);
    PrivateKey secret = key(key, chain[0].getPublicKey().getAlgorithm());
    try {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(null, null);
      keys.setKeyEntry("server", secret, new char[0], chain);
      KeyManagerFactory managers =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      managers.init(keys, new char[0]);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(managers.getKeyManagers(), null, null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new StoreException.Invalid(key.toString(), String.valueOf(e.getMessage()));
    }
  }

  private static Certificate[] chain(Path file) {
    try {
      Collection<? extends Certificate> chain =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(read(file)));
      if (chain.isEmpty()) {
        throw new StoreException.Invalid(file.toString(), "expected a certificate, found none");
      }
      return chain.toArray(Certificate[]::new);
    } catch (CertificateException e) {
      throw new StoreException.Invalid(file.toString(), "expected certificates: " + e.getMessage());
    }
  }

  private static PrivateKey key(Path file, String algorithm) {
    Matcher pem = KEY.matcher(new String(read(file), StandardCharsets.US_ASCII));
    if (!pem.find()) {
      throw new StoreException.Invalid(
          file.toString(),
          "expected a private key as PKCS #8 ('BEGIN PRIVATE KEY'), not encrypted");
    }
    try {
      byte[] der = Base64.getMimeDecoder().decode(pem.group(1));
      return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(der));
    } catch (InvalidKeySpecException | IllegalArgumentException e) {
      throw new StoreException.Invalid(
          file.toString(), "no key of the certificate's kind (" + algorithm + ")");
    } catch (GeneralSecurityException e) {
      throw new StoreException.Invalid(file.toString(), String.valueOf(e.getMessage()));
    }
  }

  private static byte[] read(Path file) {
    try {
      if (Files.size(file) > SIZE_BYTES_MAX) {
        throw new StoreException.TooLarge(file.toString(), Files.size(file), SIZE_BYTES_MAX);
      }
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new StoreException.Io(file.toString(), "cannot be read", e);
    }
  }
}
