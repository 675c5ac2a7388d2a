// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import dev.varve.ContextId;
import java.nio.file.Path;

/// A process that appends and indexes until it is killed.
final class KilledIndexer {

  private KilledIndexer() {}

  @SuppressWarnings("SystemOut")
  public static void main(String[] args) {
    try (FoundStore found = new FoundStore(Path.of(args[0]))) {
      ContextId context = found.store.createContext().id();
      for (int i = 0; i < 1_000_000; i++) {
        found.say(context, "user", "common word" + i);
        found.follow();
        System.out.println(i);
      }
    }
  }
}
