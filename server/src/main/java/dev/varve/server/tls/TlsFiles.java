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
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/// A certificate chain and its private key, both PEM files (RFC 7468), as every authority and tool
/// issues them.
public final class TlsFiles {

  private static final long SIZE_BYTES_MAX = 1 << 20;
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

  private TlsFiles() {}

  /// The content of the files.
  ///
  /// @param key identifies this content among others
  record Loaded(SSLContext context, List<Certificate> chain, PrivateKey key) {

    boolean isSameAs(Loaded other) {
      return chain.equals(other.chain) && key.equals(other.key);
    }

    /// The end of the first certificate's validity.
    Instant expiry() {
      return chain.getFirst() instanceof X509Certificate own
          ? own.getNotAfter().toInstant()
          : Instant.MAX;
    }
  }

  /// The SSL context for a port.
  ///
  /// @param certificates the server's own certificate first, then its issuers
  /// @param key PKCS #8, not encrypted: RSA, EC or EdDSA
  /// @throws StoreException.Invalid if a file holds something else, or the files do not belong
  ///   together
  public static SSLContext context(Path certificates, Path key) {
    return load(certificates, key).context();
  }

  static Loaded load(Path certificates, Path key) {
    Certificate[] chain = chain(certificates);
    PrivateKey secret = key(key, chain[0].getPublicKey().getAlgorithm());
    requirePair(key, secret, chain[0].getPublicKey());
    try {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(null, null);
      keys.setKeyEntry("server", secret, new char[0], chain);
      KeyManagerFactory managers =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      managers.init(keys, new char[0]);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(managers.getKeyManagers(), null, null);
      return new Loaded(context, List.of(chain), secret);
    } catch (GeneralSecurityException | IOException e) {
      throw new StoreException.Invalid(key.toString(), String.valueOf(e.getMessage()));
    }
  }

  /// Checks that key and certificate belong together. With a foreign key of the right kind every
  /// connection would fail, without a reason in any log.
  private static void requirePair(Path file, PrivateKey key, PublicKey certified) {
    String algorithm =
        switch (key.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> key.getAlgorithm();
        };
    try {
      byte[] said = {1, 2, 3};
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(key);
      signature.update(said);
      byte[] signed = signature.sign();
      signature.initVerify(certified);
      signature.update(said);
      if (signature.verify(signed)) {
        return;
      }
    } catch (GeneralSecurityException e) {
      throw new StoreException.Invalid(
          file.toString(), "cannot be used with the certificate: " + e.getMessage());
    }
    throw new StoreException.Invalid(file.toString(), "not the key of the first certificate");
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
