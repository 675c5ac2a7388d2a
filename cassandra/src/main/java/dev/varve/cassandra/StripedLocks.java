// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// Locks for very many things: a few things share each lock. A thread that needs several takes them
/// in one order.
final class StripedLocks {

  private static final int COUNT = 4096;

  private final ReentrantLock[] locks = new ReentrantLock[COUNT];

  StripedLocks() {
    for (int i = 0; i < COUNT; i++) {
      locks[i] = new ReentrantLock();
    }
  }

  /// Does `work` while nobody else works on one of the things.
  <T> T with(Collection<?> things, Supplier<T> work) {
    List<ReentrantLock> needed =
        things.stream()
            .map(thing -> Math.floorMod(mixed(thing.hashCode()), COUNT))
            .distinct()
            .sorted()
            .map(index -> locks[index])
            .toList();
    needed.forEach(ReentrantLock::lock);
    try {
      return work.get();
    } finally {
      needed.reversed().forEach(ReentrantLock::unlock);
    }
  }

  private static int mixed(int hash) {
    return (hash * 0x9E3779B9) >>> 16;
  }
}
