// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The real command, serving a store in a process of its own on ports that the system gives.
public final class ServiceProcess {

  private ServiceProcess() {}

  /// Starts the service, and returns once it is ready. Nobody reads its standard output.
  ///
  /// @param talk the file that takes what the service says on standard error
  public static Process startReady(Path store, Path talk) throws IOException {
    Process service = start(store, talk);
    assertThat(service.inputReader().readLine())
        .as(Files.readString(talk))
        .contains("\"event\":\"ready\"");
    return service;
  }

  /// Starts the service. Its first line on standard output says that it is ready, and where.
  ///
  /// @param talk the file that takes what the service says on standard error
  /// @param more options
  public static Process start(Path store, Path talk, String... more) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.varve.cli.Main",
                "serve",
                "--json",
                "--store",
                store.toString(),
                "--http",
                "127.0.0.1:0",
                "--binary",
                "127.0.0.1:0"));
    command.addAll(List.of(more));
    return new ProcessBuilder(command).redirectError(talk.toFile()).start();
  }
}
