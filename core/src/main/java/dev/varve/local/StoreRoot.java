// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static dev.varve.disk.LittleEndian.U32;
import static dev.varve.disk.LittleEndian.U64;

import dev.varve.StoreException;
import dev.varve.disk.Disk;
import dev.varve.disk.DiskFile;
import dev.varve.disk.LittleEndian;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// The file `varve.store`, which makes a folder a store: it names the format, the format's version,
/// and the store's id. Written once, and again whenever something is erased, and with the first
/// hold.
///
/// Page: `docs/format/store-root.md`.
///
/// @param erasures the number of erasures; without any, the root is written as in version 1
/// @param switching whether files that an erasure wrote must still take the places of others
/// @param holdsPlaced whether a hold was ever placed: the store then has a table of holds
record StoreRoot(
    UUID storeId, Instant createdAt, long erasures, boolean switching, boolean holdsPlaced) {

  static final String FILE = "varve.store";
  static final String FILE_NEW = "varve.store.new";

  /// The newest version, and the oldest that is read.
  static final int VERSION = 2;

  /// The version of a store in which nothing was erased.
  static final int VERSION_WHOLE = 1;

  static final int VERSION_OLDEST = 1;

  static final StructLayout LAYOUT =
      MemoryLayout.structLayout(
          U64.withName("magic"),
          U32.withName("version"),
          U32.withName("switching"),
          U64.withName("store_id_high"),
          U64.withName("store_id_low"),
          U64.withName("created_at_unix_ms"),
          U64.withName("erasures"),
          U32.withName("holds_placed"),
          LittleEndian.bytes(8, "reserved"),
          U32.withName("crc32"));

  /// On the disk: `VARVESTO`.
  static final long MAGIC = 0x4F54534556524156L;

  static final int SIZE_BYTES = 64;
  private static final long CRC = 60;

  /// The root of a store in which nothing was erased.
  StoreRoot(UUID storeId, Instant createdAt) {
    this(storeId, createdAt, 0, false, false);
  }

  /// The root from the moment at which an erasure is decided.
  StoreRoot afterErasure() {
    return new StoreRoot(storeId, createdAt, erasures + 1, true, holdsPlaced);
  }

  /// The root once all files have their places.
  StoreRoot switched() {
    return new StoreRoot(storeId, createdAt, erasures, false, holdsPlaced);
  }

  /// The root once a hold was placed.
  StoreRoot afterHold() {
    return new StoreRoot(storeId, createdAt, erasures, switching, true);
  }

  /// Returns whether the folder has a store. A crash while one was made leaves none.
  static boolean isIn(Disk disk) {
    return disk.exists(FILE);
  }

  /// Returns whether the folder has a store, or only the leftovers of an unfinished creation.
  static boolean isInOrVacant(Disk disk, List<String> leftovers) {
    List<String> names = disk.names(); // once: another process may be making one
    return names.contains(FILE) || leftovers.containsAll(names);
  }

  /// Reads the root.
  ///
  /// @throws StoreException.NoStore if there is no root, or the file is not a root
  /// @throws StoreException.Corrupt if the root is damaged
  /// @throws StoreException.FormatTooNew if a later version wrote it
  /// @throws StoreException.FormatTooOld if this version no longer reads it
  static StoreRoot read(Disk disk) {
    if (!disk.exists(FILE)) {
      throw new StoreException.NoStore(disk.describe(), "no " + FILE, true);
    }
    ByteBuffer buffer = ByteBuffer.allocate(SIZE_BYTES);
    int length;
    try (DiskFile file = disk.open(FILE)) {
      length = file.read(0, buffer);
    }
    if (buffer.getLong(0) == 0) { // what is left of a root, not something else's file
      throw new StoreException.Corrupt(
          FILE, 0, SIZE_BYTES + " bytes of a root", length + " bytes that begin with zeros");
    }
    MemorySegment bytes = MemorySegment.ofArray(buffer.array());
    if (bytes.get(U64, 0) != MAGIC) {
      throw new StoreException.NoStore(
          disk.describe(), FILE + " is not the root of a store", false);
    }
    int version = bytes.get(U32, 8);
    if (version > VERSION) {
      throw new StoreException.FormatTooNew(FILE, version, VERSION);
    }
    if (version < VERSION_OLDEST) {
      throw new StoreException.FormatTooOld(FILE, version, VERSION_OLDEST);
    }
    int crc = LittleEndian.crc32(bytes, 0, CRC);
    if (bytes.get(U32, CRC) != crc) {
      throw new StoreException.Corrupt(
          FILE, 0, LittleEndian.hex(crc), LittleEndian.hex(bytes.get(U32, CRC)));
    }
    boolean whole = version == VERSION_WHOLE;
    return new StoreRoot(
        new UUID(bytes.get(U64, 16), bytes.get(U64, 24)),
        Instant.ofEpochMilli(bytes.get(U64, 32)),
        whole ? 0 : bytes.get(U64, 40),
        !whole && bytes.get(U32, 12) != 0,
        bytes.get(U32, 48) != 0);
  }

  /// The version of the format that the store has.
  int version() {
    return erasures == 0 ? VERSION_WHOLE : VERSION;
  }

  /// Makes the folder a store, or replaces its root, in one step.
  void write(Disk disk) {
    ByteBuffer buffer = ByteBuffer.allocate(SIZE_BYTES);
    MemorySegment bytes = MemorySegment.ofArray(buffer.array());
    bytes.set(U64, 0, MAGIC);
    bytes.set(U32, 8, version());
    bytes.set(U32, 12, switching ? 1 : 0);
    bytes.set(U64, 16, storeId.getMostSignificantBits());
    bytes.set(U64, 24, storeId.getLeastSignificantBits());
    bytes.set(U64, 32, createdAt.toEpochMilli());
    bytes.set(U64, 40, erasures);
    bytes.set(U32, 48, holdsPlaced ? 1 : 0);
    bytes.set(U32, CRC, LittleEndian.crc32(bytes, 0, CRC));
    try (DiskFile file = disk.open(FILE_NEW)) {
      file.write(0, buffer);
      file.resize(SIZE_BYTES);
      file.force();
    }
    disk.replace(FILE_NEW, FILE);
    disk.forceNames();
  }

  /// The store's id in 64 bits, for files whose records name it.
  long shortId() {
    return storeId.getMostSignificantBits() ^ storeId.getLeastSignificantBits();
  }
}
