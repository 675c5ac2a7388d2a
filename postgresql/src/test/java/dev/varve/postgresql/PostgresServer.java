// SPDX-License-Identifier: Apache-2.0
package dev.varve.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A PostgreSQL of the tests' own, in a temporary folder, on loopback. Ends with the JVM.
final class PostgresServer {

  private static @Nullable PostgresServer shared;

  private final Path programs;
  private final Path folder;
  private final int port;
  private final AtomicInteger schemas = new AtomicInteger();

  private PostgresServer(Path programs, Path folder, int port) {
    this.programs = programs;
    this.folder = folder;
    this.port = port;
  }

  /// The server that all tests of this JVM share.
  static synchronized PostgresServer shared() {
    PostgresServer server = shared;
    if (server == null) {
      server = start();
      shared = server;
    }
    return server;
  }

  /// A server of the caller's own, which may be killed.
  static PostgresServer start() {
    try {
      Path folder = Files.createTempDirectory("varve-postgresql");
      int port;
      try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        port = free.getLocalPort();
      }
      PostgresServer server = new PostgresServer(programs(), folder, port);
      if (isRoot()) {
        run(List.of("chown", "postgres", folder.toString()));
      }
      server.run("initdb", "-D", server.data(), "-U", "varve", "-A", "trust", "-E", "UTF8");
      server.restart();
      Runtime.getRuntime().addShutdownHook(new Thread(server::remove));
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  /// The newest PostgreSQL of this machine.
  private static Path programs() throws IOException {
    String named = System.getenv("PG_BIN");
    if (named != null) {
      return Path.of(named);
    }
    try (Stream<Path> versions = Files.list(Path.of("/usr/lib/postgresql"))) {
      return versions
          .map(version -> version.resolve("bin"))
          .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
          .max(Comparator.comparing(Path::toString))
          .orElseThrow();
    }
  }

  private String data() {
    return folder.resolve("data").toString();
  }

  /// The folder of the files in which the tables of all databases lie.
  Path tables() {
    return folder.resolve("data").resolve("base");
  }

  /// Starts the server, which has ended.
  void restart() {
    String options =
        "-c listen_addresses=127.0.0.1 -c port=%d -c unix_socket_directories='' -c max_connections=200"
            .formatted(port);
    run(
        "pg_ctl",
        "-D",
        data(),
        "-w",
        "-t",
        "60",
        "-l",
        folder.resolve("log").toString(),
        "-o",
        options,
        "start");
  }

  /// Ends the server as a lost power supply would: no session is told, nothing is written.
  void kill() {
    run("pg_ctl", "-D", data(), "-m", "immediate", "-w", "stop");
  }

  private void run(String program, String... arguments) {
    List<String> command = new ArrayList<>();
    if (isRoot()) { // a server refuses to run as root
      command.addAll(List.of("runuser", "-u", "postgres", "--"));
    }
    command.add(programs.resolve(program).toString());
    command.addAll(List.of(arguments));
    run(command);
  }

  private static void run(List<String> command) {
    try {
      Path output = Files.createTempFile("varve-postgresql", ".out");
      Process process =
          new ProcessBuilder(command)
              .directory(Path.of("/").toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      int status = process.waitFor();
      assertThat(status).as("%s%n%s", command, Files.readString(output)).isZero();
      Files.delete(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void remove() {
    kill();
    run(List.of("rm", "-rf", folder.toString()));
  }

  /// The address of a schema that nothing has used yet.
  PostgresAddress freshSchema() {
    return address("test_" + schemas.incrementAndGet());
  }

  PostgresAddress address(String schema) {
    return PostgresAddress.parse(url(schema));
  }

  String url(String schema) {
    return "postgresql://varve@127.0.0.1:%d/postgres?schema=%s".formatted(port, schema);
  }
}
