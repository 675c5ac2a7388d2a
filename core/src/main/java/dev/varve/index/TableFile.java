// SPDX-License-Identifier: Apache-2.0
package dev.varve.index;

import dev.varve.StoreException;
import dev.varve.disk.Disk;
import dev.varve.disk.DiskFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// One file of a table, mapped: its header and its [TablePages]. Or the same in memory, while the
/// disk has no room for it.
///
/// The methods that write the header are called under the table's lock; [#force] and [#close]
/// without it when the file is large, and they exclude each other.
final class TableFile implements AutoCloseable {

  private static final int FILL_PAGES = 64;

  private final Disk disk;
  private final String name;
  private final TableIdentity identity;
  private final @Nullable DiskFile file;
  private final MemorySegment bytes;
  private final TablePages pages;
  private boolean closed;
  private volatile boolean spoiled;

  private TableFile(
      Disk disk,
      String name,
      TableIdentity identity,
      @Nullable DiskFile file,
      MemorySegment bytes,
      long entries) {
    this.disk = disk;
    this.name = name;
    this.identity = identity;
    this.file = file;
    this.bytes = bytes;
    this.pages = new TablePages(bytes.asSlice(TablePages.PAGE_BYTES), identity, entries);
  }

  /// The file that is there under `name`, or why it is none that can be used.
  sealed interface Found {
    record Usable(TableFile file) implements Found {}

    record Unusable(String why) implements Found {}
  }

  static Found open(Disk disk, String name, TableIdentity identity) {
    if (!disk.exists(name)) {
      return new Found.Unusable("missing");
    }
    try {
      DiskFile file = disk.open(name);
      Found found = new Found.Unusable("unreadable");
      try {
        found = read(disk, name, identity, file);
        return found;
      } finally {
        if (found instanceof Found.Unusable) {
          file.close();
        }
      }
    } catch (StoreException.Io e) {
      return new Found.Unusable(String.valueOf(e.getMessage()));
    }
  }

  private static Found read(Disk disk, String name, TableIdentity identity, DiskFile file) {
    long size = file.sizeBytes();
    MemorySegment head = MemorySegment.ofArray(new byte[TablePages.PAGE_BYTES]);
    if (size < TableHeader.fileBytes(1)
        || file.read(0, head.asByteBuffer()) < TablePages.PAGE_BYTES) {
      return new Found.Unusable("only " + size + " bytes long");
    }
    Optional<String> fault = TableHeader.fault(head, size, identity);
    if (fault.isPresent()) {
      return new Found.Unusable(fault.get());
    }
    MemorySegment bytes = file.map(0, size, true);
    long entries = TableHeader.read(head).entries();
    return new Found.Usable(new TableFile(disk, name, identity, file, bytes, entries));
  }

  /// Makes an empty table in a new file. All of it is really written, so that a full disk shows
  /// here and not later as a fault in mapped memory.
  ///
  /// @param stopped is asked now and then whether to give up
  /// @throws StoreException.Full if there is no room; nothing is left behind
  /// @throws StoreException.Closed if it was stopped; nothing is left behind
  static TableFile create(
      Disk disk, String name, TableIdentity identity, long pageCount, BooleanSupplier stopped) {
    checkRoom(disk, name, TableHeader.fileBytes(pageCount));
    disk.delete(name);
    DiskFile file = disk.open(name);
    boolean made = false;
    try {
      fill(file, identity, pageCount, stopped);
      MemorySegment bytes = file.map(0, TableHeader.fileBytes(pageCount), true);
      var table = new TableFile(disk, name, identity, file, bytes, 0);
      table.cover(0, 0);
      made = true;
      return table;
    } finally {
      if (!made) {
        file.close();
        disk.delete(name);
      }
    }
  }

  /// A cache does not take the last room there is from what it is a cache of.
  private static void checkRoom(Disk disk, String name, long sizeBytes) {
    long free = disk.freeBytes();
    if (free < sizeBytes + sizeBytes / 4) {
      throw new StoreException.Full(
          name, new IllegalStateException(free + " bytes free for a table of " + sizeBytes));
    }
  }

  private static void fill(
      DiskFile file, TableIdentity identity, long pageCount, BooleanSupplier stopped) {
    long seed = identity.checksumSeed(pageCount);
    file.write(0, ByteBuffer.allocate(TablePages.PAGE_BYTES));
    MemorySegment part =
        MemorySegment.ofArray(
            new byte[(int) Math.min(FILL_PAGES, pageCount) * TablePages.PAGE_BYTES]);
    for (long first = 0; first < pageCount; first += FILL_PAGES) {
      if (stopped.getAsBoolean()) {
        throw new StoreException.Closed(file.name());
      }
      long count = Math.min(FILL_PAGES, pageCount - first);
      MemorySegment pages = part.asSlice(0, count * TablePages.PAGE_BYTES);
      format(pages, first, seed);
      file.write(TableHeader.fileBytes(first), pages.asByteBuffer());
    }
  }

  /// Makes an empty table in memory.
  static TableFile inMemory(Disk disk, String name, TableIdentity identity, long pageCount) {
    MemorySegment bytes = Arena.ofAuto().allocate(TableHeader.fileBytes(pageCount), Long.BYTES);
    format(bytes.asSlice(TablePages.PAGE_BYTES), 0, identity.checksumSeed(pageCount));
    var table = new TableFile(disk, name, identity, null, bytes, 0);
    table.cover(0, 0);
    return table;
  }

  private static void format(MemorySegment pages, long firstNumber, long seed) {
    for (long at = 0, number = firstNumber; at < pages.byteSize(); at += TablePages.PAGE_BYTES) {
      TablePages.format(pages.asSlice(at, TablePages.PAGE_BYTES), number++, seed);
    }
  }

  String name() {
    return name;
  }

  TablePages pages() {
    return pages;
  }

  boolean isInMemory() {
    return file == null;
  }

  /// Returns whether nothing that is put here can be relied upon once the file is opened again.
  boolean isLost() {
    return isInMemory() || spoiled;
  }

  /// The space that the file takes on the disk, in bytes.
  long diskBytes() {
    return isInMemory() ? 0 : bytes.byteSize();
  }

  long covered() {
    return TableHeader.read(bytes).covered();
  }

  /// Says in the header how much of the list is surely in the pages: those as they were last
  /// forced.
  void cover(long covered, long entries) {
    if (!spoiled) {
      new TableHeader(identity, pages.pageCount(), covered, entries).write(bytes);
    }
  }

  /// Forces what was put so far. Does nothing once closed.
  ///
  /// A system that could not force pages may report this once, and then count the pages as forced.
  /// Therefore a failure marks the file, so that the next opening does not use it.
  synchronized void force() {
    if (file == null || closed) {
      return;
    }
    try {
      file.force();
    } catch (StoreException e) {
      spoiled = true;
      bytes.asSlice(0, TableHeader.LAYOUT.byteSize()).fill((byte) 0);
      throw e;
    }
  }

  /// Gives a forced file the name of the table, in place of the one that has it.
  void publish(String tableName) {
    if (file != null) {
      disk.replace(name, tableName);
      disk.forceNames();
    }
  }

  /// Closes a file that will not be used, and deletes it if it still has its own name.
  void discard() {
    close();
    if (file != null) {
      try {
        disk.delete(name);
      } catch (StoreException.Io _) {
        // It is only a left-over, and the next opening deletes those.
      }
    }
  }

  /// The mapping stays for those who still read it.
  @Override
  public synchronized void close() {
    if (file != null && !closed) {
      closed = true;
      file.close();
    }
  }
}
