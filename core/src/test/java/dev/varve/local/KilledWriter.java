// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Durability;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.disk.LocalDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.SplittableRandom;

/// A process that appends to a store until it is killed, with several threads, and says of each
/// append that it was acknowledged: the number of the turn, its context and its payload's hash in
/// one line.
final class KilledWriter {

  private static final int THREADS = 3;

  private KilledWriter() {}

  public static void main(String[] args) {
    LocalStore store = open(Path.of(args[0]), Durability.valueOf(args[1]));
    long seed = Long.parseLong(args[2]);
    for (int thread = 0; thread < THREADS; thread++) {
      SplittableRandom random = new SplittableRandom(seed * THREADS + thread);
      Thread.ofPlatform().start(() -> append(store, random));
    }
  }

  static LocalStore open(Path folder, Durability durability) {
    return LocalStore.open(
        LocalDisk.open(folder),
        StoreOptions.DEFAULTS.withDurability(durability),
        InstantSource.system(),
        PowerCutStoreTest.SMALL);
  }

  private static void append(LocalStore store, SplittableRandom random) {
    ContextId context = store.createContext().id();
    while (true) {
      byte[] bytes = new byte[random.nextInt(3000)];
      random.nextBytes(bytes);
      Turn turn =
          store.append(
              context,
              NewTurn.of(Payload.wrap(bytes), new DeclaredType("killed.Line", 1), Encoding.JSON));
      String line = turn.id() + " " + context + " " + turn.payloadHash() + "\n";
      synchronized (System.out) {
        System.out.print(line);
        System.out.flush();
      }
    }
  }

  static Process start(Path folder, Durability durability, long seed) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xshare:auto",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            KilledWriter.class.getName(),
            folder.toString(),
            durability.name(),
            Long.toString(seed))
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }
}
