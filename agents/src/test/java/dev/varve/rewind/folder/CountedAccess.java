// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.folder;

import dev.varve.BulkStore;
import dev.varve.access.StoreAccess;
import dev.varve.access.WaitingRules;
import java.nio.file.Path;

/// The way to a store of a test, and how often the store was opened.
public final class CountedAccess extends StoreAccess {

  private int opened;

  public CountedAccess(Path folder) {
    super(folder, WaitingRules.NONE);
  }

  @Override
  public BulkStore open() {
    opened++;
    return super.open();
  }

  @Override
  public BulkStore openExisting() {
    opened++;
    return super.openExisting();
  }

  int opened() {
    return opened;
  }
}
