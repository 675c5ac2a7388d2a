// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The entries that were used last, up to a number of them. Safe for use by any number of threads.
final class RecentMap<K, V> {

  private final Map<K, V> entries; // guarded by this

  RecentMap(int entriesMax) {
    this.entries =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1;

          @Override
          protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > entriesMax;
          }
        };
  }

  synchronized @Nullable V find(K key) {
    return entries.get(key);
  }

  synchronized void put(K key, V value) {
    entries.put(key, value);
  }

  synchronized void remove(K key) {
    entries.remove(key);
  }
}
