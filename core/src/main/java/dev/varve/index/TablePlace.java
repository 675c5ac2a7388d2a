// SPDX-License-Identifier: Apache-2.0
package dev.varve.index;

import dev.varve.disk.Disk;
import java.util.function.BooleanSupplier;

/// Where a table's files are, and whose they are.
///
/// @param name of the file in use; one that is still being made is called `<name>.<pages>.new`
record TablePlace(Disk disk, String name, TableIdentity identity) {

  private static final String UNFINISHED = ".new";

  TableFile.Found open() {
    return TableFile.open(disk, name, identity);
  }

  TableFile create(long pageCount, BooleanSupplier stopped) {
    return TableFile.create(
        disk, name + "." + pageCount + UNFINISHED, identity, pageCount, stopped);
  }

  TableFile createInMemory(long pageCount) {
    return TableFile.inMemory(disk, name, identity, pageCount);
  }

  /// Deletes what a crash left unfinished.
  void deleteLeftOvers() {
    for (String file : disk.names()) {
      if (file.startsWith(name + ".") && file.endsWith(UNFINISHED)) {
        disk.delete(file);
      }
    }
  }
}
