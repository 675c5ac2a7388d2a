// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.Store;
import dev.varve.folder.StoreDoor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// The command's store, for snapshots of folders.
final class RewindStore implements StoreDoor {

  private final Varve varve;

  RewindStore(Varve varve) {
    this.varve = varve;
  }

  @Override
  public Path folder() {
    return varve.storeFolder().toAbsolutePath();
  }

  @Override
  public Store open() {
    return varve.open();
  }

  @Override
  public Optional<Store> openIfThere() {
    return Files.exists(mark()) ? Optional.of(varve.openExisting()) : Optional.empty();
  }
}
