// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

import java.util.List;
import java.util.Map;

/// A flat folder of files, as a store needs it.
///
/// Names are plain: 1 to 200 ASCII letters, digits, `.`, `-` and `_`, not beginning with a dot and
/// without two dots in a row; any other name is an `IllegalArgumentException`. The creation,
/// replacement or deletion of a file survives a power cut only once [#forceNames] has returned.
///
/// An open file stays the same file when its name is deleted or given to another file.
///
/// Every method may throw `StoreException.Io`; methods that write may throw `StoreException.Full`.
/// May be used by any thread; an interrupt disturbs nothing and is kept.
public interface Disk {

  /// Opens a file for reading and writing, creating it empty if it is absent.
  ///
  /// @throws IllegalArgumentException if the file is that of a lock which this process holds:
  ///   opening the file could free the lock
  DiskFile open(String name);

  /// Opens a file as [#open] does, for bytes that are forced at once and seldom read: whole blocks
  /// of direct memory are written past the system's cache, where the system can do that.
  default DiskFile openUncached(String name) {
    return open(name);
  }

  boolean exists(String name);

  /// The names of all files, in no order.
  List<String> names();

  /// The size in bytes of each file, by its name, also of held locks. A file that disappears
  /// meanwhile may be left out. Opens and creates nothing.
  Map<String, Long> sizesBytes();

  /// Deletes a file if the file exists.
  void delete(String name);

  /// Gives the file `from` the name `to` in one step, replacing the file with this name. Readers
  /// find the whole old file or the whole new file. The caller has forced `from`.
  ///
  /// @throws dev.varve.StoreException.Io if there is no `from`
  void replace(String from, String to);

  /// A new file under a name that no other file has, for content that is to appear as a whole by
  /// [#replace] or [#claim]. [#deleteAbandonedDrafts] spares the file until it is closed, in every
  /// process.
  ///
  /// @param target the later name of the file, which refusals name
  DiskFile createDraft(String target, FileAccess access);

  /// Gives the file `from` the name `to` in one step, unless a file has that name. The caller has
  /// forced `from`. The file may keep the name `from` beside `to`; once [#forceNames] has returned
  /// the caller deletes it.
  ///
  /// @throws dev.varve.StoreException.Conflict if there is a file `to`
  /// @throws dev.varve.StoreException.Io if there is no `from`
  void claim(String from, String to);

  /// Deletes the drafts of processes that died while they wrote.
  ///
  /// @return the number of deleted drafts
  int deleteAbandonedDrafts();

  /// Returns once all names created, replaced and deleted so far survive a power cut.
  void forceNames();

  /// Takes the lock `name` for this process until the lock is closed; the system frees the lock
  /// when the process dies. A file of this name is created, and stays.
  ///
  /// @param holder the description of this process for messages to others, one line
  /// @throws dev.varve.StoreException.Busy if another process, or another store of this process,
  ///   has the lock; names the holder
  DiskLock lock(String name, String holder);

  /// The free space in bytes, as far as the system reports it.
  long freeBytes();

  /// The size of the disk in bytes; -1 where the system does not report the size.
  default long totalBytes() {
    return -1;
  }

  /// The place of the folder, for messages.
  String describe();
}
