// SPDX-License-Identifier: Apache-2.0
package dev.varve.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.disk.LittleEndian;
import dev.varve.format.Bytes;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PositionTest {

  @Test
  void theLayoutHasTheComponentsInTheirOrder() {
    List<String> components =
        Arrays.stream(Position.class.getRecordComponents())
            .map(RecordComponent::getName)
            .map(name -> name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT))
            .toList();

    List<String> fields =
        Position.LAYOUT.memberLayouts().stream()
            .map(MemoryLayout::name)
            .map(name -> name.orElse(""))
            .toList();
    assertThat(fields).isEqualTo(components).hasSize(Position.FIELDS);
  }

  @Test
  void eachNumberIsWrittenUnderItsNameAndReadAgain() throws ReflectiveOperationException {
    Position position = Positions.distinct(1000, 77);
    MemorySegment bytes = MemorySegment.ofArray(new byte[8 + Position.SIZE_BYTES]);
    position.write(bytes, 8);

    Map<String, Object> fields = Bytes.fields(Position.LAYOUT, bytes.asSlice(8));
    for (RecordComponent component : Position.class.getRecordComponents()) {
      String name = component.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
      assertThat(fields).containsEntry(name, component.getAccessor().invoke(position));
    }
    assertThat(Position.read(bytes, 8)).isEqualTo(position);
  }

  @Test
  void aNegativeNumberIsNotPlausible() {
    assertThat(Position.START.plausible()).isTrue();
    for (int field = 0; field < Position.FIELDS; field++) {
      MemorySegment bytes = MemorySegment.ofArray(new byte[Position.SIZE_BYTES]);
      bytes.set(LittleEndian.U64, 8L * field, -1);
      assertThat(Position.read(bytes, 0).plausible()).as("field %d", field).isFalse();
    }
  }
}
