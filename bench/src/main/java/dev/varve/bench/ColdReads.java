// SPDX-License-Identifier: Apache-2.0
package dev.varve.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// The last 64 turns of contexts that nobody has read since the machine's memory forgot them: part
/// of [WireLoad].
///
/// The server is started anew, so that it remembers nothing, and the system is asked to forget the
/// store's pages (`dd oflag=nocache`), which it does where no process maps them.
final class ColdReads {

  private ColdReads() {}

  static void measure(int contexts, Path parent) throws Exception {
    Path folder = Folders.make(parent);
    try {
      List<Long> made = new ArrayList<>();
      try (WireServer server = WireServer.start("varve-unforced", folder, 0)) {
        for (int i = 0; i < contexts; i++) {
          try (WireClient client = new WireClient(server.address())) {
            long context = client.createContext();
            WireLoad.fill(client, context, i);
            made.add(context);
          }
        }
      }
      for (String what : List.of("cold", "warm to the system", "warm")) {
        boolean cold = what.equals("cold");
        if (cold) {
          forget(folder);
        }
        try (WireServer server = WireServer.start("varve", folder, 0);
            WireClient client = new WireClient(server.address())) {
          if (what.equals("warm")) {
            for (int round = 0; round < 20; round++) {
              read(client, made, false);
            }
          }
          long[] nanos = read(client, made, cold);
          System.out.printf(
              "GET_LAST %d, %s, 1 connection, %d contexts: first %.0f us, p50 %.0f us, p99 %.0f"
                  + " us%n",
              WireLoad.PAGE_TURNS,
              what,
              contexts,
              nanos[0] / 1e3,
              sorted(nanos)[nanos.length / 2] / 1e3,
              sorted(nanos)[(int) (nanos.length * 0.99)] / 1e3);
        }
      }
    } finally {
      Folders.delete(folder);
    }
  }

  /// Contexts far from each other one after the other, so that reading ahead helps little.
  private static long[] read(WireClient client, List<Long> contexts, boolean cold)
      throws IOException {
    long[] nanos = new long[contexts.size()];
    for (int i = 0; i < nanos.length; i++) {
      int at = (int) ((i * 7919L) % nanos.length);
      long start = System.nanoTime();
      int bytes = client.lastBytes(contexts.get(at), WireLoad.PAGE_TURNS);
      nanos[i] = System.nanoTime() - start;
      if (bytes < WireLoad.PAGE_TURNS * WireLoad.PAYLOAD_BYTES) {
        throw new AssertionError((cold ? "cold: " : "warm: ") + "a page is not whole");
      }
    }
    return nanos;
  }

  private static long[] sorted(long[] nanos) {
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    return sorted;
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
