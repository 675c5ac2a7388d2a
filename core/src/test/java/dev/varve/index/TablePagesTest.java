// SPDX-License-Identifier: Apache-2.0
package dev.varve.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class TablePagesTest {

  private static final TableIdentity IDENTITY = new TableIdentity(new UUID(1, 2), 3);

  @Test
  void anEmptyTableHasNothingAndIsSound() {
    TablePages pages = onHeap(3);
    assertThat(pages.find(42, _ -> true)).isEqualTo(TablePages.NONE);
    assertThat(pages.sound(0) && pages.sound(1) && pages.sound(2)).isTrue();
  }

  @Test
  void theExtremesAreOrdinaryFingerprintsAndValues() {
    TablePages pages = onHeap(1);
    for (long fingerprint : new long[] {0, -1, 1, Long.MIN_VALUE, Long.MAX_VALUE}) {
      for (long value : new long[] {0, 1, Long.MAX_VALUE}) {
        assertThat(pages.put(fingerprint, value, _ -> false)).isEqualTo(TablePages.Outcome.ADDED);
        assertThat(pages.find(fingerprint, v -> v == value)).isEqualTo(value);
      }
    }
    assertThat(reread(pages, 1).sound(0)).isTrue();
  }

  @Test
  void theSameEntryIsPutOnce() {
    TablePages pages = onHeap(1);
    pages.put(7, 70, _ -> false);
    assertThat(pages.put(7, 70, _ -> true)).isEqualTo(TablePages.Outcome.PRESENT);
    assertThat(pages.entries()).isOne();
  }

  @Test
  void anEntryTakesThePlaceOfTheOneItSupersedesAndOfNoOther() {
    TablePages pages = onHeap(1);
    pages.put(7, 70, _ -> false);
    pages.put(7, 71, _ -> false);
    assertThat(pages.put(7, 72, v -> v == 71)).isEqualTo(TablePages.Outcome.REPLACED);
    assertThat(allUnder(pages, 7)).containsExactlyInAnyOrder(70L, 72L);
    assertThat(pages.entries()).isEqualTo(2);
    assertThat(reread(pages, 1).sound(0)).isTrue();
  }

  /// 700 entries whose home is the last page but one: they fill it, the last, and the first.
  @Test
  void aFullPageHandsOnToTheNextAndTheLastToTheFirst() {
    int count = 5;
    TablePages pages = onHeap(count);
    Map<Long, Long> put = new HashMap<>();
    var random = new SplittableRandom(1);
    while (put.size() < 700) {
      long fingerprint = random.nextLong();
      if (home(fingerprint, count) == count - 2) {
        long value = put.size();
        put.put(fingerprint, value);
        assertThat(pages.put(fingerprint, value, _ -> false)).isEqualTo(TablePages.Outcome.ADDED);
      }
    }
    put.forEach(
        (fingerprint, value) -> assertThat(pages.find(fingerprint, _ -> true)).isEqualTo(value));
    assertThat(pages.find(random.nextLong(), _ -> true)).isEqualTo(TablePages.NONE);
    List<Integer> inUse = new ArrayList<>();
    for (int page = 0; page < count; page++) {
      int[] slots = {0};
      pages.copyPage(page, (_, _, _) -> slots[0]++);
      inUse.add(slots[0]);
    }
    assertThat(inUse)
        .containsExactly(700 - 2 * TablePages.SLOTS, 0, 0, TablePages.SLOTS, TablePages.SLOTS);
  }

  @Test
  void aTwentiethOfTheSlotsStaysFreeButReplacingGoesOn() {
    TablePages pages = onHeap(2);
    long value = 0;
    while (pages.put(BitMixer.of(value), value, _ -> false) == TablePages.Outcome.ADDED) {
      value++;
    }
    assertThat(value).isEqualTo(2 * TablePages.SLOTS - 2 * TablePages.SLOTS / 20);
    assertThat(pages.put(BitMixer.of(5), 1000, v -> v == 5)).isEqualTo(TablePages.Outcome.REPLACED);
    assertThat(pages.put(BitMixer.of(5), 1000, v -> v == 5)).isEqualTo(TablePages.Outcome.PRESENT);
  }

  /// The count is only as good as what the header said after the last crash.
  @Test
  void pagesThatAreFullAgainstTheirCountSaySoAndStillAnswer() {
    byte[] bytes = bytes(1);
    var identity = new TableIdentity(new UUID(1, 2), 3);
    long filled = 0;
    while (filled < TablePages.SLOTS) {
      var miscounted = new TablePages(MemorySegment.ofArray(bytes), identity, 0);
      for (int i = 0; i < 200 && filled < TablePages.SLOTS; i++, filled++) {
        miscounted.put(BitMixer.of(filled), filled, _ -> false);
      }
    }
    var full = new TablePages(MemorySegment.ofArray(bytes), identity, 0);
    assertThat(full.find(BitMixer.of(254), _ -> true)).isEqualTo(254);
    assertThat(full.find(BitMixer.of(255), _ -> true)).isEqualTo(TablePages.NONE);
    assertThat(full.put(BitMixer.of(255), 255, _ -> false)).isEqualTo(TablePages.Outcome.NO_ROOM);
    assertThat(full.entries()).isEqualTo(TablePages.SLOTS);
  }

  @Test
  void anySingleBitThatFlipsInAnOccupiedSlotOrTheChecksumIsNoticed() {
    byte[] bytes = bytes(1);
    var pages = new TablePages(MemorySegment.ofArray(bytes), IDENTITY, 0);
    for (long value = 0; value < 60; value++) {
      pages.put(BitMixer.of(value), value, _ -> false);
    }
    for (int at = 0; at < bytes.length; at++) {
      int slotAt = at < 16 ? 0 : at & ~15;
      boolean counts = at < 16 || longAt(bytes, slotAt + 8) != 0 || (at & 15) >= 8;
      for (int bit = 0; bit < 8; bit++) {
        bytes[at] ^= (byte) (1 << bit);
        boolean sound = new TablePages(MemorySegment.ofArray(bytes), IDENTITY, 0).sound(0);
        assertThat(sound).as("byte %d, bit %d", at, bit).isEqualTo(!counts);
        bytes[at] ^= (byte) (1 << bit);
      }
    }
  }

  @Test
  void zerosAPageFromElsewhereAndAPageOfAnotherSizeOfTheTableAreNotSound() {
    MemorySegment two = MemorySegment.ofArray(bytes(2));
    MemorySegment swapped = MemorySegment.ofArray(new byte[2 * TablePages.PAGE_BYTES]);
    swapped.asSlice(0, TablePages.PAGE_BYTES).copyFrom(two.asSlice(TablePages.PAGE_BYTES));
    swapped.asSlice(TablePages.PAGE_BYTES).copyFrom(two.asSlice(0, TablePages.PAGE_BYTES));
    var mixedUp = new TablePages(swapped, IDENTITY, 0);
    assertThat(mixedUp.sound(0) || mixedUp.sound(1)).isFalse();
    MemorySegment zeros = MemorySegment.ofArray(new byte[TablePages.PAGE_BYTES]);
    assertThat(new TablePages(zeros, IDENTITY, 0).sound(0)).isFalse();
    MemorySegment first = two.asSlice(0, TablePages.PAGE_BYTES);
    assertThat(new TablePages(first, IDENTITY, 0).sound(0)).isFalse();
    var other = new TableIdentity(new UUID(1, 2), 4);
    assertThat(new TablePages(two, other, 0).sound(0)).isFalse();
  }

  @Test
  void aDamagedPageOnTheWayIsNamedByFindAndPut() {
    byte[] bytes = bytes(4);
    bytes[2 * TablePages.PAGE_BYTES + 20] ^= 1;
    bytes[2 * TablePages.PAGE_BYTES + 30] ^= 1;
    var pages = new TablePages(MemorySegment.ofArray(bytes), IDENTITY, 0);
    var random = new SplittableRandom(2);
    for (int i = 0; i < 100; i++) {
      long fingerprint = random.nextLong();
      boolean hit = home(fingerprint, 4) == 2;
      long found = pages.find(fingerprint, _ -> true);
      assertThat(found).isEqualTo(hit ? -2 - 2 : TablePages.NONE);
      assertThat(pages.put(fingerprint, i, _ -> false))
          .isEqualTo(hit ? TablePages.Outcome.DAMAGED : TablePages.Outcome.ADDED);
    }
  }

  @Test
  void aRandomHistoryOnHeapAndOffIsThatOfAMultimap() {
    for (long seed = 0; seed < 60; seed++) {
      var random = new SplittableRandom(seed);
      int count = 1 + random.nextInt(6);
      MemorySegment bytes =
          random.nextBoolean()
              ? MemorySegment.ofArray(bytes(count))
              : Arena.ofAuto()
                  .allocate(count * TablePages.PAGE_BYTES, 8)
                  .copyFrom(MemorySegment.ofArray(bytes(count)));
      var pages = new TablePages(bytes, IDENTITY, 0);
      Map<Long, List<Long>> model = new HashMap<>();
      int distinct = 1 + random.nextInt(count * 150);
      for (int step = 0; step < count * 200; step++) {
        long fingerprint = BitMixer.of(random.nextInt(distinct));
        List<Long> values = model.computeIfAbsent(fingerprint, _ -> new ArrayList<>());
        long value = random.nextInt(50);
        if (random.nextInt(3) == 0 && !values.isEmpty() && !values.contains(value)) {
          long old = values.remove(random.nextInt(values.size()));
          pages.put(fingerprint, value, v -> v == old);
          values.add(value);
        } else {
          pages.put(fingerprint, value, _ -> false);
          if (!values.contains(value)) {
            values.add(value);
          }
        }
      }
      TablePages reread = reread(bytes);
      long seedOf = seed;
      model.forEach(
          (fingerprint, values) ->
              assertThat(allUnder(reread, fingerprint))
                  .as("seed %d", seedOf)
                  .containsExactlyInAnyOrderElementsOf(values));
      assertThat(pages.entries())
          .as("seed %d", seed)
          .isEqualTo(model.values().stream().mapToInt(List::size).sum());
    }
  }

  private final Map<TablePages, MemorySegment> memory = new HashMap<>();

  private TablePages onHeap(int count) {
    MemorySegment bytes = MemorySegment.ofArray(bytes(count));
    var pages = new TablePages(bytes, IDENTITY, 0);
    memory.put(pages, bytes);
    return pages;
  }

  /// The same bytes as found by another opening, which has verified nothing yet.
  private TablePages reread(TablePages pages, int count) {
    assertThat(pages.pageCount()).isEqualTo(count);
    return reread(memory.get(pages));
  }

  private static TablePages reread(MemorySegment bytes) {
    return new TablePages(bytes, IDENTITY, 0);
  }

  private static byte[] bytes(int count) {
    byte[] bytes = new byte[count * TablePages.PAGE_BYTES];
    for (int page = 0; page < count; page++) {
      MemorySegment at =
          MemorySegment.ofArray(bytes)
              .asSlice((long) page * TablePages.PAGE_BYTES, TablePages.PAGE_BYTES);
      TablePages.format(at, page, IDENTITY.checksumSeed(count));
    }
    return bytes;
  }

  private static long home(long fingerprint, int count) {
    return Math.unsignedMultiplyHigh(BitMixer.of(fingerprint + IDENTITY.placeSeed()), count);
  }

  private static List<Long> allUnder(TablePages pages, long fingerprint) {
    List<Long> all = new ArrayList<>();
    pages.find(fingerprint, v -> !all.add(v));
    return all;
  }

  private static long longAt(byte[] bytes, int at) {
    return MemorySegment.ofArray(bytes).get(ValueLayout.JAVA_LONG_UNALIGNED, at);
  }
}
