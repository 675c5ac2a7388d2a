// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.store;

import dev.varve.Durability;
import dev.varve.StoreOptions;
import dev.varve.cli.Call;
import dev.varve.cli.demo.DemoConversation;
import dev.varve.disk.LocalDisk;
import dev.varve.local.LocalStore;
import dev.varve.local.StoreGeometry;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;

/// The conversation of `varve demo`, written two hours before the calls of [Call].
public final class DemoStore {

  static final Instant WRITTEN = Instant.parse("2026-01-05T10:00:00Z");

  private DemoStore() {}

  public static Path in(Path folder) {
    Path store = folder.resolve("store");
    try (LocalStore local =
        LocalStore.open(
            LocalDisk.open(store),
            StoreOptions.DEFAULTS.withDurability(Durability.LET_THE_SYSTEM),
            InstantSource.fixed(WRITTEN),
            StoreGeometry.DEFAULTS)) {
      DemoConversation.write(local);
    }
    return store;
  }
}
