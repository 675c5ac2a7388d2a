// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.rows;

import dev.varve.history.HistoryFile;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// The trees of a database's sessions, each session below the one that began it.
///
/// Whatever the rows say, every session stands in one tree: a session whose parent is not there is
/// a root, and so is the first of several that began each other.
public final class SessionForest {

  /// The beginning of the slot of a session whose id is the slot of something else.
  private static final String PREFIX = "session:";

  private static final Set<String> TAKEN =
      Set.of(HistoryFile.MAIN, RowInsertion.SCHEMA, RowInsertion.PROJECT);

  private final Map<String, String> parents = new LinkedHashMap<>();

  /// Adds a session.
  ///
  /// @param parent the id of the session that began it; any other text if there is none
  public void add(String id, String parent) {
    parents.put(id, parent);
  }

  /// The ids of the sessions of each tree, the root first and every session before those that it
  /// began. The trees stand in the order in which their roots were added.
  public List<List<String>> trees() {
    Map<String, List<String>> children = new HashMap<>();
    parents.forEach(
        (id, parent) -> children.computeIfAbsent(parent, _ -> new ArrayList<>()).add(id));
    Map<String, List<String>> trees = new HashMap<>();
    Set<String> reached = new HashSet<>();
    parents.forEach(
        (id, parent) -> {
          if (!parents.containsKey(parent) || parent.equals(id)) {
            trees.put(id, tree(id, children, reached));
          }
        });
    for (String id : parents.keySet()) {
      if (!reached.contains(id)) {
        trees.put(id, tree(id, children, reached));
      }
    }
    return parents.keySet().stream().map(trees::get).filter(Objects::nonNull).toList();
  }

  private static List<String> tree(
      String root, Map<String, List<String>> children, Set<String> reached) {
    List<String> tree = new ArrayList<>();
    Deque<String> left = new ArrayDeque<>(List.of(root));
    while (!left.isEmpty()) {
      String id = left.pop();
      if (reached.add(id)) {
        tree.add(id);
        children.getOrDefault(id, List.of()).reversed().forEach(left::push);
      }
    }
    return tree;
  }

  /// The slot of a session that another one began.
  public static String slot(String id) {
    boolean clashes = TAKEN.contains(id) || id.startsWith(PREFIX) || id.indexOf('/') >= 0;
    return clashes ? PREFIX + id : id;
  }

  /// The id of the session of a slot.
  public static String id(String slot) {
    return slot.startsWith(PREFIX) ? slot.substring(PREFIX.length()) : slot;
  }
}
