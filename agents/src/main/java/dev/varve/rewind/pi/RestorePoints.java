// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.pi;

import dev.varve.pi.session.EntryKind;
import dev.varve.rewind.Rewind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The points of a session that files can be brought back to.
///
/// Messages of users are bound to the files before them, messages of the agent to the files after
/// them and their tools; compactions and summaries of branches are bound too. Other entries stand
/// for the point that they follow if nothing can have changed in between: the last result of a
/// turn's tools, the words of an extension, a label.
///
/// @param present whether the repository still has a snapshot
public record RestorePoints(
    SessionLog log, SnapshotBindings bindings, SessionLineage lineage, Predicate<String> present) {

  /// The points of a session that nobody works in.
  ///
  /// @throws dev.varve.StoreException.Io if its file cannot be read
  public static RestorePoints of(Path session, Rewind rewind) {
    SessionLog log = SessionLog.read(session);
    SnapshotBindings bindings = new SnapshotBindings(log);
    String parent = log.header() == null ? null : log.header().parentSession();
    SessionLineage lineage = SessionLineage.of(session, parent);
    Set<String> named = new HashSet<>(bindings.distinct());
    lineage.ancestors().forEach(ancestor -> named.addAll(ancestor.bindings().distinct()));
    return new RestorePoints(log, bindings, lineage, rewind.present(named)::contains);
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

  /// True if an entry stands for the point before it. Between the results of one turn's tools files
  /// change unseen.
  private boolean follows(SessionEntry entry) {
    return entry.kind() == EntryKind.TOOL_RESULT
        ? log.entries().stream()
            .noneMatch(
                next -> next.kind() == EntryKind.TOOL_RESULT && entry.id().equals(next.parent()))
        : passable(entry.kind());
  }

  private static boolean passable(EntryKind kind) {
    return switch (kind) {
      case TOOL_RESULT, CUSTOM, CUSTOM_MESSAGE, LABEL, MODEL, THINKING, NAME, USAGE, CONTEXT_EDIT ->
          true;
      // Files may have changed at these, and at whatever is not known.
      case USER, ASSISTANT, SYSTEM, BASH, OTHER_MESSAGE, COMPACTION, BRANCH_SUMMARY, UNKNOWN ->
          false;
    };
  }

  /// The points of a branch, the last first, including those of parent sessions.
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

  /// Snapshots of entries of a branch that are no points, because this worktree does not have them:
  /// they were taken elsewhere, or are no longer kept. One for each entry.
  public List<String> absent(@Nullable String leaf) {
    List<String> absent = new ArrayList<>();
    for (SessionEntry entry : log.up(leaf)) {
      if (direct(entry.id()) == null) {
        absentAt(entry.id()).ifPresent(absent::add);
      }
    }
    return absent;
  }

  /// The snapshot of an entry that this worktree does not have; empty if the entry has none.
  public Optional<String> absentAt(String id) {
    String own = bindings.at(id);
    String bound = own != null ? own : lineage.find(id, _ -> true);
    return Optional.ofNullable(bound).filter(snapshot -> !present.test(snapshot));
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

  /// The number of entries of the session that are bound to existing snapshots.
  public long count() {
    return bindings.all().values().stream().filter(present).count();
  }

  /// The number of different snapshots that entries are bound to.
  public long snapshots() {
    return bindings.distinct().stream().filter(present).count();
  }
}
