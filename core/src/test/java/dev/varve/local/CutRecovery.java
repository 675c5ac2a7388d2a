// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.disk.PowerCut;
import dev.varve.disk.SimulatedDisk;
import java.util.SplittableRandom;
import java.util.function.Function;

/// A store that was opened after a power cut, while the power might go again and again.
///
/// @param disk the disk after the last cut
record CutRecovery(SimulatedDisk disk, LocalStore store) {

  /// @param stepsMax after how many steps of an opening the power goes at the latest, if it goes
  static CutRecovery of(
      SimulatedDisk cut,
      SplittableRandom random,
      int stepsMax,
      Function<SimulatedDisk, LocalStore> open) {
    SimulatedDisk disk = cut;
    while (random.nextInt(3) == 0) {
      disk.cutPowerAfter(1 + random.nextInt(stepsMax));
      try {
        LocalStore store = open.apply(disk);
        disk.cutPowerAfter(Long.MAX_VALUE >> 1);
        return new CutRecovery(disk, store);
      } catch (PowerCut e) {
        disk = disk.cutPower();
      }
    }
    return new CutRecovery(disk, open.apply(disk));
  }
}
