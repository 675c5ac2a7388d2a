// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import dev.varve.server.query.CqlQuery;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A query as a test of rows, for contexts to which no client writes. A text or a list of labels is
/// judged once, however many rows have it. To be used under the lock of its rows.
final class RowQuery implements Supplier<IntPredicate> {

  private final CqlQuery query;
  private final ContextRows rows;
  private @Nullable IntPredicate test;
  private @Nullable RowColumns columns;
  private int textCount;

  RowQuery(CqlQuery query, ContextRows rows) {
    this.query = query;
    this.rows = rows;
  }

  /// The test, for use before the rows change. It is made again when the rows have new texts.
  @Override
  public IntPredicate get() {
    IntPredicate present = test;
    RowColumns now = rows.columns();
    if (present == null || columns != now || textCount != now.texts().count()) {
      present = of(query, now);
      test = present;
      columns = now;
      textCount = now.texts().count();
    }
    return present;
  }

  private static IntPredicate of(CqlQuery query, RowColumns rows) {
    return switch (query) {
      case CqlQuery.And and -> {
        IntPredicate[] parts = parts(and.parts(), rows);
        yield row -> {
          for (IntPredicate part : parts) {
            if (!part.test(row)) {
              return false;
            }
          }
          return true;
        };
      }
      case CqlQuery.Or or -> {
        IntPredicate[] parts = parts(or.parts(), rows);
        yield row -> {
          for (IntPredicate part : parts) {
            if (part.test(row)) {
              return true;
            }
          }
          return false;
        };
      }
      case CqlQuery.Not not -> {
        IntPredicate part = of(not.part(), rows);
        yield row -> !part.test(row);
      }
      case CqlQuery.Text text -> text(text, rows);
      case CqlQuery.Label label -> label(label, rows);
      case CqlQuery.Id id -> id(id, rows);
      case CqlQuery.Amount amount ->
          switch (amount.field()) {
            case CREATED -> row -> amount.holds(rows.createdAtUnixMs(row));
            case DEPTH -> row -> amount.holds(rows.depth(row));
          };
      case CqlQuery.Live live -> _ -> !live.value();
    };
  }

  private static IntPredicate[] parts(Iterable<CqlQuery> queries, RowColumns rows) {
    List<IntPredicate> parts = new ArrayList<>();
    queries.forEach(query -> parts.add(of(query, rows)));
    return parts.toArray(IntPredicate[]::new);
  }

  private static IntPredicate text(CqlQuery.Text text, RowColumns rows) {
    IntColumn column = rows.words(text.field());
    if (text.comparison() == CqlQuery.TextComparison.EQUAL) {
      BitSet wanted = numbers(text.values(), rows.texts());
      return row -> wanted.get(column.get(row));
    }
    IntPredicate matches = remembered(comparison(text, rows.texts()));
    return row -> {
      int number = column.get(row);
      return number != 0 && matches.test(number);
    };
  }

  /// The comparison of a text by its bytes; by its characters where bytes do not decide.
  private static IntPredicate comparison(CqlQuery.Text text, TextPool texts) {
    IntPredicate characters =
        number -> text.holds(new String(texts.bytes(number), StandardCharsets.UTF_8));
    if (!text.values().stream().allMatch(value -> value.chars().allMatch(c -> c < 0x80))) {
      return characters;
    }
    byte[][] values =
        text.values().stream()
            .map(value -> value.getBytes(StandardCharsets.US_ASCII))
            .toArray(byte[][]::new);
    boolean isStart = text.comparison().isPrefix();
    boolean ignoresCase = text.comparison().ignoresCase();
    return number -> {
      for (byte[] value : values) {
        int result =
            ignoresCase
                ? texts.compareIgnoringCase(number, value, isStart)
                : texts.startsWith(number, value) ? 1 : 0;
        if (result != 0) {
          return result > 0 || characters.test(number);
        }
      }
      return false;
    };
  }

  private static IntPredicate label(CqlQuery.Label label, RowColumns rows) {
    BitSet wanted = numbers(label.values(), rows.texts());
    IntColumn column = rows.labels();
    IntPredicate matches =
        remembered(
            list -> {
              ByteBuffer numbers =
                  ByteBuffer.wrap(rows.lists().bytes(list)).order(ByteOrder.LITTLE_ENDIAN);
              while (numbers.hasRemaining()) {
                if (wanted.get(numbers.getInt())) {
                  return true;
                }
              }
              return false;
            });
    return row -> {
      int list = column.get(row);
      return list != 0 && matches.test(list);
    };
  }

  /// The numbers of texts, of those that any context has.
  private static BitSet numbers(Iterable<String> values, TextPool texts) {
    BitSet numbers = new BitSet();
    for (String value : values) {
      byte[] bytes = RowColumns.utf8(value);
      int number = bytes == null ? -1 : texts.find(bytes);
      if (number > 0) {
        numbers.set(number);
      }
    }
    return numbers;
  }

  /// A test whose results are remembered.
  private static IntPredicate remembered(IntPredicate test) {
    BitSet known = new BitSet();
    BitSet holding = new BitSet();
    return number -> {
      if (!known.get(number)) {
        known.set(number);
        holding.set(number, test.test(number));
      }
      return holding.get(number);
    };
  }

  private static IntPredicate id(CqlQuery.Id id, RowColumns rows) {
    Set<Integer> wanted = new HashSet<>();
    for (long value : id.values()) {
      if (RowColumns.hasRow(value)) {
        wanted.add((int) value);
      }
    }
    return switch (id.field()) {
      case ID -> wanted::contains;
      case PARENT -> row -> wanted.contains(rows.parents().get(row));
      case ROOT -> row -> wanted.contains(rows.roots().get(row));
    };
  }
}
