// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.Store;
import dev.varve.TurnId;
import dev.varve.server.value.IdFormat;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/// The marks of a tree: on the way to each knot the compactions, the snapshots and the sub-agents,
/// and at a knot after which paths part whether one session was taken back to it.
final class TreeMarks {

  /// The most marks of a tree that are named; all are counted.
  private static final int NAMED_MAX = 5_000;

  private final Store store;
  private final LineScan scan;
  private final Map<TurnId, BranchTree.Knot> knots = new LinkedHashMap<>();
  private final Map<ContextId, BranchTree.Knot> heads = new HashMap<>();

  /// A context on whose path a knot is.
  private final Map<TurnId, ContextId> lines = new HashMap<>();

  private final Map<TurnId, Integer> ways = new HashMap<>();
  private final Set<TurnId> rewinds = new HashSet<>();
  private final Map<TurnId, List<LineMark>> subAgents = new HashMap<>();
  private final Map<TurnId, LineScan.Found> found = new HashMap<>();
  private boolean isWhole = true;

  /// @param tree each knot before those that follow it, one branch after the other
  TreeMarks(Store store, LineScan scan, List<BranchTree.Knot> tree) {
    this.store = store;
    this.scan = scan;
    for (BranchTree.Knot knot : tree) {
      knots.put(knot.turn(), knot);
      knot.contexts().forEach(context -> heads.put(context, knot));
      ways.merge(knot.turn(), knot.contexts().isEmpty() ? 0 : 1, Integer::sum);
    }
    for (BranchTree.Knot knot : tree.reversed()) {
      knot.contexts().stream().findFirst().ifPresent(line -> lines.put(knot.turn(), line));
      TurnId parent = knot.parent();
      if (parent != null) {
        lines.putIfAbsent(parent, lines.getOrDefault(knot.turn(), new ContextId(0)));
        ways.merge(parent, 1, Integer::sum);
      }
    }
  }

  /// Finds the marks, as far as there is time.
  ///
  /// @param contexts those whose paths the tree has; each has a turn
  void find(List<ContextHead> contexts, ContextIndex index, Deadline deadline) {
    Map<ContextId, SessionPart> parts = new HashMap<>();
    for (ContextHead head : contexts) {
      SessionPart.of(head.about(), store).ifPresent(part -> parts.put(head.id(), part));
    }
    rewinds(parts);
    for (SubAgentMarks.Begun begun : new SubAgentMarks(store, index, parts).among(contexts)) {
      BranchTree.Knot knot = heads.get(begun.line().id());
      if (knot != null) {
        TurnId on = wayTo(knot, begun.mark().depth()).turn();
        subAgents.computeIfAbsent(on, _ -> new ArrayList<>()).add(begun.mark());
      }
    }
    for (BranchTree.Knot knot : knots.values()) {
      int first = knot.depth() - knot.turns() + 1;
      ContextId line = lines.getOrDefault(knot.turn(), new ContextId(0));
      LineScan.Found here = scan.marks(line, first, knot.turn(), knot.depth(), deadline);
      isWhole &= here.isWhole();
      found.put(knot.turn(), here);
    }
  }

  /// The knot at the end of the way on which the turn of a depth is.
  private BranchTree.Knot wayTo(BranchTree.Knot end, int depth) {
    BranchTree.Knot knot = end;
    for (BranchTree.Knot before = before(knot);
        before != null && before.depth() >= depth;
        before = before(knot)) {
      knot = before;
    }
    return knot;
  }

  private BranchTree.@Nullable Knot before(BranchTree.Knot knot) {
    return knot.parent() == null ? null : knots.get(knot.parent());
  }

  /// Notes the knots at which two contexts of one transcript part.
  private void rewinds(Map<ContextId, SessionPart> parts) {
    Map<SessionPart, BranchTree.Knot> former = new HashMap<>();
    for (BranchTree.Knot knot : knots.values()) {
      for (ContextId context : knot.contexts()) {
        SessionPart part = parts.get(context);
        BranchTree.Knot other = part == null ? null : former.put(part, knot);
        if (other != null) {
          parting(other, knot);
        }
      }
    }
  }

  private void parting(BranchTree.Knot a, BranchTree.Knot b) {
    BranchTree.Knot one = a;
    BranchTree.Knot two = b;
    while (one != null && two != null && !one.equals(two)) {
      if (one.depth() >= two.depth()) {
        one = before(one);
      } else {
        two = before(two);
      }
    }
    if (one != null && one.equals(two)) {
      rewinds.add(one.turn());
    }
  }

  /// Returns whether all turns of the tree were looked at.
  boolean isWhole() {
    return isWhole;
  }

  /// The writer of one answer.
  Writer writer(IdFormat ids) {
    return new Writer(ids);
  }

  /// Writes the marks of the tree's knots, one knot after the other.
  final class Writer {
    private final IdFormat ids;
    private int named;

    private Writer(IdFormat ids) {
      this.ids = ids;
    }

    /// Writes the members of a knot.
    void write(BranchTree.Knot knot, JsonGenerator json) {
      if (ways.getOrDefault(knot.turn(), 0) > 1) {
        json.writeStringProperty("parting", rewinds.contains(knot.turn()) ? "rewind" : "fork");
      }
      List<LineMark> begun = subAgents.getOrDefault(knot.turn(), List.of());
      LineScan.Found here = found.get(knot.turn());
      List<LineMark> marks =
          new ArrayList<>(begun.subList(0, Math.min(LineScan.NAMED_MAX, begun.size())));
      json.writeObjectPropertyStart("mark_counts");
      json.writeNumberProperty("compaction", here == null ? 0 : here.compactionCount());
      json.writeNumberProperty("snapshot", here == null ? 0 : here.snapshotCount());
      json.writeNumberProperty("sub_agent", begun.size());
      json.writeEndObject();
      if (here != null) {
        marks.addAll(here.compactions());
        marks.addAll(here.snapshots());
      }
      marks.sort(Comparator.comparingInt(LineMark::depth).thenComparing(LineMark::kind));
      json.writeArrayPropertyStart("marks");
      for (LineMark mark : marks.subList(0, Math.min(marks.size(), NAMED_MAX - named))) {
        mark.write(ids, json);
        named++;
      }
      json.writeEndArray();
    }
  }
}
