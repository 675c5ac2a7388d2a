// SPDX-License-Identifier: Apache-2.0
package dev.varve.bench;

import dev.varve.CheckReport;
import dev.varve.ContextId;
import dev.varve.Payload;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.hash.Blake3;
import dev.varve.local.LocalStore;
import dev.varve.wire.BasicResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Clients append while the server is killed and started again at random; at the end everything
/// that was acknowledged must be there, once, where it was said to be.
///
/// `java -cp bench/target/bench.jar dev.varve.bench.WireSoak [--minutes 30] [--connections 8]
/// [--every 10] [--seed 1] [--folder DIR]`: a kill about every so many seconds.
final class WireSoak {

  /// An answer to a client, on which the client may rely.
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Noted(long context, long turn, int depth, byte[] hash) {}

  private final List<List<Noted>> journals = new ArrayList<>();
  private final AtomicBoolean stop = new AtomicBoolean();
  private final AtomicLong retries = new AtomicLong();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  private WireSoak() {}

  public static void main(String[] args) throws Exception {
    BenchOptions options = BenchOptions.of(args);
    new WireSoak()
        .run(
            options.folder(),
            options.get("minutes", 30.0),
            options.get("connections", 8),
            options.get("every", 10.0),
            options.get("seed", 1));
  }

  private void run(Path parent, double minutes, int connections, double every, long seed)
      throws Exception {
    Path folder = BenchFolders.make(parent);
    SplittableRandom random = new SplittableRandom(seed);
    WireServer server = WireServer.start("varve", folder, 0);
    int port = server.address().getPort();
    List<Thread> clients = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      List<Noted> journal = new ArrayList<>();
      journals.add(journal);
      int number = i;
      clients.add(Thread.ofVirtual().start(() -> client(port, number, journal)));
    }
    long end = System.nanoTime() + (long) (minutes * 60e9);
    int kills = 0;
    while (System.nanoTime() < end && failure.get() == null) {
      Thread.sleep((long) (every * 1000 * (0.2 + 1.6 * random.nextDouble())));
      server.kill();
      kills++;
      server = WireServer.start("varve", folder, port);
    }
    stop.set(true);
    for (Thread client : clients) {
      client.join();
    }
    server.close();
    if (failure.get() != null) {
      throw new AssertionError("a client failed", failure.get());
    }
    long compared = compare(folder);
    System.out.printf(
        "%.1f minutes, %d kills, %d appends acknowledged and found, %d repeated; the store is"
            + " sound%n",
        minutes, kills, compared, retries.get());
    BenchFolders.delete(folder);
  }

  /// Appends one after the other; what got no answer is sent again under its key until it gets one.
  private void client(int port, int number, List<Noted> journal) {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    WireClient client = null;
    long context = 0;
    int count = 0;
    while (!stop.get() && failure.get() == null) {
      try {
        if (client == null) {
          client = new WireClient(address);
        }
        if (context == 0) {
          context = client.createContext();
        }
        byte[] payload = WireLoad.payload(number + 1L, count, "mixed");
        Payload key = Payload.utf8(number + "/" + count);
        BasicResponse.Appended answer = client.append(context, payload, key);
        if (answer.depth() != count) {
          throw new AssertionError(
              "client " + number + ": turn " + count + " has depth " + answer.depth());
        }
        journal.add(new Noted(context, answer.turnId(), count, answer.contentHash().bytes()));
        count++;
      } catch (IOException e) {
        retries.incrementAndGet();
        close(client);
        client = null;
        LockSupport.parkNanos(20_000_000);
      } catch (Throwable e) {
        failure.compareAndSet(null, e);
      }
    }
    close(client);
  }

  private static void close(@Nullable WireClient client) {
    try {
      if (client != null) {
        client.close();
      }
    } catch (IOException e) {
      return; // it was lost anyway
    }
  }

  private long compare(Path folder) {
    long compared = 0;
    try (LocalStore store = LocalStore.open(folder, StoreOptions.DEFAULTS)) {
      CheckReport report = store.check();
      if (!report.sound()) {
        throw new AssertionError("damaged: " + report.problems());
      }
      for (List<Noted> journal : journals) {
        for (Noted noted : journal) {
          Turn turn = store.turn(new TurnId(noted.turn()), View.LATEST);
          Payload payload = turn.payload();
          boolean same =
              payload != null
                  && turn.context().equals(new ContextId(noted.context()))
                  && turn.depth() == noted.depth()
                  && Arrays.equals(Blake3.hash(payload.unsafeArray()).bytes(), noted.hash());
          if (!same) {
            throw new AssertionError("acknowledged " + noted + ", found " + turn);
          }
          compared++;
        }
        if (!journal.isEmpty()) {
          int headDepth = store.head(new ContextId(journal.getLast().context())).headDepth();
          if (headDepth > journal.size()) { // one may have been stored and not acknowledged
            throw new AssertionError("appended twice: " + headDepth + " of " + journal.size());
          }
        }
      }
    }
    return compared;
  }
}
