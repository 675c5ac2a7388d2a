// SPDX-License-Identifier: Apache-2.0
package dev.varve.index;

/// The ordered list that a table is derived from. It only ever grows, except that a crash may cut
/// its end.
///
/// A table calls its source when it is opened, and whenever it finds itself damaged: on the thread
/// of a reader, of the writer or on one of its own, while others may wait for it inside
/// [FingerprintTable#put] and [FingerprintTable#find]. So a source must be safe on any thread and
/// must need no lock that is held by callers of the table.
public interface EntrySource {

  /// The length of the list, in the unit of the source: records, or bytes of a log.
  long count();

  /// Gives all entries of the list from a place in it up to its end, in order.
  ///
  /// @param from 0, or a value that [#count] had once and that was passed to
  ///   [FingerprintTable#checkpoint]
  void entries(long from, EntrySink sink);

  /// About how many entries the whole list gives. A table made anew gets its size by this.
  default long expectedEntries() {
    return count();
  }
}
