// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.server.value.IdFormat;
import dev.varve.server.value.JsonOutput;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/// The answers about the branches of a conversation: the contexts that come from one origin, the
/// turns that they share, and where two of them part.
public final class BranchViews {

  /// The time for the pass over all contexts that finds the children of a context.
  private static final Duration CHILDREN_TIME = Duration.ofSeconds(5);

  /// The time for looking for marks.
  private static final Duration MARKS_TIME = Duration.ofMillis(250);

  private final Store store;
  private final ContextIndex index;
  private final LiveSessions sessions;
  private final Duration marksTime;

  public BranchViews(Store store, ContextIndex index, LiveSessions sessions) {
    this(store, index, sessions, MARKS_TIME);
  }

  /// @param marksTime for looking for marks
  BranchViews(Store store, ContextIndex index, LiveSessions sessions, Duration marksTime) {
    this.store = store;
    this.index = index;
    this.sessions = sessions;
    this.marksTime = marksTime;
  }

  /// The family of a context: the contexts that have the same origin.
  ///
  /// @param shown the first of them
  /// @param count the number of all
  /// @param isComplete whether all contexts of the store were looked at
  private record Family(List<ContextHead> shown, int count, boolean isComplete) {}

  /// The tree of a context and of all contexts that share its origin, with the marks on its ways as
  /// far as there is time: `marks_incomplete` if some need more. A client that asks again gets on.
  ///
  /// @param limit the most contexts in the tree; all are counted
  /// @throws StoreException.NotFound if the context was never created
  public JsonOutput tree(ContextId id, int limit, IdFormat ids) {
    Family family = family(store.head(id), limit);
    List<ContextHead> shown = family.shown();
    List<ContextHead> drawn = shown.stream().filter(head -> !head.head().isNone()).toList();
    BranchTree tree = new BranchTree(store);
    drawn.forEach(tree::add);
    List<BranchTree.Knot> knots = tree.knots();
    TreeMarks marks = new TreeMarks(store, index.lineScan(), knots);
    marks.find(drawn, index, Deadline.in(marksTime));
    EntryWriter writer = new EntryWriter(index, sessions, ids, false, null);
    return json -> {
      json.writeStartObject();
      ids.property(json, "context_id", id);
      json.writeArrayPropertyStart("knots");
      TreeMarks.Writer marksWriter = marks.writer(ids);
      knots.forEach(knot -> write(knot, marksWriter, ids, json));
      json.writeEndArray();
      json.writeBooleanProperty("marks_incomplete", !marks.isWhole());
      json.writeArrayPropertyStart("contexts");
      shown.forEach(head -> writer.write(head, json));
      json.writeEndArray();
      json.writeNumberProperty("total_count", family.count());
      json.writeBooleanProperty("incomplete", !family.isComplete());
      json.writeEndObject();
    };
  }

  private static void write(
      BranchTree.Knot knot, TreeMarks.Writer marks, IdFormat ids, JsonGenerator json) {
    json.writeStartObject();
    ids.property(json, "turn_id", knot.turn());
    json.writeNumberProperty("depth", knot.depth());
    id(json, ids, "parent_turn_id", knot.parent());
    json.writeNumberProperty("turns", knot.turns());
    json.writeArrayPropertyStart("context_ids");
    knot.contexts().forEach(context -> ids.write(json, context.value()));
    json.writeEndArray();
    marks.write(knot, json);
    json.writeEndObject();
  }

  private static void id(JsonGenerator json, IdFormat ids, String name, @Nullable TurnId turn) {
    if (turn == null) {
      json.writeNullProperty(name);
    } else {
      ids.property(json, name, turn);
    }
  }

  /// The context itself first, then its origin and what comes from the origin, the nearest first.
  private Family family(ContextHead of, int limit) {
    ContextLineage all = index.lineage(CHILDREN_TIME);
    Set<Long> seen = new HashSet<>();
    long origin = of.id().value();
    for (Long parent = origin; parent != null && seen.add(parent); parent = parent(parent)) {
      origin = parent;
    }
    seen.clear();
    boolean isComplete = true;
    List<ContextHead> shown = new ArrayList<>();
    if (limit > 0) {
      shown.add(of);
    }
    int count = 1;
    Deque<Long> waiting = new ArrayDeque<>(List.of(origin));
    if (!of.head().isNone()) { // a session that another program forked has its first turns
      waiting.add(store.turn(store.ancestor(of.head(), 0), View.HEADERS).context().value());
    }
    while (!waiting.isEmpty()) {
      long next = waiting.remove();
      if (!seen.add(next)) {
        continue; // declared parents may form a circle
      }
      if (next != of.id().value() && index.isConversation(new ContextId(next))) {
        count++;
        if (shown.size() < limit) {
          shown.add(store.head(new ContextId(next)));
        }
      }
      ContextLineage.Children children = all.of(next, Integer.MAX_VALUE);
      isComplete &= children.isComplete();
      for (long child : children.ids()) {
        waiting.add(child);
      }
    }
    return new Family(shown, count, isComplete);
  }

  private @Nullable Long parent(long context) {
    return find(context).map(head -> index.entry(head).parent()).orElse(null);
  }

  private Optional<ContextHead> find(long context) {
    try {
      return context == 0 ? Optional.empty() : Optional.of(store.head(new ContextId(context)));
    } catch (StoreException.NotFound e) {
      return Optional.empty(); // a parent that was declared and is not here
    }
  }

  /// The place where two contexts part.
  ///
  /// @throws StoreException.NotFound if one of the contexts was never created
  public JsonOutput comparison(ContextId a, ContextId b, IdFormat ids) {
    ContextHead left = store.head(a);
    ContextHead right = store.head(b);
    TurnId common =
        left.head().isNone() || right.head().isNone()
            ? null
            : store.findCommonAncestor(left.head(), right.head()).orElse(null);
    int depth = common == null ? -1 : store.turn(common, View.HEADERS).depth();
    EntryWriter writer = new EntryWriter(index, sessions, ids, false, null);
    return json -> {
      json.writeStartObject();
      json.writeName("context");
      writer.write(left, json);
      json.writeName("with");
      writer.write(right, json);
      id(json, ids, "common_turn_id", common);
      json.writeNumberProperty("common_depth", depth);
      json.writeEndObject();
    };
  }
}
