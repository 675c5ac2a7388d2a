// SPDX-License-Identifier: Apache-2.0
package dev.varve.folder;

import dev.varve.Durability;
import dev.varve.Store;
import dev.varve.StoreOptions;
import dev.varve.local.LocalStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// A store of a test, and how often it was opened.
public final class TestDoor implements StoreDoor {

  private static final StoreOptions OPTIONS =
      StoreOptions.DEFAULTS.withDurability(Durability.LET_THE_SYSTEM);

  private final Path folder;
  private int opened;

  public TestDoor(Path folder) {
    this.folder = folder;
  }

  @Override
  public Path folder() {
    return folder;
  }

  @Override
  public Store open() {
    opened++;
    return LocalStore.open(folder, OPTIONS);
  }

  @Override
  public Optional<Store> openIfThere() {
    return Files.exists(mark()) ? Optional.of(open()) : Optional.empty();
  }

  int opened() {
    return opened;
  }
}
