// SPDX-License-Identifier: Apache-2.0
package dev.varve.format;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The fields of a record as a page tells them.
///
/// Offsets and sizes are numbers, or sums and products of numbers and names: `48 + stored_len`. The
/// rows up to the first that is not a number are the fixed part, which the code has as a layout.
public record FieldTable(List<Row> rows) {

  /// One row; `offset` and `size` as they stand in the page.
  public record Row(String offset, String size, String field) {
    boolean isFixed() {
      return offset.matches("\\d+") && size.matches("\\d+");
    }
  }

  /// Where a field is.
  public record Place(long offset, long size) {}

  public FieldTable {
    rows = List.copyOf(rows);
  }

  /// In what the fixed part differs from a layout; empty if in nothing.
  public List<String> differences(StructLayout layout) {
    List<String> inCode = new ArrayList<>();
    long at = 0;
    for (MemoryLayout member : layout.memberLayouts()) {
      requireLittleEndian(member);
      inCode.add(at + ": " + member.byteSize() + " bytes " + member.name().orElseThrow());
      at += member.byteSize();
    }
    List<String> inPage = new ArrayList<>();
    for (Row row : rows) {
      if (!row.isFixed()) {
        break;
      }
      inPage.add(row.offset() + ": " + row.size() + " bytes " + row.field());
    }
    List<String> differences = new ArrayList<>();
    for (int i = 0; i < Math.max(inCode.size(), inPage.size()); i++) {
      String page = i < inPage.size() ? inPage.get(i) : "nothing";
      String code = i < inCode.size() ? inCode.get(i) : "nothing";
      if (!page.equals(code)) {
        differences.add("the page says " + page + ", the code " + code);
      }
    }
    return differences;
  }

  private static void requireLittleEndian(MemoryLayout member) {
    boolean fine =
        switch (member) {
          case ValueLayout value -> value.order() == ByteOrder.LITTLE_ENDIAN;
          case SequenceLayout bytes -> bytes.elementLayout().byteSize() == 1;
          default -> false;
        };
    if (!fine) {
      throw new AssertionError("neither a little-endian number nor bytes: " + member);
    }
  }

  /// Where each field is, the names in offsets and sizes standing for these numbers.
  public Map<String, Place> places(Map<String, Long> numbers) {
    Map<String, Place> places = new LinkedHashMap<>();
    for (Row row : rows) {
      places.put(row.field(), new Place(value(row.offset(), numbers), value(row.size(), numbers)));
    }
    return places;
  }

  private static long value(String sum, Map<String, Long> numbers) {
    long total = 0;
    for (String product : sum.split("\\+")) {
      long value = 1;
      for (String factor : product.split("\\*")) {
        String name = factor.strip().replace("`", "");
        Long number = name.matches("\\d+") ? Long.valueOf(name) : numbers.get(name);
        if (number == null) {
          throw new AssertionError("'" + sum + "' names '" + name + "', known are " + numbers);
        }
        value *= number;
      }
      total += value;
    }
    return total;
  }
}
