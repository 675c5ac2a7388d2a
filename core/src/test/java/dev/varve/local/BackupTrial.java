// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.BackupReport;
import dev.varve.ContextId;
import dev.varve.ReadProgress;
import dev.varve.disk.Disk;
import dev.varve.disk.SimulatedDisk;

/// The steps that tests of backups share, on simulated disks.
final class BackupTrial {

  private BackupTrial() {}

  static SimulatedDisk emptyDisk() {
    return new SimulatedDisk(0, DiskImage.FILE_CAPACITY_BYTES);
  }

  static BackupReport backUp(Disk source, LocalStore store, Disk target, boolean verify) {
    try (StoreBackup backup = StoreBackup.begin(source, store.backupPoint(), target)) {
      return backup.run(verify, ReadProgress.NONE);
    }
  }

  static void append(LocalStore store, int from, int count) {
    for (int i = from; i < from + count; i++) {
      store.append(new ContextId(1), Furnished.newTurn(1000 + i));
    }
  }
}
