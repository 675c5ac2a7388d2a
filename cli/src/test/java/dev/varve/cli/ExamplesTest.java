// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.StoreOptions;
import dev.varve.local.LocalStore;
import dev.varve.server.Server;
import dev.varve.server.ServerConfig;
import dev.varve.server.types.TypeBundleFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Each program in `examples` runs as it is, and prints what it says.
final class ExamplesTest {

  private static final Path EXAMPLES = Path.of(System.getProperty("root.dir"), "examples");
  private static final String PRINTS = "// Prints:";

  @TempDir Path folder;

  static List<String> programs() throws IOException {
    try (Stream<Path> files = Files.list(EXAMPLES)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".java"))
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("programs")
  void itPrintsWhatItSays(String name) throws Exception {
    Path program = EXAMPLES.resolve(name);
    List<String> lines = Files.readAllLines(program);
    assertThat(lines).contains(PRINTS);
    String promised =
        lines.stream()
            .skip(lines.indexOf(PRINTS) + 1L)
            .takeWhile(line -> line.startsWith("//   "))
            .map(line -> line.substring("//   ".length()) + "\n")
            .collect(Collectors.joining());
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    LocalStore store = LocalStore.open(folder.resolve("served"), StoreOptions.DEFAULTS);
    try (Server server =
        Server.start(
            store,
            TypeBundleFiles.of(folder.resolve("served")),
            ServerConfig.DEFAULTS.withHttp(any).withBinary(any),
            "test",
            InstantSource.system())) {
      boolean remote = Files.readString(program).contains("RemoteStore");
      Shell.Result result =
          Shell.java(
              program,
              remote
                  ? Integer.toString(server.binaryAddress().getPort())
                  : folder.resolve("data").toString());

      assertThat(result.out()).as(result.err()).isEqualTo(promised).isNotEmpty();
    }
  }
}
