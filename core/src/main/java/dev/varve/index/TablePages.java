// SPDX-License-Identifier: Apache-2.0
package dev.varve.index;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.function.LongPredicate;

/// The slots of a table: pages of 255, each page with a checksum.
///
/// A fingerprint has a home page and, in every page, a slot to start from. Within a page the next
/// free slot is taken; a page without one hands on to the next page, the last to the first. Nothing
/// is ever removed, so a page that handed on stays full, and a free slot on the way proves a miss.
///
/// One writer, which holds the table's lock; any number of readers without. A slot is empty while
/// its second word is 0. The writer fills it in the order fingerprint, fence, value: who sees the
/// value sees its fingerprint. The accesses are plain with fences, not acquire and release, because
/// those are refused for longs in a heap array.
final class TablePages {

  static final int PAGE_BYTES = 4096;
  static final int SLOTS = 255;

  /// The answer of [#find] that there is no such entry. Still smaller ones say that a page is
  /// damaged.
  static final long NONE = -1;

  /// The result of a [#put].
  enum Outcome {
    ADDED,
    REPLACED,
    /// This very entry was there.
    PRESENT,
    /// It would have been added, but hardly a slot is free.
    NO_ROOM,
    /// A page on the way has a wrong checksum.
    DAMAGED
  }

  private static final int HEAD_BYTES = 16;
  private static final int SLOT_BYTES = 16;
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;
  private static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(LITTLE_ENDIAN);

  private final MemorySegment bytes;
  private final long pageCount;
  private final long placeSeed;
  private final long checksumSeed;

  /// A bit for each page whose checksum was found right. Two threads that set bits of one word at
  /// once may lose one; that page is then verified again.
  private final long[] verified;

  private long entries;

  /// @param bytes the pages, without the header's
  TablePages(MemorySegment bytes, TableIdentity identity, long entries) {
    this.bytes = bytes;
    this.pageCount = bytes.byteSize() / PAGE_BYTES;
    this.placeSeed = identity.placeSeed();
    this.checksumSeed = identity.checksumSeed(pageCount);
    this.verified = new long[Math.toIntExact((pageCount + 63) >>> 6)];
    this.entries = entries;
  }

  /// Makes `page`, all zeros so far, an empty page number `number`.
  static void format(MemorySegment page, long number, long checksumSeed) {
    page.set(U64, 0, BitMixer.of(checksumSeed, number));
  }

  long pageCount() {
    return pageCount;
  }

  long slots() {
    return pageCount * SLOTS;
  }

  /// The number of slots in use, as far as they were counted. To be read and written under the
  /// table's lock.
  long entries() {
    return entries;
  }

  /// Counts an entry that a crash kept out of the count in the header.
  void countPresent() {
    entries = Math.min(entries + 1, slots());
  }

  /// The first value under `fingerprint` that `confirm` accepts; else [#NONE], or `-2 - page` where
  /// that page is damaged.
  long find(long fingerprint, LongPredicate confirm) {
    MemorySegment slots = bytes;
    long hash = BitMixer.of(fingerprint + placeSeed);
    int start = startSlot(hash);
    long page = homePage(hash);
    for (long walked = 0; walked < pageCount; walked++) {
      if (!sound(page)) {
        return -2 - page;
      }
      int slot = start;
      do {
        long at = at(page, slot);
        long stored = slots.get(U64, at + 8);
        if (stored == 0) {
          return NONE;
        }
        // No fence before this: a reader that sees a value before its fingerprint passes over an
        // entry whose put has
        // not returned yet, which it may.
        if (slots.get(U64, at) == fingerprint) {
          VarHandle.acquireFence();
          if (confirm.test(stored - 1)) {
            return stored - 1;
          }
        }
        slot = slot + 1 == SLOTS ? 0 : slot + 1;
      } while (slot != start);
      page = after(page);
    }
    return NONE;
  }

