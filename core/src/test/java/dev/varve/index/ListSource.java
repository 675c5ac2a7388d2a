// SPDX-License-Identifier: Apache-2.0
package dev.varve.index;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/// The primary list of the tests, in memory. An entry is given with what it supersedes.
final class ListSource implements EntrySource {

  record Entry(long fingerprint, long value, LongPredicate superseded) {}

  private final List<Entry> entries = new ArrayList<>();

  synchronized void add(long fingerprint, long value) {
    add(fingerprint, value, _ -> false);
  }

  synchronized void add(long fingerprint, long value, LongPredicate superseded) {
    entries.add(new Entry(fingerprint, value, superseded));
  }

  synchronized void cutTo(int count) {
    entries.subList(count, entries.size()).clear();
  }

  synchronized List<Entry> copy(int from) {
    return List.copyOf(entries.subList(from, entries.size()));
  }

  @Override
  public synchronized long count() {
    return entries.size();
  }

  @Override
  public void entries(long from, EntrySink sink) {
    for (Entry entry : copy(Math.toIntExact(from))) {
      sink.put(entry.fingerprint(), entry.value(), entry.superseded());
    }
  }
}
