// SPDX-License-Identifier: Apache-2.0
package dev.varve.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// The last 64 turns of contexts that nobody has read since the server was started: part of
/// [WireLoad].
///
/// First with the store's files in the system's memory, then after the system was asked to forget
/// them (`dd oflag=nocache`). Other contexts are read before, again and again, until the server's
/// code is compiled. What the machine below a virtual disk remembers cannot be asked to be
/// forgotten.
final class ColdReads {

  /// The number of times that the other contexts are read before.
  private static final int WARM_ROUNDS = 40;

  private ColdReads() {}

  static void measure(int contexts, Path parent) throws Exception {
    Path folder = BenchFolders.make(parent);
    try {
      List<Long> made = new ArrayList<>();
      try (WireServer server = WireServer.start("varve-unforced", folder, 0)) {
        for (int i = 0; i < 2 * contexts; i++) {
          try (WireClient client = new WireClient(server.address())) {
            long context = client.createContext();
            WireLoad.fill(client, context, i);
            made.add(context);
          }
        }
      }
      for (boolean cold : new boolean[] {false, true}) {
        if (cold) {
          forget(folder);
        }
        try (WireServer server = WireServer.start("varve", folder, 0);
            WireClient client = new WireClient(server.address())) {
          for (int round = 0; round < WARM_ROUNDS; round++) {
            read(client, made.subList(contexts, 2 * contexts));
          }
          long[] nanos = read(client, made.subList(0, contexts));
          Arrays.sort(nanos);
          System.out.printf(
              "GET_LAST %d, %s, 1 connection, %d contexts: p50 %.0f us, p99 %.0f us%n",
              WireLoad.PAGE_TURNS,
              cold ? "from the disk" : "from the system's memory",
              contexts,
              nanos[contexts / 2] / 1e3,
              nanos[(int) (contexts * 0.99)] / 1e3);
        }
      }
    } finally {
      BenchFolders.delete(folder);
    }
  }

  /// Contexts far from each other one after the other, so that reading ahead helps little.
  private static long[] read(WireClient client, List<Long> contexts) throws IOException {
    long[] nanos = new long[contexts.size()];
    for (int i = 0; i < nanos.length; i++) {
      int at = (int) ((i * 7919L) % nanos.length);
      long start = System.nanoTime();
      int bytes = client.lastBytes(contexts.get(at), WireLoad.PAGE_TURNS);
      nanos[i] = System.nanoTime() - start;
      if (bytes < WireLoad.PAGE_TURNS * WireLoad.PAYLOAD_BYTES) {
        throw new AssertionError("a page is not whole");
      }
    }
    return nanos;
  }

  private static void forget(Path folder) throws IOException, InterruptedException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        run("sync", file.toString());
        run("dd", "of=" + file, "oflag=nocache", "conv=notrunc,fdatasync", "count=0");
      }
    }
  }

  private static void run(String... command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + " failed");
    }
  }
}
