// SPDX-License-Identifier: Apache-2.0
package dev.varve.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.disk.LittleEndian;
import dev.varve.format.Bytes;
import dev.varve.format.Example;
import dev.varve.format.FieldTable;
import dev.varve.format.FormatPage;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BatchTest {

  private static final FormatPage PAGE = FormatPage.of("journal");
  private static final long STORE = 0x1122334455667788L;

  /// Seven sections of different lengths, none with a byte of another.
  private static Batch distinct(boolean inPlace) {
    return new Batch(
        Positions.distinct(100, 7),
        Positions.distinct(200, 8),
        inPlace,
        !inPlace,
        section(1),
        section(2),
        section(3),
        section(4),
        section(5),
        section(6),
        section(7));
  }

  private static MemorySegment section(int number) {
    byte[] bytes = new byte[number * 3];
    Arrays.fill(bytes, (byte) (0xa0 + number));
    return MemorySegment.ofArray(bytes);
  }

  static byte[] written(Batch batch, long storeId) {
    byte[] bytes = new byte[(int) batch.sizeBytes()];
    batch.write(storeId, MemorySegment.ofArray(bytes));
    return bytes;
  }

  /// What the journal makes of these bytes.
  private static Optional<Batch> read(byte[] bytes, long storeId) {
    MemorySegment segment = MemorySegment.ofArray(bytes);
    return Batch.bodyBytes(segment.asSlice(0, Batch.HEADER_BYTES), storeId)
        .filter(body -> body == bytes.length - Batch.HEADER_BYTES)
        .flatMap(_ -> Batch.read(segment));
  }

  @Test
  void thePageTellsTheLayouts() {
    assertThat(PAGE.table("Batch").differences(Batch.HEADER)).isEmpty();
    assertThat(Batch.HEADER.byteSize()).isEqualTo(Batch.HEADER_BYTES);
    assertThat(PAGE.table("Position").differences(StorePosition.LAYOUT)).isEmpty();
    assertThat(StorePosition.LAYOUT.byteSize()).isEqualTo(StorePosition.SIZE_BYTES);
  }

  @Test
  void thePageShowsWhatIsWritten() {
    Batch firstPut =
        new Batch(
            StorePosition.START,
            Positions.WITH_HELLO,
            false,
            true,
            MemorySegment.ofArray(Positions.helloRecord()),
            section(0),
            section(0),
            section(0),
            section(0),
            section(0),
            section(0));

    assertThat(PAGE.example("Example")).isEqualTo(Bytes.dump(written(firstPut, Example.SHORT_ID)));
  }

  @Test
  void everyFieldOfTheHeaderIsWrittenWhereTheLayoutHasIt() {
    MemorySegment bytes = MemorySegment.ofArray(written(distinct(true), STORE));
    long body = bytes.byteSize() - Batch.HEADER_BYTES;

    assertThat(Bytes.fields(Batch.HEADER, bytes))
        .isEqualTo(
            Map.ofEntries(
                Map.entry("magic", (long) Batch.MAGIC),
                Map.entry("version", (long) Batch.VERSION),
                Map.entry("flags", (long) Batch.PACK_FORCED),
                Map.entry("store_id", STORE),
                Map.entry("batch_seq", 8L),
                Map.entry("body_len", body),
                Map.entry("pack_len", 3L),
                Map.entry("turns_len", 6L),
                Map.entry("metas_len", 9L),
                Map.entry("head_log_len", 12L),
                Map.entry("heads_len", 15L),
                Map.entry("types_len", 18L),
                Map.entry("overlays_len", 21L),
                Map.entry("body_crc32", crc(bytes, Batch.HEADER_BYTES, body)),
                Map.entry("crc32", crc(bytes, 0, 60))));
    assertThat(Bytes.fields(Batch.HEADER, MemorySegment.ofArray(written(distinct(false), STORE))))
        .containsEntry("flags", (long) Batch.FORCED);
  }

  private static long crc(MemorySegment bytes, long offset, long sizeBytes) {
    return Integer.toUnsignedLong(LittleEndian.crc32(bytes, offset, sizeBytes));
  }

  @Test
  void positionsAndSectionsAreWhereThePageSays() {
    byte[] bytes = written(distinct(false), STORE);
    Map<String, Long> lengths = new LinkedHashMap<>();
    Bytes.fields(Batch.HEADER, MemorySegment.ofArray(bytes))
        .forEach((name, value) -> lengths.put(name, value instanceof Long n ? n : Long.valueOf(0)));
    Map<String, FieldTable.Place> places = PAGE.table("Body").places(lengths);

    assertThat(position(bytes, places.get("after"))).isEqualTo(Positions.distinct(200, 8));
    assertThat(position(bytes, places.get("before"))).isEqualTo(Positions.distinct(100, 7));
    String[] names = {"pack", "turns", "metas", "head_log", "heads", "types", "overlays"};
    for (int i = 0; i < names.length; i++) {
      FieldTable.Place place = places.get(names[i]);
      int offset = (int) place.offset();
      assertThat(Arrays.copyOfRange(bytes, offset, (int) (offset + place.size())))
          .as(names[i])
          .isEqualTo(section(i + 1).toArray(ValueLayout.JAVA_BYTE));
    }
    FieldTable.Place last = places.get("overlays");
    assertThat(last.offset() + last.size()).isEqualTo(bytes.length);
  }

  private static StorePosition position(byte[] bytes, FieldTable.Place place) {
    assertThat(place.size()).isEqualTo(StorePosition.SIZE_BYTES);
    return StorePosition.read(MemorySegment.ofArray(bytes), place.offset());
  }

  @Test
  void whatIsWrittenIsReadAgain() {
    Batch batch = distinct(true);
    Batch read = read(written(batch, STORE), STORE).orElseThrow();

    assertThat(read.before()).isEqualTo(batch.before());
    assertThat(read.after()).isEqualTo(batch.after());
    assertThat(read.packForced()).isTrue();
    assertThat(read.forced()).isFalse();
    assertThat(read(written(distinct(false), STORE), STORE).orElseThrow().forced()).isTrue();
    assertThat(read.pack().mismatch(batch.pack())).isEqualTo(-1);
    assertThat(read.turns().mismatch(batch.turns())).isEqualTo(-1);
    assertThat(read.metas().mismatch(batch.metas())).isEqualTo(-1);
    assertThat(read.headLog().mismatch(batch.headLog())).isEqualTo(-1);
    assertThat(read.heads().mismatch(batch.heads())).isEqualTo(-1);
    assertThat(read.types().mismatch(batch.types())).isEqualTo(-1);
    assertThat(read.overlays().mismatch(batch.overlays())).isEqualTo(-1);
  }

  @Test
  void everyDamagedByteIsRefused() {
    byte[] bytes = written(distinct(false), STORE);

    Bytes.eachDamaged(bytes, damaged -> assertThat(read(damaged, STORE)).isEmpty());
    assertThat(read(bytes, STORE)).isPresent();
  }

  @Test
  void aBatchOfAnotherStoreIsNone() {
    assertThat(read(written(distinct(false), STORE), STORE + 1)).isEmpty();
  }

  @Test
  void aBatchWhoseNumbersCannotBeIsNone() {
    StorePosition before = Positions.distinct(100, 7);
    assertThat(readWith(before, Positions.distinct(200, 9))).as("a batch in between").isEmpty();
    assertThat(readWith(before, Positions.distinct(200, 7))).as("the same batch").isEmpty();
    assertThat(readWith(before, Positions.distinct(-200, 8))).as("negative numbers").isEmpty();
    assertThat(readWith(before, Positions.distinct(200, 8))).isPresent();
  }

  private static Optional<Batch> readWith(StorePosition before, StorePosition after) {
    MemorySegment none = section(0);
    Batch batch = new Batch(before, after, false, true, none, none, none, none, none, none, none);
    return read(written(batch, STORE), STORE);
  }

  @Test
  void theBytesThatShareABlockWithOthersAreCounted() {
    assertThat(Batch.headBytes(0)).as("a block begins").isZero();
    assertThat(Batch.headBytes(1)).isEqualTo(4095);
    assertThat(Batch.headBytes(4095)).isEqualTo(1);
    assertThat(Batch.headBytes(8192)).isZero();
    assertThat(Batch.tailBytes(0)).as("a block ends").isZero();
    assertThat(Batch.tailBytes(4095)).isEqualTo(4095);
    assertThat(Batch.tailBytes(8192)).isZero();
    assertThat(Batch.tailBytes(8193)).isEqualTo(1);
  }

  /// Right checksums over wrong lengths, as a fault of a program would leave them.
  @Test
  void aBatchWhoseSectionsDoNotFitIsNone() {
    for (int length : new int[] {2, 4, 200, -1}) {
      byte[] bytes = written(distinct(false), STORE);
      MemorySegment batch = MemorySegment.ofArray(bytes);
      batch.set(LittleEndian.U32, 28, length);
      batch.set(LittleEndian.U32, 60, LittleEndian.crc32(batch, 0, 60));

      assertThat(read(bytes, STORE)).as("a pack of %d bytes", length).isEmpty();
    }
  }
}
