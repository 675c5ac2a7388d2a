// SPDX-License-Identifier: Apache-2.0
package dev.varve.format;

import static dev.varve.disk.LittleEndian.U16;
import static dev.varve.disk.LittleEndian.U32;
import static dev.varve.disk.LittleEndian.U64;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.disk.LittleEndian;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FormatPageTest {

  private static final String PAGE =
      """
      # A page

      | name | other |
      |---|---|
      | a | table |

      ## Record

      | offset | size | field | meaning |
      |---:|---:|---|---|
      | 0 | 4 | `magic` | four letters |
      | 4 | 8 | `number` | any |
      | 12 | 3 | `name` | letters |
      | 15 | `len` | `text` | as it is |
      | 15 + `len` | 2 * `len` | `twice` | again |
      | 15 + 3 * `len` | 4 | `crc32` | of all before |

      ## Example

      ```hex
      00000000  41                                                |A|
      00000001
      ```
      """;

  private static final StructLayout LAYOUT =
      MemoryLayout.structLayout(
          U32.withName("magic"), U64.withName("number"), LittleEndian.bytes(3, "name"));

  private static FieldTable table(String page) {
    return FormatPage.parse("page", page).table("Record");
  }

  @Test
  void aPageThatTellsTheLayoutDiffersInNothing() {
    assertThat(table(PAGE).differences(LAYOUT)).isEmpty();
  }

  @Test
  void anEditOfThePageAloneIsFound() {
    for (String[] edit :
        new String[][] {
          {"`magic`", "`Magic`"},
          {"| 4 | 8 |", "| 4 | 4 |"},
          {"| 4 | 8 |", "| 8 | 8 |"},
          {"| 12 | 3 | `name` | letters |\n", ""},
          {"| 15 | `len` |", "| 15 | 1 | `more` | new |\n| 16 | `len` |"},
          {"| 0 | 4 | `magic` | four letters |\n", ""}
        }) {
      String edited = PAGE.replace(edit[0], edit[1]);
      assertThat(edited).isNotEqualTo(PAGE);
      assertThat(table(edited).differences(LAYOUT)).as("%s for %s", edit[1], edit[0]).isNotEmpty();
    }
  }

  @Test
  void anEditOfTheLayoutAloneIsFound() {
    for (StructLayout edited :
        new StructLayout[] {
          MemoryLayout.structLayout(U32.withName("magic"), U64.withName("number")),
          MemoryLayout.structLayout(
              U32.withName("magic"), U64.withName("count"), LittleEndian.bytes(3, "name")),
          MemoryLayout.structLayout(
              U64.withName("magic"), U32.withName("number"), LittleEndian.bytes(3, "name")),
          MemoryLayout.structLayout(
              U64.withName("number"), U32.withName("magic"), LittleEndian.bytes(3, "name")),
          MemoryLayout.structLayout(
              U32.withName("magic"),
              U64.withName("number"),
              LittleEndian.bytes(3, "name"),
              U16.withName("more"))
        }) {
      assertThat(table(PAGE).differences(edited)).as("%s", edited).isNotEmpty();
    }
  }

  @Test
  void aLayoutThatIsNotLittleEndianIsRefused() {
    StructLayout big =
        MemoryLayout.structLayout(
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN).withName("magic"));

    assertThatThrownBy(() -> table(PAGE).differences(big)).isInstanceOf(AssertionError.class);
  }

  @Test
  void placesFollowTheLengthsThatThePageNames() {
    Map<String, FieldTable.Place> places = table(PAGE).places(Map.of("len", 5L));

    assertThat(places)
        .containsEntry("name", new FieldTable.Place(12, 3))
        .containsEntry("text", new FieldTable.Place(15, 5))
        .containsEntry("twice", new FieldTable.Place(20, 10))
        .containsEntry("crc32", new FieldTable.Place(30, 4));
    assertThatThrownBy(() -> table(PAGE).places(Map.of())).hasMessageContaining("'len'");
  }

  @Test
  void whatIsNotOnThePageIsMissed() {
    FormatPage page = FormatPage.parse("page", PAGE);

    assertThatThrownBy(() -> page.table("Trailer")).hasMessageContaining("no heading 'Trailer'");
    assertThatThrownBy(() -> page.table("Example")).hasMessageContaining("no table");
    assertThatThrownBy(() -> page.example("Record")).hasMessageContaining("no example");
    assertThatThrownBy(() -> table(PAGE.replace("`number`", "number")))
        .hasMessageContaining("not a row of a field");
  }

  @Test
  void examplesAreDumpsOfBytes() {
    assertThat(FormatPage.parse("page", PAGE).example("Example"))
        .isEqualTo(Bytes.dump(new byte[] {'A'}));
    byte[] bytes = new byte[70];
    bytes[17] = 'x';
    bytes[69] = (byte) 0xfe;
    assertThat(Bytes.dump(bytes))
        .isEqualTo(
            """
            00000000  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|
            00000010  00 78 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |.x..............|
            00000020  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|
            *
            00000040  00 00 00 00 00 fe                                 |......|
            00000046
            """);
  }

  @Test
  void fieldsAreReadWhereTheLayoutHasThem() {
    MemorySegment bytes = MemorySegment.ofArray(new byte[15]);
    bytes.set(U32, 0, 0xfffffffe);
    bytes.set(U64, 4, -3);
    bytes.set(U16, 13, (short) 0x0201);

    assertThat(Bytes.fields(LAYOUT, bytes))
        .isEqualTo(Map.of("magic", 0xfffffffeL, "number", -3L, "name", "000102"));
  }
}
