// SPDX-License-Identifier: Apache-2.0
package dev.varve.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Native code that cannot be loaded stops the service at its start, not at the first request.
final class NativeCodeTest {

  @TempDir Path folder;

  private String start(String... options) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(ProcessHandle.current().info().command().orElseThrow());
    builder.command().addAll(java.util.List.of(options));
    builder
        .command()
        .addAll(
            java.util.List.of(
                "-cp",
                System.getProperty("java.class.path"),
                StartServer.class.getName(),
                folder.resolve("s").toString()));
    Process process = builder.redirectErrorStream(true).start();
    process.getOutputStream().close(); // it ends once it was ready
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return said;
  }

  @Test
  void aServiceWithoutAFolderForItsNativeCodeDoesNotStart()
      throws IOException, InterruptedException {
    assertThat(start("-Djava.io.tmpdir=" + folder.resolve("absent")))
        .contains("refused zstd: native code cannot be loaded")
        .doesNotContain("ready");
    assertThat(start()).contains("ready");
  }
}
