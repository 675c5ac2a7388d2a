// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TlsFilesTest {

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"EC", "RSA", "Ed25519"})
  void everyKindOfKeyIsRead(String algorithm) {
    TestCertificate made = TestCertificate.make(folder, algorithm);

    assertThat(TlsFiles.context(made.certificates(), made.key())).isNotNull();
  }

  @Test
  void whatIsNoCertificateOrKeyIsRefused() throws IOException {
    TestCertificate made = TestCertificate.make(folder, "EC");
    Path nonsense = Files.writeString(folder.resolve("nonsense"), "nonsense");

    assertThatThrownBy(() -> TlsFiles.context(nonsense, made.key()))
        .isInstanceOf(StoreException.Invalid.class);
    assertThatThrownBy(() -> TlsFiles.context(made.certificates(), nonsense))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessageContaining("PKCS #8");
    assertThatThrownBy(() -> TlsFiles.context(folder.resolve("none"), made.key()))
        .isInstanceOf(StoreException.Io.class);
  }

  @Test
  void aKeyOfAnotherKindThanTheCertificateIsRefused() throws IOException {
    TestCertificate ec = TestCertificate.make(Files.createDirectory(folder.resolve("a")), "EC");
    TestCertificate rsa = TestCertificate.make(Files.createDirectory(folder.resolve("b")), "RSA");

    assertThatThrownBy(() -> TlsFiles.context(ec.certificates(), rsa.key()))
        .isInstanceOf(StoreException.Invalid.class);
  }
}