  /// Puts an entry, in the place of the first under its fingerprint that is `superseded`. Under the
  /// table's lock.
  Outcome put(long fingerprint, long value, LongPredicate superseded) {
    long hash = BitMixer.of(fingerprint + placeSeed);
    int start = startSlot(hash);
    long page = homePage(hash);
    long oldPage = NONE;
    int oldSlot = 0;
    for (long walked = 0; walked < pageCount; walked++) {
      if (!sound(page)) {
        return Outcome.DAMAGED;
      }
      int slot = start;
      do {
        long at = at(page, slot);
        long stored = bytes.get(U64, at + 8);
        if (stored == 0) {
          return oldPage == NONE
              ? add(page, slot, fingerprint, value)
              : replace(oldPage, oldSlot, fingerprint, value);
        }
        if (bytes.get(U64, at) == fingerprint) {
          if (stored == value + 1) {
            return Outcome.PRESENT;
          }
          if (oldPage == NONE && superseded.test(stored - 1)) {
            oldPage = page;
            oldSlot = slot;
          }
        }
        slot = slot + 1 == SLOTS ? 0 : slot + 1;
      } while (slot != start);
      page = after(page);
    }
    if (oldPage != NONE) {
      return replace(oldPage, oldSlot, fingerprint, value);
    }
    // So much for the count, which crashes leave too low by what the list lost.
    entries = slots();
    return Outcome.NO_ROOM;
  }

  /// Gives all entries of a page that is [#sound], as a reader sees them.
  void copyPage(long page, EntrySink sink) {
    for (int slot = 0; slot < SLOTS; slot++) {
      long at = at(page, slot);
      long stored = bytes.get(U64, at + 8);
      if (stored != 0) {
        VarHandle.acquireFence();
        sink.put(bytes.get(U64, at), stored - 1);
      }
    }
  }

  /// Returns whether a page's checksum was right when it was first touched. Under the table's lock
  /// the answer is exact; without it, a no may only mean that the writer was at work on the page.
  boolean sound(long page) {
    return (verified[(int) (page >>> 6)] & (1L << page)) != 0 || verify(page);
  }

  private boolean verify(long page) {
    long sum = BitMixer.of(checksumSeed, page);
    for (int slot = 0; slot < SLOTS; slot++) {
      long at = at(page, slot);
      long stored = bytes.get(U64, at + 8);
      if (stored != 0) {
        VarHandle.acquireFence();
        sum += slotSum(slot, bytes.get(U64, at), stored);
      }
    }
    long head = page * PAGE_BYTES;
    if (bytes.get(U64, head) != sum || bytes.get(U64, head + 8) != 0) {
      return false;
    }
    verified[(int) (page >>> 6)] |= 1L << page;
    return true;
  }

  private Outcome add(long page, int slot, long fingerprint, long value) {
    // The twentieth part that is left free keeps misses short; a table gets this full only on a
    // full disk.
    if (entries >= slots() - slots() / 20) {
      return Outcome.NO_ROOM;
    }
    long at = at(page, slot);
    bytes.set(U64, at, fingerprint);
    VarHandle.releaseFence();
    bytes.set(U64, at + 8, value + 1);
    addToChecksum(page, slotSum(slot, fingerprint, value + 1));
    entries++;
    return Outcome.ADDED;
  }

  private Outcome replace(long page, int slot, long fingerprint, long value) {
    long at = at(page, slot);
    long stored = bytes.get(U64, at + 8);
    bytes.set(U64, at + 8, value + 1);
    addToChecksum(page, slotSum(slot, fingerprint, value + 1) - slotSum(slot, fingerprint, stored));
    return Outcome.REPLACED;
  }

  private void addToChecksum(long page, long change) {
    long head = page * PAGE_BYTES;
    bytes.set(U64, head, bytes.get(U64, head) + change);
  }

  /// The number that an occupied slot adds to its page's checksum. A sum, so that a put changes it
  /// without reading the page.
  private static long slotSum(int slot, long fingerprint, long stored) {
    return BitMixer.of(fingerprint + (slot + 1) * GOLDEN, stored);
  }

  /// The high bits choose the page: in a larger table all entries keep their order, so growing
  /// reads and writes both files from front to back.
  private long homePage(long hash) {
    return Math.unsignedMultiplyHigh(hash, pageCount);
  }

  private static int startSlot(long hash) {
    return (int) (((hash & 0xffff_ffffL) * SLOTS) >>> 32);
  }

  private long after(long page) {
    return page + 1 == pageCount ? 0 : page + 1;
  }

  private static long at(long page, int slot) {
    return page * PAGE_BYTES + HEAD_BYTES + (long) slot * SLOT_BYTES;
  }
}
