// SPDX-License-Identifier: Apache-2.0
package dev.varve.vector;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Objects;
import jdk.incubator.vector.VectorSpecies;

/// The steps of hashing a row of bytes in each lane, at one width.
///
/// Rows become lanes in two steps, both without a shuffle: `take` copies a row's 64-bit words to
/// its column, `split` parts them into 32-bit words. That leaves the rows in the order 0, n/2, 1,
/// n/2 + 1, …, which does not matter as long as everybody uses [#lane(int)].
interface HashLanes {

  /// The number of rows that fit: 4, 8 or 16.
  int count();

  /// Copies the 64 bytes at `at` to the column of `row`.
  ///
  /// @param pairs 8 words for each lane
  void take(byte[] bytes, int at, int row, long[] pairs);

  /// Makes the message of what was taken.
  ///
  /// @param message 16 words for each lane
  void split(long[] pairs, int[] message);

  /// Mixes the message into `cv`.
  ///
  /// @param cv 8 words for each lane
  /// @param last the last four words of the state for each lane: counter (low, high), length, flags
  void compress(int[] cv, int[] message, int[] last);

  /// The lane of a row.
  default int lane(int row) {
    int half = count() / 2;
    return row < half ? 2 * row : 2 * (row - half) + 1;
  }

  /// The steps at the width of `species`, which is best no wider than the processor's registers: a
  /// wider one is right, and a hundred times slower.
  static HashLanes of(VectorSpecies<Integer> species) {
    try (InputStream code = HashLanes.class.getResourceAsStream("LaneKernel.class")) {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      MethodHandles.Lookup copy =
          lookup.defineHiddenClassWithClassData(
              Objects.requireNonNull(code, "LaneKernel.class").readAllBytes(), species, true);
      MethodType constructor = MethodType.methodType(void.class);
      return (HashLanes) copy.findConstructor(copy.lookupClass(), constructor).invoke();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (Throwable e) {
      throw new AssertionError("LaneKernel at " + species, e);
    }
  }
}
