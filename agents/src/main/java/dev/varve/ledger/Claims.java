// SPDX-License-Identifier: Apache-2.0
package dev.varve.ledger;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// What one session wants of the snapshots of a repository.
///
/// @param named every snapshot that it names
/// @param standing where its files stand on its last branch, and before its last restore; snapshots
///   that only lines name which are not understood are taken for such
/// @param labelled those of entries that have a label
record Claims(Set<String> named, Set<String> standing, Set<String> labelled) {

  static Claims of(SessionLog log, Bindings bindings) {
    Set<String> named = new HashSet<>(bindings.distinct());
    Set<String> standing = new HashSet<>(log.illegible());
    boolean undoFound = false;
    for (SessionEntry entry : log.entries().reversed()) {
      Mark mark = entry.mark();
      if (mark != null) {
        named.addAll(mark.snapshots());
        String undo =
            switch (mark) {
              case Mark.Op op -> op.undo();
              case Mark.ForkPending pending -> pending.undo();
              case Mark.Turn _ -> null;
            };
        if (undo != null && !undoFound) {
          undoFound = true;
          standing.add(undo);
        }
      }
    }
    named.addAll(log.illegible());
    Bindings.Standing last = bindings.standing(log.leaf());
    if (last.current() != null) {
      standing.add(last.current());
    }
    if (last.undo() != null) {
      standing.add(last.undo());
    }
    Set<String> labelled = new HashSet<>();
    Points points = new Points(log, bindings, new Lineage(List.of(), ""), _ -> true);
    for (String entry : log.labelled()) {
      String snapshot = points.at(entry);
      if (snapshot != null) {
        labelled.add(snapshot);
      }
    }
    return new Claims(named, standing, labelled);
  }
}
