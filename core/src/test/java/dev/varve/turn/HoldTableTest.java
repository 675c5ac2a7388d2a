// SPDX-License-Identifier: Apache-2.0
package dev.varve.turn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.ContextHold;
import dev.varve.ContextHolds;
import dev.varve.ContextId;
import dev.varve.StoreException;
import dev.varve.disk.DiskFile;
import dev.varve.disk.LittleEndian;
import dev.varve.disk.SimulatedDisk;
import dev.varve.format.Bytes;
import dev.varve.format.Example;
import dev.varve.format.FormatPage;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HoldTableTest {

  private static final FormatPage PAGE = FormatPage.of("holds-tbl");
  private static final Instant END = Instant.parse("2027-01-01T00:00:00Z");

  private final SimulatedDisk disk = new SimulatedDisk(0, 1 << 22);
  private final HoldTable table = open(Example.SHORT_ID);

  private HoldTable open(long storeId) {
    return new HoldTable(
        disk, storeId, false, () -> Example.CREATED_AT, (_, write) -> write.getAsBoolean());
  }

  private byte[] bytes() {
    try (DiskFile file = disk.open(HoldTable.FILE)) {
      ByteBuffer bytes = ByteBuffer.allocate((int) file.sizeBytes());
      file.read(0, bytes);
      return bytes.array();
    }
  }

  @Test
  void thePageTellsTheLayout() {
    assertThat(PAGE.table("Header").differences(HoldTable.HEADER)).isEmpty();
    assertThat(PAGE.table("Entry").differences(HoldTable.LAYOUT)).isEmpty();
  }

  @Test
  void thePageShowsWhatIsWritten() {
    table.hold(new ContextId(3), END, "audit");

    assertThat(PAGE.example("Example")).isEqualTo(Bytes.dump(bytes()));
  }

  @Test
  void everyFieldIsWrittenWhereThePageSays() {
    table.hold(new ContextId(3), END, "audit");
    MemorySegment entry = MemorySegment.ofArray(bytes()).asSlice(64, 256);

    assertThat(Bytes.fields(HoldTable.LAYOUT, entry))
        .containsAllEntriesOf(
            Map.of(
                "context_id",
                3L,
                "since_unix_ms",
                Example.CREATED_MS,
                "until_unix_ms",
                END.toEpochMilli(),
                "reason_len",
                5L,
                "reserved",
                Bytes.zeros(24),
                "crc32",
                Integer.toUnsignedLong(LittleEndian.crc32(entry, 0, 252))));
  }

  /// Writes a table of as many holds, on contexts from 1 on, each like the first.
  private void fill(int count) {
    table.hold(new ContextId(1), END, "audit");
    byte[] one = bytes();
    byte[] all = new byte[64 + 256 * count];
    MemorySegment target = MemorySegment.ofArray(all);
    System.arraycopy(one, 0, all, 0, 64);
    target.set(LittleEndian.U64, 24, count);
    target.set(LittleEndian.U32, 60, LittleEndian.crc32(target, 0, 60));
    for (int i = 0; i < count; i++) {
      System.arraycopy(one, 64, all, 64 + 256 * i, 256);
      MemorySegment entry = target.asSlice(64 + 256L * i, 256);
      entry.set(LittleEndian.U64, 0, i + 1L);
      entry.set(LittleEndian.U32, 252, LittleEndian.crc32(entry, 0, 252));
    }
    try (DiskFile file = disk.open(HoldTable.FILE)) {
      file.write(0, ByteBuffer.wrap(all));
    }
  }

  @Test
  void aStoreHasTenThousandHoldsAndNotOneMore() {
    fill(ContextHolds.HOLDS_MAX - 1);
    HoldTable full = open(Example.SHORT_ID);
    full.hold(new ContextId(ContextHolds.HOLDS_MAX), END, "the last");

    assertThatThrownBy(() -> full.hold(new ContextId(20_000), END, "one more"))
        .isInstanceOf(StoreException.TooLarge.class);
    full.hold(new ContextId(5), null, "in the place of another");
    assertThat(open(Example.SHORT_ID).all()).hasSize(ContextHolds.HOLDS_MAX);
    fill(ContextHolds.HOLDS_MAX + 1);
    assertThat(open(Example.SHORT_ID).damage()).isNotNull();
  }

  @Test
  void whatWasWrittenIsReadAndOfAnotherStoreNothing() {
    ContextHold one = table.hold(new ContextId(9), null, "x".repeat(200));
    ContextHold two = table.hold(new ContextId(4), END, "ü§ for people");

    assertThat(open(Example.SHORT_ID).all()).containsExactly(two, one);
    assertThat(open(Example.SHORT_ID).lasting()).containsExactly(two, one);
    assertThatThrownBy(() -> open(Example.SHORT_ID + 1).all())
        .isInstanceOf(StoreException.Corrupt.class);
    table.release(new ContextId(9));
    assertThat(open(Example.SHORT_ID).all()).containsExactly(two);
  }

  @Test
  void aCutOrLongerTableIsFoundOut() {
    table.hold(new ContextId(9), null, "");
    for (long size : new long[] {0, 63, 64, 319, 321, 576}) {
      try (DiskFile file = disk.open(HoldTable.FILE)) {
        file.resize(size);
      }
      assertThat(open(Example.SHORT_ID).damage()).as("%s bytes", size).isNotNull();
    }
  }
}
