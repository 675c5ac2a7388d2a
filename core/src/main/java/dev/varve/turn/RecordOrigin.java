// SPDX-License-Identifier: Apache-2.0
package dev.varve.turn;

import static dev.varve.disk.LittleEndian.U64;

import dev.varve.StoreException;
import java.lang.foreign.MemorySegment;

/// Which store a record was written for, as it stands in the record: the store's id in 64 bits.
/// Zero in records of versions that did not write it; such a record is believed.
final class RecordOrigin {

  private RecordOrigin() {}

  /// Returns whether the record may be of the store.
  static boolean isOf(long storeId, MemorySegment bytes, long offset) {
    long found = bytes.get(U64, offset);
    return found == storeId || found == 0;
  }

  /// The refusal of a record that is whole, and of another store.
  static StoreException.Corrupt foreign(
      long storeId, MemorySegment bytes, long offset, String file, long fileOffset) {
    return new StoreException.Corrupt(
        file,
        fileOffset,
        "a record of store " + Long.toHexString(storeId),
        "one of store " + Long.toHexString(bytes.get(U64, offset)));
  }
}
