// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

import java.util.List;
import java.util.Map;

/// A flat folder of files, as a store needs it.
///
/// Names are plain: 1 to 200 ASCII letters, digits, `.`, `-` and `_`, not beginning with a dot and
/// without two in a row; another is an `IllegalArgumentException`. A file that was created,
/// replaced or deleted is only sure to be so after a power cut once [#forceNames] has returned.
///
/// A file that is open stays the same file when its name is deleted or given to another.
///
/// Every method may throw `StoreException.Io`, and those that write `StoreException.Full`. May be
/// used by any thread; an interrupt disturbs nothing and is kept.
public interface Disk {

  /// Opens a file for reading and writing, creating it empty if it is absent.
  ///
  /// @throws IllegalArgumentException if it is the file of a lock that is held here: opening it
  ///   could free the lock
  DiskFile open(String name);

  /// Opens a file as [#open] does, for bytes that are forced at once and seldom read: whole blocks
  /// of direct memory are written past the system's cache, where the system can do that.
  default DiskFile openUncached(String name) {
    return open(name);
  }

  boolean exists(String name);

  /// The names of all files, in no order.
  List<String> names();

  /// The size in bytes of each file, by its name, also of locks that are held; one that goes away
  /// meanwhile may be left out. Opens and creates nothing.
  Map<String, Long> sizesBytes();

  /// Deletes a file if it is there.
  void delete(String name);

  /// Gives the file `from` the name `to` in one step, replacing what had that name. Readers find
  /// the old file or the new one, whole. The caller has forced `from`.
  ///
  /// @throws dev.varve.StoreException.Io if there is no `from`
  void replace(String from, String to);

  /// A new file under a name that no other file has, for content that is to appear as a whole by
  /// [#replace] or [#claim]. [#deleteAbandonedDrafts] spares it until it is closed, in every
  /// process.
  ///
  /// @param target the name that it is to get, which refusals name
  DiskFile createDraft(String target, FileAccess access);

  /// Gives the file `from` the name `to` in one step, unless a file has that name. The caller has
  /// forced `from`. The file may keep the name `from` beside `to`; once [#forceNames] has returned
  /// the caller deletes it.
  ///
  /// @throws dev.varve.StoreException.Conflict if there is a file `to`
  /// @throws dev.varve.StoreException.Io if there is no `from`
  void claim(String from, String to);

  /// Deletes the drafts of processes that died over them.
  ///
  /// @return how many there were
  int deleteAbandonedDrafts();

  /// Returns once all names created, replaced and deleted so far survive a power cut.
  void forceNames();

  /// Takes the lock `name` for this process until it is closed; the system frees it when the
  /// process dies. A file of that name is created, and stays.
  ///
  /// @param holder who takes it, for the message to others, one line
  /// @throws dev.varve.StoreException.Busy if another process, or another store of this one, has
  ///   it; names its holder
  DiskLock lock(String name, String holder);

  /// The free space in bytes, as far as the system reports it.
  long freeBytes();

  /// The size of the disk in bytes; -1 where the system does not report the size.
  default long totalBytes() {
    return -1;
  }

  /// Where this is, for messages.
  String describe();
}
