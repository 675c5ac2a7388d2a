// SPDX-License-Identifier: Apache-2.0
package dev.varve.index;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Optional;
import java.util.UUID;

/// The first page of a table's file. What follows the header in it is zeros and is not read.
///
/// @param identity whose table it is
/// @param pageCount how many pages follow the header's
/// @param covered how much of the source's list is surely in the pages
/// @param entries how many slots were in use when `covered` was written
record TableHeader(TableIdentity identity, long pageCount, long covered, long entries) {

  static final long MAGIC = 0x5844_4945_5652_4156L; // "VARVEIDX"
  static final int VERSION = 1;

  /// The most pages: 2^28 pages are 1 TiB, and the bits for verified pages then take 32 MiB.
  static final long MAX_PAGES = 1L << 28;

  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(LITTLE_ENDIAN);
  private static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(LITTLE_ENDIAN);

  static final StructLayout LAYOUT =
      MemoryLayout.structLayout(
          U64.withName("magic"),
          U32.withName("version"),
          U32.withName("page_size"),
          U32.withName("slots_per_page"),
          U32.withName("kind"),
          U64.withName("page_count"),
          U64.withName("store_id_high"),
          U64.withName("store_id_low"),
          U64.withName("covered"),
          U64.withName("entries"),
          U64.withName("checksum"));

  private static final VarHandle MAGIC_FIELD = field("magic");
  private static final VarHandle VERSION_FIELD = field("version");
  private static final VarHandle PAGE_SIZE = field("page_size");
  private static final VarHandle SLOTS_PER_PAGE = field("slots_per_page");
  private static final VarHandle KIND = field("kind");
  private static final VarHandle PAGE_COUNT = field("page_count");
  private static final VarHandle STORE_ID_HIGH = field("store_id_high");
  private static final VarHandle STORE_ID_LOW = field("store_id_low");
  private static final VarHandle COVERED = field("covered");
  private static final VarHandle ENTRIES = field("entries");
  private static final VarHandle CHECKSUM = field("checksum");

  static long fileBytes(long pageCount) {
    return (1 + pageCount) * TablePages.PAGE_BYTES;
  }

  void write(MemorySegment at) {
    MAGIC_FIELD.set(at, 0L, MAGIC);
    VERSION_FIELD.set(at, 0L, VERSION);
    PAGE_SIZE.set(at, 0L, TablePages.PAGE_BYTES);
    SLOTS_PER_PAGE.set(at, 0L, TablePages.SLOTS);
    KIND.set(at, 0L, identity.kind());
    PAGE_COUNT.set(at, 0L, pageCount);
    STORE_ID_HIGH.set(at, 0L, identity.store().getMostSignificantBits());
    STORE_ID_LOW.set(at, 0L, identity.store().getLeastSignificantBits());
    COVERED.set(at, 0L, covered);
    ENTRIES.set(at, 0L, entries);
    CHECKSUM.set(at, 0L, checksum(at));
  }

  static TableHeader read(MemorySegment at) {
    UUID store = new UUID((long) STORE_ID_HIGH.get(at, 0L), (long) STORE_ID_LOW.get(at, 0L));
    return new TableHeader(
        new TableIdentity(store, (int) KIND.get(at, 0L)),
        (long) PAGE_COUNT.get(at, 0L),
        (long) COVERED.get(at, 0L),
        (long) ENTRIES.get(at, 0L));
  }

  /// Why these bytes are not the header of this table's file; empty if they are.
  static Optional<String> fault(MemorySegment at, long fileBytes, TableIdentity expected) {
    if ((long) MAGIC_FIELD.get(at, 0L) != MAGIC) {
      return Optional.of("no table");
    }
    if ((long) CHECKSUM.get(at, 0L) != checksum(at)) {
      return Optional.of("wrong header checksum");
    }
    int version = (int) VERSION_FIELD.get(at, 0L);
    if (version != VERSION) {
      return Optional.of("version " + version + ", this one writes " + VERSION);
    }
    if ((int) PAGE_SIZE.get(at, 0L) != TablePages.PAGE_BYTES
        || (int) SLOTS_PER_PAGE.get(at, 0L) != TablePages.SLOTS) {
      return Optional.of("other pages than this version's");
    }
    TableHeader header = read(at);
    if (!header.identity.equals(expected)) {
      return Optional.of(
          header.identity.store().equals(expected.store())
              ? "belongs to another lookup"
              : "belongs to store " + header.identity.store());
    }
    if (header.pageCount < 1
        || header.pageCount > MAX_PAGES
        || fileBytes(header.pageCount) != fileBytes) {
      return Optional.of(fileBytes + " bytes long, the header says " + header.pageCount + " pages");
    }
    if (header.covered < 0 || header.entries < 0 || header.entries > header.slots()) {
      return Optional.of("a count out of bounds");
    }
    return Optional.empty();
  }

  private long slots() {
    return pageCount * TablePages.SLOTS;
  }

  private static long checksum(MemorySegment at) {
    long sum = 0;
    for (long offset = 0; offset < LAYOUT.byteOffset(groupElement("checksum")); offset += 8) {
      sum = BitMixer.of(sum, at.get(U64, offset));
    }
    return sum;
  }

  private static VarHandle field(String name) {
    return LAYOUT.varHandle(groupElement(name));
  }
}
