// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

import java.util.List;

/// A flat folder of files, as a store needs it.
///
/// Names are plain: no separators, no `..`. A file that was created, replaced or deleted is only sure to be so
/// after a power cut once [#forceNames] has returned.
///
/// Every method may throw `StoreException.Io`, and those that write `StoreException.Full`.
public interface Disk {

  /// Opens a file for reading and writing, creating it empty if it is absent.
  DiskFile open(String name);

  boolean exists(String name);

  /// The names of all files, in no order.
  List<String> names();

  /// Deletes a file if it is there.
  void delete(String name);

  /// Gives the file `from` the name `to` in one step, replacing what had that name. Readers find the old file or the
  /// new one, whole. The caller has forced `from`.
  void replace(String from, String to);

  /// Returns once all names created, replaced and deleted so far survive a power cut.
  void forceNames();

  /// Takes the lock `name` for this process until it is closed; the system frees it when the process dies.
  ///
  /// @param holder who takes it, for the message to others, one line
  /// @throws dev.varve.StoreException.Busy if another process, or another store of this one, has it; names its holder
  DiskLock lock(String name, String holder);

  /// How many bytes may still be written, as far as the system says.
  long freeBytes();

  /// Where this is, for messages.
  String describe();
}
