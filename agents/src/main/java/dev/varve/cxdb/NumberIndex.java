// SPDX-License-Identifier: Apache-2.0
package dev.varve.cxdb;

import java.util.Arrays;

/// The places of records in a file by their numbers: two sorted arrays, 16 bytes for each record.
/// Of several records with the same number the last one in the file counts, as for the reference
/// server.
final class NumberIndex {

  private long[] numbers = new long[1024];
  private long[] offsets = new long[1024];
  private int size;
  private boolean sorted = true;

  /// Adds the record of `number` at `offset`. Offsets rise.
  void add(long number, long offset) {
    if (size == numbers.length) {
      numbers = Arrays.copyOf(numbers, Math.multiplyExact(size, 2));
      offsets = Arrays.copyOf(offsets, Math.multiplyExact(size, 2));
    }
    sorted &= size == 0 || numbers[size - 1] < number;
    numbers[size] = number;
    offsets[size] = offset;
    size++;
  }

  /// Ends the adding; must be called before the first look-up. Records that were added in order
  /// need no sorting.
  void close() {
    if (sorted) {
      return;
    }
    Integer[] order = new Integer[size];
    Arrays.setAll(order, i -> i);
    long[] oldNumbers = numbers;
    long[] oldOffsets = offsets;
    Arrays.sort(order, (a, b) -> Long.compare(oldNumbers[a], oldNumbers[b])); // stable
    numbers = new long[size];
    offsets = new long[size];
    int kept = 0;
    for (int i = 0; i < order.length; i++) {
      if (kept > 0 && numbers[kept - 1] == oldNumbers[order[i]]) {
        kept--;
      }
      numbers[kept] = oldNumbers[order[i]];
      offsets[kept] = oldOffsets[order[i]];
      kept++;
    }
    size = kept;
    sorted = true;
  }

  int size() {
    return size;
  }

  long offset(int position) {
    return offsets[position];
  }

  /// The position of `number`, or a negative number if there is none.
  int position(long number) {
    return Arrays.binarySearch(numbers, 0, size, number);
  }
}
