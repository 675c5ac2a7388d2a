// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import dev.varve.ContextId;
import java.nio.file.Path;
import java.time.Duration;

/// A process that appends and indexes until it is killed.
final class KilledIndexer {

  private static final CommitRhythm OFTEN =
      new CommitRhythm(Duration.ofMillis(100), Duration.ofMillis(100), 10);

  private KilledIndexer() {}

  @SuppressWarnings("SystemOut")
  public static void main(String[] args) {
    try (FoundStore found = new FoundStore(Path.of(args[0]))) {
      found.search.close();
      found.search = StoreSearch.open(found.folder, found.store, OFTEN, null);
      ContextId context = found.store.createContext().id();
      for (int i = 0; i < 1_000_000; i++) {
        found.say(context, "user", "common word" + i);
        found.follow();
        System.out.println(i);
      }
    }
  }
}
