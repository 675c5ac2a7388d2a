// SPDX-License-Identifier: Apache-2.0
package dev.varve.index;

import java.util.function.LongPredicate;

/// Takes entries: a fingerprint, and the place it leads to.
public interface EntrySink {

  /// Puts an entry that replaces none. Putting the same entry again changes nothing.
  ///
  /// @param fingerprint 64 uniform bits of the key, say the first eight bytes of a hash
  /// @param value not negative
  default void put(long fingerprint, long value) {
    put(fingerprint, value, _ -> false);
  }

  /// Puts an entry in the place of one that it supersedes, if there is one.
  ///
  /// A superseded value is gone at once, and so it is from the disk. After a power cut the list may
  /// have lost its newest records, and the table still leads to them. Hence `superseded` says yes
  /// only to a value that is no longer needed even then: the record that supersedes it has been
  /// forced. Others stay beside the new value, and [FingerprintTable#findLast] picks.
  ///
  /// @param fingerprint 64 uniform bits of the key
  /// @param value not negative
  /// @param superseded whether a value under this fingerprint gives way; is asked under the table's
  ///   lock and must not call the table
  void put(long fingerprint, long value, LongPredicate superseded);
}
