// SPDX-License-Identifier: Apache-2.0
package dev.varve.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// More peers than the process may have connections: the service goes on, and its log stays short.
final class OpenFileLimitTest {

  private static final int OPEN_FILES = 400;
  private static final int PATIENCE_MS = 60_000;

  @TempDir Path folder;
  private final List<Socket> peers = new ArrayList<>();

  private Socket peer(int port) throws IOException {
    Socket socket = new Socket("127.0.0.1", port);
    peers.add(socket);
    socket.setSoTimeout(PATIENCE_MS);
    return socket;
  }

  /// The level of the command, which drops what the HTTP library says of its start and its end.
  private Path warningsOnly() throws IOException {
    String settings =
        """
        .level = WARNING
        handlers = java.util.logging.ConsoleHandler
        """;
    return Files.writeString(folder.resolve("logging.properties"), settings);
  }

  @Test
  void aProcessWithFewDescriptorsGoesOn() throws IOException, InterruptedException {
    Path log = folder.resolve("log");
    Process process =
        new ProcessBuilder(
                "sh",
                "-c",
                "ulimit -n " + OPEN_FILES + " && exec \"$0\" \"$@\"",
                ProcessHandle.current().info().command().orElseThrow(),
                "--enable-native-access=ALL-UNNAMED", // the launcher's
                "-Djava.util.logging.config.file=" + warningsOnly(),
                "-cp",
                System.getProperty("java.class.path"),
                StartServer.class.getName(),
                folder.resolve("s").toString())
            .redirectError(log.toFile())
            .start();
    try (BufferedReader said =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      String[] ready = String.valueOf(said.readLine()).split(" ");
      assertThat(ready[0]).isEqualTo("ready");
      for (int i = 0; i < 2 * OPEN_FILES; i++) {
        peer(Integer.parseInt(ready[1 + i % 2]));
      }
      Socket client = peer(Integer.parseInt(ready[1]));
      client
          .getOutputStream()
          .write(
              "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.UTF_8));
      assertThat(client.getInputStream().read()).isEqualTo('H');
      // Beyond its places the binary port refuses, with an ERROR.
      assertThat(peer(Integer.parseInt(ready[2])).getInputStream().read()).isNotNegative();
      process.getOutputStream().close(); // ends it
      assertThat(process.waitFor()).isZero();
    } finally {
      process.destroyForcibly();
      for (Socket peer : peers) {
        peer.close();
      }
    }
    assertThat(Files.readAllLines(log))
        .anyMatch(line -> line.contains("the limit of open files"))
        .hasSizeLessThan(10);
  }
}
