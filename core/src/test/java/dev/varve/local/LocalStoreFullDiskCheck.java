// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.View;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// Fills a real file system that is given as argument (a small one that exists for this) with a
/// store, twice, and says `ok` if nothing acknowledged is lost, reads go on, and writing resumes
/// once there is room. A program, not a test, because a build cannot mount one.
final class LocalStoreFullDiskCheck {

  private static final int PAYLOAD_BYTES = 10_000;

  private final Path folder;
  private final Path ballast;
  private final SplittableRandom random = new SplittableRandom(1);
  private final List<Turn> acknowledged = new ArrayList<>();

  private LocalStoreFullDiskCheck(Path mounted) {
    folder = mounted.resolve("store");
    ballast = mounted.resolve("ballast");
  }

  public static void main(String[] args) throws IOException {
    Path mounted = Path.of(args[0]);
    if (Files.getFileStore(mounted).getUsableSpace() > 128 << 20) {
      throw new IllegalArgumentException(mounted + " has room for more than 128 MiB");
    }
    new LocalStoreFullDiskCheck(mounted).run();
  }

  private void run() throws IOException {
    for (int round = 0; round < 2; round++) {
      Files.write(ballast, new byte[4 << 20]);
      fill();
      readWhileFull();
      Files.delete(ballast);
      try (LocalStore store = open()) {
        checkAll(store);
        append(store, store.createContext().id());
        check(store.check().sound(), "a sound store after round " + round);
      }
    }
    System.out.println("ok: " + acknowledged.size() + " turns, none lost");
  }

  private LocalStore open() {
    return LocalStore.open(folder, StoreOptions.DEFAULTS.withBlobCacheBytes(0));
  }

  private void append(LocalStore store, ContextId context) {
    byte[] bytes = new byte[PAYLOAD_BYTES];
    random.nextBytes(bytes);
    acknowledged.add(
        store.append(
            context, NewTurn.of(Payload.wrap(bytes), new DeclaredType("full", 1), Encoding.JSON)));
  }

  private void fill() {
    LocalStore store = open();
    try {
      ContextId context = store.createContext().id();
      while (true) {
        append(store, context);
      }
    } catch (StoreException.Full expected) {
      checkAll(store);
      refuses(store);
    } finally {
      try {
        store.close();
      } catch (StoreException.Full | StoreException.Io e) {
        // said so; the next opening finds all
      }
    }
  }

  private static void refuses(LocalStore store) {
    try {
      store.createContext();
    } catch (StoreException.Full expected) {
      return;
    }
    throw new AssertionError("expected: refused until it is opened again");
  }

  private void readWhileFull() {
    try (LocalStore store = open()) {
      checkAll(store);
    } catch (StoreException.Full e) {
      // too full even for that, and said so
    }
  }

  private void checkAll(LocalStore store) {
    for (Turn turn : acknowledged) {
      Turn found = store.turn(turn.id(), View.AS_WRITTEN);
      check(found.payloadHash().equals(turn.payloadHash()), "turn " + turn.id());
      check(found.payload() != null, "payload of turn " + turn.id());
    }
  }

  private static void check(boolean is, String what) {
    if (!is) {
      throw new AssertionError("expected: " + what);
    }
  }
}
