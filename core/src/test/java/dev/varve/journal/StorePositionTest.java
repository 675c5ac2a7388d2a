// SPDX-License-Identifier: Apache-2.0
package dev.varve.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.disk.LittleEndian;
import dev.varve.format.Bytes;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StorePositionTest {

  @Test
  void theLayoutHasTheComponentsInTheirOrder() {
    List<String> components = List.copyOf(fields(Positions.distinct(1000, 77)).keySet());

    List<String> fields =
        StorePosition.LAYOUT.memberLayouts().stream()
            .map(MemoryLayout::name)
            .map(name -> name.orElse(""))
            .toList();
    assertThat(fields).isEqualTo(components).hasSize(StorePosition.FIELDS);
  }

  @Test
  void eachNumberIsWrittenUnderItsNameAndReadAgain() {
    StorePosition position = Positions.distinct(1000, 77);
    MemorySegment bytes = MemorySegment.ofArray(new byte[8 + StorePosition.SIZE_BYTES]);
    position.write(bytes, 8);

    assertThat(Bytes.fields(StorePosition.LAYOUT, bytes.asSlice(8))).isEqualTo(fields(position));
    assertThat(StorePosition.read(bytes, 8)).isEqualTo(position);
  }

  /// The numbers of a record and of the records in it, each under its name in the layout.
  private static Map<String, Object> fields(Record record) {
    Map<String, Object> fields = new LinkedHashMap<>();
    for (RecordComponent component : record.getClass().getRecordComponents()) {
      Object value = valueOf(record, component);
      if (value instanceof Record part) {
        fields.putAll(fields(part));
      } else {
        String name = component.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
        fields.put(name, value);
      }
    }
    return fields;
  }

  private static Object valueOf(Record record, RecordComponent component) {
    try {
      return component.getAccessor().invoke(record);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aNegativeNumberIsNotPlausible() {
    assertThat(StorePosition.START.plausible()).isTrue();
    for (int field = 0; field < StorePosition.FIELDS; field++) {
      MemorySegment bytes = MemorySegment.ofArray(new byte[StorePosition.SIZE_BYTES]);
      bytes.set(LittleEndian.U64, 8L * field, -1);
      assertThat(StorePosition.read(bytes, 0).plausible()).as("field %d", field).isFalse();
    }
  }
}
