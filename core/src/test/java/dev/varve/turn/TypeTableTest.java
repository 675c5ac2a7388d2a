// SPDX-License-Identifier: Apache-2.0
package dev.varve.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.DeclaredType;
import dev.varve.disk.AppendFile;
import dev.varve.disk.FileGrowth;
import dev.varve.disk.LittleEndian;
import dev.varve.disk.SimulatedDisk;
import dev.varve.format.Bytes;
import dev.varve.format.Example;
import dev.varve.format.FieldTable;
import dev.varve.format.FormatPage;
import dev.varve.hash.Blake3;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TypeTableTest {

  private static final FormatPage PAGE = FormatPage.of("types-tbl");
  private static final DeclaredType UMLAUT = new DeclaredType("Grüße.v", -2);

  private static byte[] written(long tag, DeclaredType type) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    TypeTable.encode(tag, type, bytes);
    return bytes.toByteArray();
  }

  /// A table on a file with these bytes.
  private static TypeTable table(byte[]... entries) {
    AppendFile file = AppendFile.open(new SimulatedDisk(0), TypeTable.FILE, FileGrowth.DEFAULTS);
    long at = 0;
    for (byte[] entry : entries) {
      file.write(at, ByteBuffer.wrap(entry));
      at += entry.length;
    }
    file.end(at);
    return new TypeTable(file);
  }

  @Test
  void thePageTellsTheFixedPart() {
    assertThat(PAGE.table("Entry").differences(TypeTable.HEADER)).isEmpty();
  }

  @Test
  void thePageShowsWhatIsWritten() {
    byte[] entry = written(TypeTable.proposeTag(Example.NOTE), Example.NOTE);

    assertThat(PAGE.example("Example")).isEqualTo(Bytes.dump(entry));
  }

  @Test
  void everyFieldIsWhereThePageSays() {
    byte[] id = UMLAUT.id().getBytes(StandardCharsets.UTF_8);
    byte[] entry = written(-77, UMLAUT);
    MemorySegment bytes = MemorySegment.ofArray(entry);

    assertThat(Bytes.fields(TypeTable.HEADER, bytes))
        .isEqualTo(
            Map.of("type_tag", -77L, "type_version", 0xfffffffeL, "id_len", (long) id.length));
    Map<String, FieldTable.Place> places =
        PAGE.table("Entry").places(Map.of("id_len", (long) id.length));
    FieldTable.Place text = places.get("id");
    FieldTable.Place crc = places.get("crc32");
    assertThat(bytes.asSlice(text.offset(), text.size()).mismatch(MemorySegment.ofArray(id)))
        .isEqualTo(-1);
    assertThat(bytes.get(LittleEndian.U32, crc.offset()))
        .isEqualTo(LittleEndian.crc32(bytes, 0, crc.offset()));
    assertThat(entry).hasSize((int) (crc.offset() + crc.size()));
  }

  @Test
  void aTagIsTheBeginningOfTheHashThatThePageNames() {
    byte[] hashed = new byte[] {1, 0, 0, 0, 'n', 'o', 't', 'e'};

    assertThat(TypeTable.proposeTag(Example.NOTE)).isEqualTo(Blake3.hash(hashed).w0());
  }

  @Test
  void whatIsWrittenIsReadAgain() {
    TypeTable table = table(written(7, Example.NOTE), written(8, UMLAUT), written(9, type("")));
    table.open();

    assertThat(table.count()).isEqualTo(3);
    assertThat(table.type(8)).isEqualTo(UMLAUT);
    assertThat(table.tag(Example.NOTE)).isEqualTo(7);
    assertThat(table.tag(type(""))).isEqualTo(9);
    assertThat(table.tag(type("absent"))).isNull();
    assertThat(table.isKnown(8)).isTrue();
    assertThat(table.isKnown(10)).isFalse();
  }

  @Test
  void everyDamagedByteCostsItsEntryAlone() {
    byte[] first = written(7, Example.NOTE);
    byte[] last = written(9, type("last"));
    Bytes.eachDamaged(
        written(8, UMLAUT),
        damaged -> {
          TypeTable table = table(first, damaged, last);
          List<Long> reported = new ArrayList<>();

          table.open();

          assertThat(table.count()).isEqualTo(2);
          assertThat(table.tag(Example.NOTE)).isEqualTo(7);
          assertThat(table.tag(type("last"))).isEqualTo(9);
          assertThat(table.type(8)).isEqualTo(new DeclaredType("unknown-tag:8", 0));
          table.eachDamaged(damage -> reported.add(damage.offset()));
          assertThat(reported).containsExactly((long) first.length);
        });
  }

  @Test
  void aTagThatIsInNoEntryHasANameAllTheSame() {
    assertThat(table().type(0xabcL)).isEqualTo(new DeclaredType("unknown-tag:abc", 0));
  }

  @Test
  void theEndIsBehindTheLastWholeEntry() {
    byte[] first = written(7, Example.NOTE);
    byte[] second = written(8, UMLAUT);
    byte[] torn = Arrays.copyOf(second, second.length - 1);

    assertThat(endByScan(first, second)).isEqualTo(first.length + second.length);
    assertThat(endByScan(first, torn)).isEqualTo(first.length);
    assertThat(endByScan(first, new byte[100])).isEqualTo(first.length);
    assertThat(endByScan(torn, second)).isEqualTo(torn.length + second.length);
    assertThat(endByScan()).isZero();
  }

  private static long endByScan(byte[]... entries) {
    AppendFile file = AppendFile.open(new SimulatedDisk(0), TypeTable.FILE, FileGrowth.DEFAULTS);
    long at = 0;
    for (byte[] entry : entries) {
      file.write(at, ByteBuffer.wrap(entry));
      at += entry.length;
    }
    file.end(at);
    return TypeTable.endByScan(file);
  }

  private static DeclaredType type(String id) {
    return new DeclaredType(id, 1);
  }
}
