// SPDX-License-Identifier: Apache-2.0
package dev.varve.bench;

import dev.varve.Durability;
import dev.varve.StoreOptions;
import dev.varve.hash.Blake3Acceleration;
import dev.varve.local.LocalStore;
import dev.varve.server.access.Authenticator;
import dev.varve.server.binary.BinaryLimits;
import dev.varve.server.binary.BinaryPort;
import dev.varve.server.binary.BinaryService;
import dev.varve.server.events.EventListener;
import dev.varve.server.logs.LogConfig;
import dev.varve.server.logs.ServiceLogs;
import dev.varve.server.metrics.RequestMeter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/// A server in a process of its own, so that its memory and its processor time are its own.
///
/// As a program: `WireServer KIND FOLDER PORT`, with kinds `varve`, `varve-unforced`, `bare`,
/// `bare-unforced`; `-logged` behind the name of Varve adds an access log on the store's disk.
/// Prints its port; ends when its input does.
final class WireServer implements AutoCloseable {

  private final Process process;
  private final InetSocketAddress address;

  private WireServer(Process process, InetSocketAddress address) {
    this.process = process;
    this.address = address;
  }

  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[1]);
    int port = Integer.parseInt(args[2]);
    Blake3Acceleration.tryNow();
    switch (args[0]) {
      case "bare", "bare-unforced" -> {
        try (BarePipeline bare = new BarePipeline(folder, args[0].equals("bare"))) {
          serve(bare.port());
        }
      }
      default -> {
        Durability durability =
            args[0].contains("unforced") ? Durability.LET_THE_SYSTEM : Durability.FORCE_GROUPED;
        LogConfig logged =
            args[0].endsWith("-logged")
                ? LogConfig.NONE.withAccess(folder.resolve("access.log"))
                : LogConfig.NONE;
        InetSocketAddress at = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try (LocalStore store =
                LocalStore.open(folder, StoreOptions.DEFAULTS.withDurability(durability));
            ServiceLogs logs = ServiceLogs.open(logged, InstantSource.system());
            BinaryPort open =
                BinaryPort.open(service(store, logs), at, BinaryLimits.DEFAULTS, null)) {
          serve(open.address().getPort());
        }
      }
    }
  }

  private static BinaryService service(LocalStore store, ServiceLogs logs) {
    return new BinaryService(
        store, Authenticator.OPEN, logs, EventListener.NONE, RequestMeter.NONE);
  }

  private static void serve(int port) throws IOException {
    System.out.println(port);
    System.in.transferTo(OutputStream.nullOutputStream()); // until whoever started it is gone
  }

  /// Starts one.
  static WireServer start(String kind, Path folder, int port) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx1g",
                "-cp",
                System.getProperty("java.class.path")));
    if (ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent()) {
      command.add(1, "--add-modules=jdk.incubator.vector");
    }
    command.addAll(
        List.of(WireServer.class.getName(), kind, folder.toString(), Integer.toString(port)));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String line = out.readLine();
    if (line == null) {
      throw new IOException(kind + " does not start");
    }
    return new WireServer(
        process,
        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(line.strip())));
  }

  InetSocketAddress address() {
    return address;
  }

  /// The CPU time that the process has used so far, on all its threads.
  long cpuNanos() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
  }

  long pid() {
    return process.pid();
  }

  /// As `kill -9` does.
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    process.onExit().join();
  }
}
