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

class PagesTest {

  private static final Identity IDENTITY = new Identity(new UUID(1, 2), 3);

  @Test
  void anEmptyTableHasNothingAndIsSound() {
    Pages pages = onHeap(3);
    assertThat(pages.find(42, _ -> true)).isEqualTo(Pages.NONE);
    assertThat(pages.sound(0) && pages.sound(1) && pages.sound(2)).isTrue();
  }

  @Test
  void theExtremesAreOrdinaryFingerprintsAndValues() {
    Pages pages = onHeap(1);
    for (long fingerprint : new long[] {0, -1, 1, Long.MIN_VALUE, Long.MAX_VALUE}) {
      for (long value : new long[] {0, 1, Long.MAX_VALUE}) {
        assertThat(pages.put(fingerprint, value, _ -> false)).isEqualTo(Pages.Outcome.ADDED);
        assertThat(pages.find(fingerprint, v -> v == value)).isEqualTo(value);
      }
    }
    assertThat(reread(pages, 1).sound(0)).isTrue();
  }

  @Test
  void theSameEntryIsPutOnce() {
    Pages pages = onHeap(1);
    pages.put(7, 70, _ -> false);
    assertThat(pages.put(7, 70, _ -> true)).isEqualTo(Pages.Outcome.PRESENT);
    assertThat(pages.entries()).isOne();
  }

  @Test
  void anEntryTakesThePlaceOfTheOneItSupersedesAndOfNoOther() {
    Pages pages = onHeap(1);
    pages.put(7, 70, _ -> false);
    pages.put(7, 71, _ -> false);
    assertThat(pages.put(7, 72, v -> v == 71)).isEqualTo(Pages.Outcome.REPLACED);
    assertThat(allUnder(pages, 7)).containsExactlyInAnyOrder(70L, 72L);
    assertThat(pages.entries()).isEqualTo(2);
    assertThat(reread(pages, 1).sound(0)).isTrue();
  }

  /// 700 entries whose home is the last page but one: they fill it, the last, and the first.
  @Test
  void aFullPageHandsOnToTheNextAndTheLastToTheFirst() {
    int count = 5;
    Pages pages = onHeap(count);
    Map<Long, Long> put = new HashMap<>();
    var random = new SplittableRandom(1);
    while (put.size() < 700) {
      long fingerprint = random.nextLong();
      if (home(fingerprint, count) == count - 2) {
        long value = put.size();
        put.put(fingerprint, value);
        assertThat(pages.put(fingerprint, value, _ -> false)).isEqualTo(Pages.Outcome.ADDED);
      }
    }
    put.forEach(
        (fingerprint, value) -> assertThat(pages.find(fingerprint, _ -> true)).isEqualTo(value));
    assertThat(pages.find(random.nextLong(), _ -> true)).isEqualTo(Pages.NONE);
    List<Integer> inUse = new ArrayList<>();
    for (int page = 0; page < count; page++) {
      int[] slots = {0};
      pages.copyPage(page, (_, _, _) -> slots[0]++);
      inUse.add(slots[0]);
    }
    assertThat(inUse).containsExactly(700 - 2 * Pages.SLOTS, 0, 0, Pages.SLOTS, Pages.SLOTS);
  }

  @Test
  void aTwentiethOfTheSlotsStaysFreeButReplacingGoesOn() {
    Pages pages = onHeap(2);
    long value = 0;
    while (pages.put(Mix.of(value), value, _ -> false) == Pages.Outcome.ADDED) {
      value++;
    }
    assertThat(value).isEqualTo(2 * Pages.SLOTS - 2 * Pages.SLOTS / 20);
    assertThat(pages.put(Mix.of(5), 1000, v -> v == 5)).isEqualTo(Pages.Outcome.REPLACED);
    assertThat(pages.put(Mix.of(5), 1000, v -> v == 5)).isEqualTo(Pages.Outcome.PRESENT);
  }

  /// The count is only as good as what the header said after the last crash.
  @Test
  void pagesThatAreFullAgainstTheirCountSaySoAndStillAnswer() {
    byte[] bytes = bytes(1);
    var identity = new Identity(new UUID(1, 2), 3);
    long filled = 0;
    while (filled < Pages.SLOTS) {
      var miscounted = new Pages(MemorySegment.ofArray(bytes), identity, 0);
      for (int i = 0; i < 200 && filled < Pages.SLOTS; i++, filled++) {
        miscounted.put(Mix.of(filled), filled, _ -> false);
      }
    }
    var full = new Pages(MemorySegment.ofArray(bytes), identity, 0);
    assertThat(full.find(Mix.of(254), _ -> true)).isEqualTo(254);
    assertThat(full.find(Mix.of(255), _ -> true)).isEqualTo(Pages.NONE);
    assertThat(full.put(Mix.of(255), 255, _ -> false)).isEqualTo(Pages.Outcome.NO_ROOM);
    assertThat(full.entries()).isEqualTo(Pages.SLOTS);
  }

