// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.Store;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The search for the places at which sub-agents were begun.
///
/// A sub-agent has no turn in common with the conversation that began it. Importers describe it as
/// another transcript of the same session; cxdb's writers declare the parent. The place is the last
/// turn of the parent that is not younger than the sub-agent's first turn: no record says it in a
/// form that all agents have in common.
record SubAgentMarks(Store store, ContextIndex index, Map<ContextId, SessionPart> parts) {

  /// The most lines of one session among which a place is looked for.
  private static final int LINES_MAX = 8;

  /// The most sub-agents whose places are looked for.
  private static final int FOUND_MAX = 500;

  /// A place at which a sub-agent was begun.
  ///
  /// @param line the context that began it
  record Begun(ContextHead line, LineMark mark) {}

  /// The sub-agents among some contexts, each of which has a turn.
  List<Begun> among(List<ContextHead> contexts) {
    Map<ContextId, ContextHead> byId = new LinkedHashMap<>();
    Map<String, List<ContextHead>> own = new HashMap<>();
    for (ContextHead head : contexts) {
      byId.put(head.id(), head);
      SessionPart part = parts.get(head.id());
      if (part != null && !part.isSubAgent()) {
        own.computeIfAbsent(part.session(), _ -> new ArrayList<>()).add(head);
      }
    }
    List<Begun> found = new ArrayList<>();
    for (ContextHead head : contexts) {
      if (found.size() == FOUND_MAX) {
        break;
      }
      List<ContextHead> lines = lines(head, byId, own);
      begun(head, lines.subList(0, Math.min(LINES_MAX, lines.size()))).ifPresent(found::add);
    }
    return found;
  }

  /// The contexts that may have begun a context; none if it is no sub-agent.
  private List<ContextHead> lines(
      ContextHead head, Map<ContextId, ContextHead> byId, Map<String, List<ContextHead>> own) {
    SessionPart part = parts.get(head.id());
    if (part != null) {
      return part.isSubAgent() ? own.getOrDefault(part.session(), List.of()) : List.of();
    }
    Long declared = index.entry(head).metadata().parent();
    ContextHead parent = declared == null ? null : byId.get(new ContextId(declared));
    return parent == null
            || parent.id().equals(head.id())
            || store.findCommonAncestor(parent.head(), head.head()).isPresent()
        ? List.of()
        : List.of(parent);
  }

  private Optional<Begun> begun(ContextHead head, List<ContextHead> lines) {
    Instant at = lines.isEmpty() ? Instant.MAX : turn(head.head(), 0).createdAt();
    ContextHead line = null;
    Turn place = null;
    for (ContextHead each : lines) {
      Turn last = lastBefore(at, each);
      if (place == null || last.createdAt().isAfter(place.createdAt())) {
        line = each;
        place = last;
      }
    }
    return line == null || place == null
        ? Optional.empty()
        : Optional.of(
            new Begun(line, LineMark.subAgent(place.id(), place.depth(), head.id(), label(head))));
  }

  /// The last turn of a context that is not younger; the root if all are.
  private Turn lastBefore(Instant at, ContextHead line) {
    int from = 0;
    int to = line.headDepth();
    while (from < to) {
      int middle = from + (to - from + 1) / 2;
      if (turn(line.head(), middle).createdAt().isAfter(at)) {
        to = middle - 1;
      } else {
        from = middle;
      }
    }
    return turn(line.head(), from);
  }

  private Turn turn(TurnId below, int depth) {
    return store.turn(store.ancestor(below, depth), View.HEADERS);
  }

  private String label(ContextHead head) {
    ContextEntry entry = index.entry(head);
    String title = entry.shownTitle();
    String reason = entry.metadata().spawnReason();
    return title != null ? title : reason != null ? reason : "";
  }
}
