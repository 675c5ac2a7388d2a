// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.surveys;

import dev.varve.BlobHash;
import dev.varve.TurnId;
import dev.varve.erase.NameSet;

/// The contents and turns that a survey has counted, as far as the memory for their names goes.
final class KnownContents {

  /// An odd factor, which spreads small numbers over a set and keeps different ones different.
  private static final long MIX = 0x9e3779b97f4a7c15L;

  private final NameSet contents = new NameSet();
  private final NameSet turns = new NameSet();
  private final long namesMax;
  private long names;

  /// @param namesMax the most names that are remembered
  KnownContents(long namesMax) {
    this.namesMax = namesMax;
  }

  /// Returns whether names are no longer remembered, so that what is known may seem new.
  boolean isFull() {
    return names >= namesMax;
  }

  /// The size of a content if it is new, otherwise 0.
  long kept(BlobHash content, long bytes) {
    return isNew(contents, content) ? bytes : 0;
  }

  boolean isNew(TurnId turn) {
    return isNew(turns, new BlobHash(turn.value() * MIX, 0, 0, 0));
  }

  private boolean isNew(NameSet set, BlobHash name) {
    if (set.mayHave(name.w0())) {
      return false;
    }
    if (!isFull()) {
      set.add(name);
      names++;
    }
    return true;
  }
}