  @Test
  void anySingleBitThatFlipsInAnOccupiedSlotOrTheChecksumIsNoticed() {
    byte[] bytes = bytes(1);
    var pages = new Pages(MemorySegment.ofArray(bytes), IDENTITY, 0);
    for (long value = 0; value < 60; value++) {
      pages.put(Mix.of(value), value, _ -> false);
    }
    for (int at = 0; at < bytes.length; at++) {
      int slotAt = at < 16 ? 0 : at & ~15;
      boolean counts = at < 16 || longAt(bytes, slotAt + 8) != 0 || (at & 15) >= 8;
      for (int bit = 0; bit < 8; bit++) {
        bytes[at] ^= (byte) (1 << bit);
        boolean sound = new Pages(MemorySegment.ofArray(bytes), IDENTITY, 0).sound(0);
        assertThat(sound).as("byte %d, bit %d", at, bit).isEqualTo(!counts);
        bytes[at] ^= (byte) (1 << bit);
      }
    }
  }

  @Test
  void zerosAPageFromElsewhereAndAPageOfAnotherSizeOfTheTableAreNotSound() {
    MemorySegment two = MemorySegment.ofArray(bytes(2));
    MemorySegment swapped = MemorySegment.ofArray(new byte[2 * Pages.PAGE_BYTES]);
    swapped.asSlice(0, Pages.PAGE_BYTES).copyFrom(two.asSlice(Pages.PAGE_BYTES));
    swapped.asSlice(Pages.PAGE_BYTES).copyFrom(two.asSlice(0, Pages.PAGE_BYTES));
    var mixedUp = new Pages(swapped, IDENTITY, 0);
    assertThat(mixedUp.sound(0) || mixedUp.sound(1)).isFalse();
    MemorySegment zeros = MemorySegment.ofArray(new byte[Pages.PAGE_BYTES]);
    assertThat(new Pages(zeros, IDENTITY, 0).sound(0)).isFalse();
    MemorySegment first = two.asSlice(0, Pages.PAGE_BYTES);
    assertThat(new Pages(first, IDENTITY, 0).sound(0)).isFalse();
    var other = new Identity(new UUID(1, 2), 4);
    assertThat(new Pages(two, other, 0).sound(0)).isFalse();
  }

  @Test
  void aDamagedPageOnTheWayIsNamedByFindAndPut() {
    byte[] bytes = bytes(4);
    bytes[2 * Pages.PAGE_BYTES + 20] ^= 1;
    bytes[2 * Pages.PAGE_BYTES + 30] ^= 1;
    var pages = new Pages(MemorySegment.ofArray(bytes), IDENTITY, 0);
    var random = new SplittableRandom(2);
    for (int i = 0; i < 100; i++) {
      long fingerprint = random.nextLong();
      boolean hit = home(fingerprint, 4) == 2;
      long found = pages.find(fingerprint, _ -> true);
      assertThat(Pages.damagedPage(found)).isEqualTo(hit ? 2 : Pages.NONE);
      assertThat(pages.put(fingerprint, i, _ -> false))
          .isEqualTo(hit ? Pages.Outcome.DAMAGED : Pages.Outcome.ADDED);
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
                  .allocate(count * Pages.PAGE_BYTES, 8)
                  .copyFrom(MemorySegment.ofArray(bytes(count)));
      var pages = new Pages(bytes, IDENTITY, 0);
      Map<Long, List<Long>> model = new HashMap<>();
      int distinct = 1 + random.nextInt(count * 150);
      for (int step = 0; step < count * 200; step++) {
        long fingerprint = Mix.of(random.nextInt(distinct));
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
      Pages reread = reread(bytes);
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

  private final Map<Pages, MemorySegment> memory = new HashMap<>();

  private Pages onHeap(int count) {
    MemorySegment bytes = MemorySegment.ofArray(bytes(count));
    var pages = new Pages(bytes, IDENTITY, 0);
    memory.put(pages, bytes);
    return pages;
  }

  /// The same bytes as found by another opening, which has verified nothing yet.
  private Pages reread(Pages pages, int count) {
    assertThat(pages.pageCount()).isEqualTo(count);
    return reread(memory.get(pages));
  }

  private static Pages reread(MemorySegment bytes) {
    return new Pages(bytes, IDENTITY, 0);
  }

  private static byte[] bytes(int count) {
    byte[] bytes = new byte[count * Pages.PAGE_BYTES];
    for (int page = 0; page < count; page++) {
      MemorySegment at =
          MemorySegment.ofArray(bytes).asSlice((long) page * Pages.PAGE_BYTES, Pages.PAGE_BYTES);
      Pages.format(at, page, IDENTITY.checksumSeed(count));
    }
    return bytes;
  }

  private static long home(long fingerprint, int count) {
    return Math.unsignedMultiplyHigh(Mix.of(fingerprint + IDENTITY.placeSeed()), count);
  }

  private static List<Long> allUnder(Pages pages, long fingerprint) {
    List<Long> all = new ArrayList<>();
    pages.find(fingerprint, v -> !all.add(v));
    return all;
  }

  private static long longAt(byte[] bytes, int at) {
    return MemorySegment.ofArray(bytes).get(ValueLayout.JAVA_LONG_UNALIGNED, at);
  }
}
