// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.pi;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The claims of one session on the snapshots of a repository.
///
/// @param named every snapshot that it names
/// @param standing the snapshot of the last branch's files, the snapshot before the last restore,
///   and every snapshot that is named only in lines that Varve cannot read
/// @param labelled those of entries that have a label
record SnapshotClaims(Set<String> named, Set<String> standing, Set<String> labelled) {

  static SnapshotClaims of(SessionLog log, SnapshotBindings bindings) {
    Set<String> named = new HashSet<>(bindings.distinct());
    Set<String> standing = new HashSet<>(log.illegible());
    boolean undoFound = false;
    for (SessionEntry entry : log.entries().reversed()) {
      SessionMark mark = entry.mark();
      if (mark != null) {
        named.addAll(mark.snapshots());
        String undo =
            switch (mark) {
              case SessionMark.Op op -> op.undo();
              case SessionMark.ForkPending pending -> pending.undo();
              case SessionMark.Turn _ -> null;
            };
        if (undo != null && !undoFound) {
          undoFound = true;
          standing.add(undo);
        }
      }
    }
    named.addAll(log.illegible());
    SnapshotBindings.Standing last = bindings.standing(log.leaf());
    if (last.current() != null) {
      standing.add(last.current());
    }
    if (last.undo() != null) {
      standing.add(last.undo());
    }
    Set<String> labelled = new HashSet<>();
    RestorePoints points =
        new RestorePoints(log, bindings, new SessionLineage(List.of(), ""), _ -> true);
    for (String entry : log.labelled()) {
      String snapshot = points.at(entry);
      if (snapshot != null) {
        labelled.add(snapshot);
      }
    }
    return new SnapshotClaims(named, standing, labelled);
  }
}
