// SPDX-License-Identifier: Apache-2.0
package dev.varve.ledger;

import dev.varve.checkpoint.Rewind;
import dev.varve.session.Kind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The points of a session that files can be brought back to.
///
/// Bound are the messages of users (the files before them) and of the agent (after them, with what
/// its tools did), compactions and summaries of branches. Other entries stand for the point that
/// they follow, where nothing can have changed in between: the last result of a turn's tools, what
/// an extension says, a label.
///
/// @param present whether the repository still has a snapshot
public record Points(
    SessionLog log, Bindings bindings, Lineage lineage, Predicate<String> present) {

  /// The points of a session that nobody works in.
  ///
  /// @throws dev.varve.StoreException.Io if its file cannot be read
  public static Points of(Path session, Rewind rewind) {
    SessionLog log = SessionLog.read(session);
    Bindings bindings = new Bindings(log);
    String parent = log.header() == null ? null : log.header().parentSession();
    Lineage lineage = Lineage.of(session, parent);
    Set<String> named = new HashSet<>(bindings.distinct());
    lineage.ancestors().forEach(ancestor -> named.addAll(ancestor.bindings().distinct()));
    return new Points(log, bindings, lineage, rewind.present(named)::contains);
  }

  /// A point.
  ///
  /// @param entry null if the session's entry is not known: it is in a parent
  public record Point(String id, String snapshot, @Nullable SessionEntry entry) {}

  /// The snapshot of the files at an entry; null if there is none, or no more.
  public @Nullable String at(String id) {
    String own = direct(id);
    if (own != null) {
      return own;
    }
    SessionEntry entry = log.find(id);
    if (entry == null || !follows(entry)) {
      return null;
    }
    for (SessionEntry above : log.up(entry.parent())) {
      String snapshot = direct(above.id());
      if (snapshot != null) {
        return snapshot;
      }
      if (!passable(above.kind())) {
        return null;
      }
    }
    return null;
  }

  private @Nullable String direct(String id) {
    String own = bindings.at(id);
    return own != null && present.test(own) ? own : lineage.find(id, present);
  }

  /// Between the results of one turn's tools files changed; nobody saw how they were.
  private boolean follows(SessionEntry entry) {
    return entry.kind() == Kind.TOOL_RESULT
        ? log.entries().stream()
            .noneMatch(next -> next.kind() == Kind.TOOL_RESULT && entry.id().equals(next.parent()))
        : passable(entry.kind());
  }

  private static boolean passable(Kind kind) {
    return switch (kind) {
      case TOOL_RESULT, CUSTOM, CUSTOM_MESSAGE, LABEL, MODEL, THINKING, NAME, USAGE, CONTEXT_EDIT ->
          true;
      // Files may have changed at these, and at whatever is not known.
      case USER, ASSISTANT, SYSTEM, BASH, OTHER_MESSAGE, COMPACTION, BRANCH_SUMMARY, UNKNOWN ->
          false;
    };
  }

  /// The points of a branch, the last first; those told by parent sessions among them.
  public List<Point> on(@Nullable String leaf) {
    List<Point> points = new ArrayList<>();
    for (SessionEntry entry : log.up(leaf)) {
      String snapshot = direct(entry.id());
      if (snapshot != null) {
        points.add(new Point(entry.id(), snapshot, entry));
      }
    }
    return points;
  }

  /// All points of the session, the last first, whatever branch they are on.
  public List<Point> all() {
    Map<String, Point> points = new LinkedHashMap<>();
    for (SessionEntry entry : log.entries().reversed()) {
      String snapshot = direct(entry.id());
      if (snapshot != null) {
        points.putIfAbsent(entry.id(), new Point(entry.id(), snapshot, entry));
      }
    }
    return List.copyOf(points.values());
  }

  /// How many entries of the session are bound to snapshots that are there.
  public long count() {
    return bindings.all().values().stream().filter(present).count();
  }

  /// How many different snapshots they are bound to.
  public long snapshots() {
    return bindings.distinct().stream().filter(present).count();
  }
}
