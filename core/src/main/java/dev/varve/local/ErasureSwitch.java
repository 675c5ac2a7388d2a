// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.disk.Disk;
import dev.varve.journal.Journal;
import java.util.List;

/// The moment of an erasure at which new files take the places of the former ones.
///
/// The new files are written and forced under names of their own. Then the root is replaced, in one
/// step, by a root that records the erasure: before this step the store has its former content,
/// from then on its new content. Each later step can be repeated by the next opening of the store.
final class ErasureSwitch {

  private static final String SUFFIX = ".erased";

  private ErasureSwitch() {}

  /// The name under which a file is written before it takes its place.
  static String unswitched(String name) {
    return name + SUFFIX;
  }

  /// Deletes what a service kept of contexts, also as far as a killed service had written it.
  static void deleteRows(Disk disk) {
    int _ = disk.deleteAbandonedDrafts();
    disk.delete(StorePlace.CONTEXT_ROWS);
  }

  /// Decides on an erasure whose files are all written and forced. What a service kept of contexts
  /// may have words that go, and goes before.
  static StoreRoot decide(Disk disk, StoreRoot root) {
    deleteRows(disk);
    disk.forceNames();
    StoreRoot decided = root.afterErasure();
    decided.write(disk);
    return decided;
  }

  /// Completes an erasure that was decided, or clears away what is left of one that was not.
  ///
  /// @return the root from now on
  static StoreRoot complete(Disk disk, StoreRoot root) {
    if (!root.switching()) {
      clear(disk);
      return root;
    }
    for (String name : unswitchedNames(disk)) {
      disk.replace(name, name.substring(0, name.length() - SUFFIX.length()));
    }
    disk.delete(Journal.FILE_A);
    disk.delete(Journal.FILE_B);
    disk.forceNames();
    StoreRoot switched = root.switched();
    switched.write(disk);
    return switched;
  }

  /// Deletes files that were written and never decided on.
  static void clear(Disk disk) {
    unswitchedNames(disk).forEach(disk::delete);
  }

  private static List<String> unswitchedNames(Disk disk) {
    return disk.names().stream().filter(name -> name.endsWith(SUFFIX)).toList();
  }
}
