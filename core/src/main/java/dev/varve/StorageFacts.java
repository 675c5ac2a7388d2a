// SPDX-License-Identifier: Apache-2.0
package dev.varve;

import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/// Facts of a store in a folder that only the process which has the store open can see.
public interface StorageFacts {

  /// The store's identity, which the store got when it was made, and which its files contain.
  UUID storeId();

  /// The version of the format of the store's files.
  int formatVersion();

  /// A name for the history of the store up to a moment: the hash of the last of so many turns, and
  /// of so many overlays. Two histories that parted before the moment have different names, as do a
  /// store and the store that was restored from its older backup and written to.
  ///
  /// @return empty if the store has fewer turns or overlays
  Optional<BlobHash> historyName(long turns, long overlays);

  /// The number of changes that wait for their commit.
  int waitingChanges();

  /// Reports the times of all later writes to `meter`, in place of the meter before.
  void measure(WriteMeter meter);

  /// The size in bytes of each of the store's files, by its name.
  Map<String, Long> fileBytes();

  /// The free space of the disk in bytes, as far as the system reports it.
  long diskFreeBytes();

  /// The size of the disk in bytes; -1 where the system does not report the size.
  long diskTotalBytes();

  /// The refusal that every write gets: after a failed commit, on a full disk or in a store that
  /// was opened for reading only; empty while the store accepts writes.
  Optional<StoreException> writeRefusal();
}
