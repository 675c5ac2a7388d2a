// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import java.util.Collection;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/// A number of objects and the sum of their sizes.
public record SizedCount(long count, long sizeBytes) {

  /// Counts objects and adds up their sizes.
  public static <T> SizedCount of(Collection<T> objects, ToLongFunction<? super T> sizeBytes) {
    return new SizedCount(objects.size(), objects.stream().mapToLong(sizeBytes).sum());
  }

  SizedCount plus(SizedCount other) {
    return new SizedCount(count + other.count, sizeBytes + other.sizeBytes);
  }

  SizedCount plus(long oneSizeBytes) {
    return new SizedCount(count + 1, sizeBytes + oneSizeBytes);
  }

  /// The sum of many counts.
  static <T> SizedCount sum(Collection<T> parts, Function<T, SizedCount> part) {
    return parts.stream().map(part).reduce(new SizedCount(0, 0), SizedCount::plus);
  }
}
