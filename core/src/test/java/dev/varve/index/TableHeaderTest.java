// SPDX-License-Identifier: Apache-2.0
package dev.varve.index;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Each refusal of a header whose checksum is right.
class TableHeaderTest {

  private static final TableIdentity IDENTITY = new TableIdentity(new UUID(11, 22), 3);
  private static final long PAGES = 5;
  private static final long SLOTS = PAGES * TablePages.SLOTS;

  private final MemorySegment header = MemorySegment.ofArray(new byte[TablePages.PAGE_BYTES]);

  @BeforeEach
  void write() {
    new TableHeader(IDENTITY, PAGES, 100, SLOTS).write(header);
  }

  private String fault(long fileBytes) {
    return TableHeader.fault(header, fileBytes, IDENTITY).orElse("");
  }

  /// Sets a field, and the checksum to what is right then.
  private void set(String field, long value) {
    long offset = TableHeader.LAYOUT.byteOffset(groupElement(field));
    if (TableHeader.LAYOUT.select(groupElement(field)).byteSize() == Integer.BYTES) {
      header.set(ValueLayout.JAVA_INT_UNALIGNED, offset, (int) value);
    } else {
      header.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, value);
    }
    long checksumAt = TableHeader.LAYOUT.byteOffset(groupElement("checksum"));
    long sum = 0;
    for (long at = 0; at < checksumAt; at += Long.BYTES) {
      sum = BitMixer.of(sum, header.get(ValueLayout.JAVA_LONG_UNALIGNED, at));
    }
    header.set(ValueLayout.JAVA_LONG_UNALIGNED, checksumAt, sum);
  }

  @Test
  void aHeaderOfThisTableIsTaken() {
    assertThat(fault(TableHeader.fileBytes(PAGES))).isEmpty();
    set("covered", 0);
    set("entries", 0);
    assertThat(fault(TableHeader.fileBytes(PAGES))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "magic, 1, no table",
    "version, 2, 'version 2, this one writes 1'",
    "page_size, 8192, other pages than this version's",
    "slots_per_page, 1, other pages than this version's",
    "kind, 4, belongs to",
    "store_id_high, 12, belongs to",
    "store_id_low, 23, belongs to",
    "page_count, 6, the header says 6 pages",
    "covered, -1, a count out of bounds",
    "entries, -1, a count out of bounds",
    "entries, 100000, a count out of bounds",
  })
  void aFieldThatIsNotThisTablesIsRefused(String field, long value, String why) {
    set(field, value);

    assertThat(fault(TableHeader.fileBytes(PAGES))).contains(why);
  }

  @Test
  void aTableHasNoMoreEntriesThanSlots() {
    set("entries", SLOTS + 1);

    assertThat(fault(TableHeader.fileBytes(PAGES))).isEqualTo("a count out of bounds");
  }

  @ParameterizedTest
  @CsvSource({"0", "-1", "268435457"})
  void aNumberOfPagesThatNoTableHasIsRefusedEvenIfTheFileIsAsLong(long pages) {
    set("page_count", pages);
    set("entries", 0);

    assertThat(fault(TableHeader.fileBytes(pages))).contains("the header says " + pages + " pages");
  }

  @Test
  void anyBitOfTheHeaderMayBeWrong() {
    for (long at = Long.BYTES; at < TableHeader.LAYOUT.byteSize(); at++) {
      byte was = header.get(ValueLayout.JAVA_BYTE, at);
      header.set(ValueLayout.JAVA_BYTE, at, (byte) (was ^ 1 << at % 8));
      assertThat(fault(TableHeader.fileBytes(PAGES)))
          .as("byte %d", at)
          .isEqualTo("wrong header checksum");
      header.set(ValueLayout.JAVA_BYTE, at, was);
    }
  }
}
