// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ServiceAddressTest {

  @TempDir Path folder;
  private ServiceAddress address;
  private Path file;

  @BeforeEach
  void name() {
    address = ServiceAddress.in(folder);
    file = folder.resolve("service.http");
  }

  @Test
  void theAddressIsWrittenForTheStoresUserOnlyAndTakenAwayAgain() throws Exception {
    Files.writeString(file, "left by a service that was killed");

    address.write("http://127.0.0.1:9010");

    assertThat(address.read()).contains("http://127.0.0.1:9010");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    address.delete("http://127.0.0.1:9011");
    assertThat(file).exists();
    address.delete("http://127.0.0.1:9010");
    assertThat(file).doesNotExist();
    assertThat(address.read()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "file:///etc/passwd", "http://a b", "http://a/\u001b[31m"})
  void anythingElseIsNoAddress(String text) throws Exception {
    Files.writeString(file, text);

    assertThat(address.read()).isEmpty();
  }

  @Test
  @Timeout(value = 30, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aPipeIsNotWaitedFor() throws Exception {
    assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor()).isZero();

    assertThat(address.read()).isEmpty();
  }

  @Test
  void aFolderThatTakesNoFileIsNoReasonNotToServe() {
    ServiceAddress.in(folder.resolve("none")).write("http://127.0.0.1:9010");

    assertThat(folder.resolve("none")).doesNotExist();
  }
}
