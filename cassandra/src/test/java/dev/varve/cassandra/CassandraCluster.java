// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.cassandra.cql.CassandraAddress;
import dev.varve.cassandra.cql.SharedDriver;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Nodes of Cassandra of the tests' own, in a temporary folder, on loopback addresses. They end
/// with the JVM.
///
/// `CASSANDRA_LIB` names a folder with the jars of a node, `CASSANDRA_JAVA` a Java that runs them.
/// If `CASSANDRA_RUNNING` names a node that runs already, the shared cluster is that node.
final class CassandraCluster {

  private static final String[] TOKENS = {
    "-9223372036854775808", "-3074457345618258603", "3074457345618258602"
  };

  private static final AtomicInteger STORES = new AtomicInteger();
  private static final String RUN = Long.toHexString(System.nanoTime());

  private static @Nullable CassandraCluster shared;

  private final Path folder;
  private final String network;
  private final List<@Nullable Process> nodes = new ArrayList<>();
  private final int size;

  private CassandraCluster(Path folder, String network, int size) {
    this.folder = folder;
    this.network = network;
    this.size = size;
  }

  /// The single node that all tests of this JVM share, with the tables of stores.
  static synchronized CassandraCluster shared() {
    CassandraCluster cluster = shared;
    if (cluster == null) {
      String running = System.getenv("CASSANDRA_RUNNING");
      cluster =
          running == null
              ? start(1)
              : new CassandraCluster(
                  Path.of("."), running.substring(0, running.lastIndexOf('.')), 1);
      CassandraStore.prepare(cluster.freshStore(), "dc1=1");
      SharedDriver.open(cluster.freshStore()); // never closed: the stores of all tests share it
      shared = cluster;
    }
    return cluster;
  }

  /// Starts nodes, of which the caller may kill some.
  static CassandraCluster start(int size) {
    try {
      String network =
          "127.%d.%d"
              .formatted(
                  ThreadLocalRandom.current().nextInt(1, 250),
                  ThreadLocalRandom.current().nextInt(1, 250));
      CassandraCluster cluster =
          new CassandraCluster(Files.createTempDirectory("varve-cassandra"), network, size);
      Runtime.getRuntime().addShutdownHook(new Thread(cluster::remove));
      for (int node = 1; node <= size; node++) {
        cluster.nodes.add(null);
        cluster.launch(node);
      }
      for (int node = 1; node <= size; node++) {
        cluster.awaitReady(node);
      }
      return cluster;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // ---- nodes

  /// Starts a node that has ended.
  void restart(int node) {
    launch(node);
  }

  private void launch(int node) {
    try {
      Path home = folder.resolve("n" + node);
      Path conf = Files.createDirectories(home.resolve("conf"));
      Files.createDirectories(home.resolve("tmp"));
      Files.writeString(conf.resolve("cassandra.yaml"), yaml(node, home));
      Files.writeString(
          conf.resolve("cassandra-rackdc.properties"), "dc=dc1\nrack=r%d\n".formatted(node));
      Files.writeString(conf.resolve("logback.xml"), resource("logback-node.xml"));
      List<String> command = new ArrayList<>();
      command.add(required("CASSANDRA_JAVA"));
      resource("node.options").lines().filter(line -> !line.isBlank()).forEach(command::add);
      command.add("-javaagent:" + jar("jamm-"));
      command.add("-Djava.io.tmpdir=" + home.resolve("tmp"));
      command.add("-Djna.tmpdir=" + home.resolve("tmp"));
      command.add("-Dcassandra.config=file://" + conf.resolve("cassandra.yaml"));
      command.add("-Dcassandra.storagedir=" + home);
      command.add("-Dcassandra.logdir=" + home);
      command.add("-cp");
      command.add(conf + ":" + required("CASSANDRA_LIB") + "/*");
      command.add("org.apache.cassandra.service.CassandraDaemon");
      nodes.set(
          node - 1,
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log(node).toFile()))
              .start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path log(int node) {
    return folder.resolve("n" + node).resolve("out.log");
  }

  private String yaml(int node, Path home) {
    StringBuilder seeds = new StringBuilder();
    for (int i = 1; i <= size; i++) {
      seeds.append(i == 1 ? "" : ",").append(network).append('.').append(i).append(":7000");
    }
    return resource("node.yaml")
        .replace("@TOKEN@", TOKENS[node - 1])
        .replace("@ADDRESS@", network + "." + node)
        .replace("@SEEDS@", seeds)
        .replace("@HOME@", home.toString());
  }

  /// Waits until a node answers clients.
  void awaitReady(int node) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(180);
    while (!isReady(node)) {
      Process process = nodes.get(node - 1);
      boolean isAlive = process != null && process.isAlive() && System.nanoTime() < end;
      assertThat(isAlive).as(() -> "node %d: %s".formatted(node, tail(node))).isTrue();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
    }
  }

  private String tail(int node) {
    try {
      List<String> lines = Files.readAllLines(log(node));
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size()));
    } catch (IOException e) {
      return e.toString();
    }
  }

  private boolean isReady(int node) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(network + "." + node, 9042), 1000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /// Ends a node at once, as `kill -9` does.
  void kill(int node) {
    Process process = nodes.get(node - 1);
    if (process != null) {
      process.destroyForcibly().onExit().join();
    }
  }

  /// Stops or continues a node: `STOP` or `CONT`.
  void signal(int node, String signal) {
    Process process = nodes.get(node - 1);
    if (process != null) {
      try {
        new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
            .inheritIO()
            .start()
            .onExit()
            .join();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void remove() {
    for (int node = 1; node <= nodes.size(); node++) {
      kill(node);
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // ---- addresses

  /// The address of a store that nobody has used yet.
  CassandraAddress freshStore() {
    return CassandraAddress.parse(url(RUN + "-" + STORES.incrementAndGet()));
  }

  String url(String store) {
    StringBuilder hosts = new StringBuilder();
    for (int i = 1; i <= size; i++) {
      hosts.append(i == 1 ? "" : ",").append(network).append('.').append(i);
    }
    return "cassandra://%s/varve_test?dc=dc1&store=%s".formatted(hosts, store);
  }

  // ---- files

  private static String jar(String prefix) throws IOException {
    try (Stream<Path> jars = Files.list(Path.of(required("CASSANDRA_LIB")))) {
      return jars.filter(jar -> jar.getFileName().toString().startsWith(prefix))
          .findFirst()
          .orElseThrow()
          .toString();
    }
  }

  private static String required(String variable) {
    return Map.copyOf(System.getenv()).getOrDefault(variable, "not set: " + variable);
  }

  private static String resource(String name) {
    try (InputStream in = CassandraCluster.class.getResourceAsStream(name)) {
      assertThat(in).as(name).isNotNull();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
