// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.pi;

import dev.varve.StoreException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The sessions that a session was forked from, the nearest first, and their bindings. Forks keep
/// the ids of entries, so that an entry's snapshot may be recorded in a session further up.
///
/// @param broken why the line of sessions ends where it should go on, a sentence; empty if it does
///   not
public record SessionLineage(List<Ancestor> ancestors, String broken) {

  /// Nobody forks this often; a longer line is a mistake of a program.
  private static final int ANCESTORS_MAX = 1_000;

  /// A session further up.
  record Ancestor(Path file, SessionLog log, SnapshotBindings bindings) {

    static Ancestor read(Path file) {
      SessionLog log = SessionLog.read(file);
      return new Ancestor(file, log, new SnapshotBindings(log));
    }
  }

  public SessionLineage {
    ancestors = List.copyOf(ancestors);
  }

  /// Follows `parentSession` from file to file. What cannot be read ends the line, and is said.
  ///
  /// @param self the session itself, so that a circle is known; null if it has no file yet
  static SessionLineage of(@Nullable Path self, @Nullable String parent) {
    List<Ancestor> ancestors = new ArrayList<>();
    Set<Path> met = new HashSet<>();
    if (self != null) {
      met.add(self.toAbsolutePath().normalize());
    }
    String next = parent;
    while (next != null && !next.isEmpty()) {
      String named = next;
      try {
        Path file = Path.of(named).toAbsolutePath().normalize();
        if (!met.add(file)) {
          return new SessionLineage(ancestors, "sessions are each other's parents: " + named);
        }
        if (ancestors.size() == ANCESTORS_MAX) {
          return new SessionLineage(ancestors, "more than " + ANCESTORS_MAX + " parents: " + named);
        }
        Ancestor ancestor = Ancestor.read(file);
        ancestors.add(ancestor);
        next = ancestor.log().header() == null ? null : ancestor.log().header().parentSession();
      } catch (InvalidPathException | StoreException.Io e) {
        return new SessionLineage(ancestors, "the parent session cannot be read: " + named);
      }
    }
    return new SessionLineage(ancestors, "");
  }

  /// The snapshot that the nearest session records for an entry.
  ///
  /// @param present whether the repository still has a snapshot
  @Nullable String find(String entry, Predicate<String> present) {
    for (Ancestor ancestor : ancestors) {
      String snapshot = ancestor.bindings().at(entry);
      if (snapshot != null && present.test(snapshot)) {
        return snapshot;
      }
    }
    return null;
  }
}
