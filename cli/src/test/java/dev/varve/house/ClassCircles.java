// SPDX-License-Identifier: Apache-2.0
package dev.varve.house;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Circles of classes within one room: sets of classes in which each class leads to each other one
/// by the classes that it names. A nested class counts with the class at the top of its file.
///
/// Source: R. Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1 (1972).
final class ClassCircles {

  /// The number of classes that a circle in a room of the command may have.
  private static final int COMMAND_MAX = 3;

  /// Circles outside of `rewind` and `cli`, by the simple names of their classes, with the reason
  /// for each. A listed circle may get smaller, and the list only ever gets shorter.
  private static final Map<String, String> ALLOWED =
      Map.ofEntries(
          Map.entry("ColdReads WireLoad", "two workloads that share their connection"),
          Map.entry(
              "Disk FileAccess LocalDisk LocalDrafts LocalFile LocalLock",
              "a file's permissions are named by the interface and set by the local disk"),
          Map.entry("Blake3Lanes ScalarLanes", "a service and its engine of last resort"),
          Map.entry("Blake3 StateCodec", "a hasher and the form in which its state is kept"),
          Map.entry("Journal JournalScan", "the journal and the reading of its files"),
          Map.entry("PayloadInliner SpellingProof", "what is put back is proved by its opposite"),
          Map.entry("BlobFolder BlobLock BlobTrash", "the folder lends itself to its trash"),
          Map.entry(
              "JsonError JsonParser JsonReading JsonText", "a parser, its text and its refusal"),
          Map.entry("CommitTicket Committer", "a queue and its element"),
          Map.entry("Acceptor TcpAcceptor UnixAcceptor", "a sealed family"),
          Map.entry("BinaryPort Connection", "a port and its connections, which it counts"),
          Map.entry("EventHub Subscription", "a hub and its subscriptions, which leave it"),
          Map.entry("CqlLexer CqlParser CqlReader", "a language and the reader of its sentences"),
          Map.entry("TypeBundle TypeBundleReader", "a value and its reader"),
          Map.entry("Tree TreeCodec", "a value and its form in bytes"),
          Map.entry("HeadTable HeadZones", "a table and the zones of its slots"),
          Map.entry(
              "BasicRequest BlobRequest MaintenanceRequest Request StoreRequest",
              "a sealed family"),
          Map.entry(
              "BasicResponse ErrorResponse MaintenanceResponse Response StoreResponse",
              "a sealed family"));

  private final Map<String, NavigableSet<String>> uses;
  private final Map<String, Integer> order = new HashMap<>();
  private final Map<String, Integer> lowest = new HashMap<>();
  private final Deque<String> path = new ArrayDeque<>();
  private final List<NavigableSet<String>> found = new ArrayList<>();

  private ClassCircles(Map<String, NavigableSet<String>> uses) {
    this.uses = uses;
  }

  /// The circles that no rule allows: each in `rewind`, those of more than three classes in `cli`,
  /// and elsewhere those that are not listed.
  static List<String> complaints(Collection<House.Built> classes) {
    return of(classes).stream()
        .filter(circle -> !isAllowed(House.room(circle.first()), circle))
        .map(circle -> House.room(circle.first()) + ": " + names(circle))
        .toList();
  }

  private static boolean isAllowed(String room, Set<String> circle) {
    List<String> names = List.of(names(circle).split(" ", -1));
    return switch (room.replaceFirst("\\..*", "")) {
      case "rewind" -> false;
      case "cli" -> circle.size() <= COMMAND_MAX;
      default ->
          ALLOWED.keySet().stream()
              .anyMatch(listed -> List.of(listed.split(" ", -1)).containsAll(names));
    };
  }

  /// The circles of two or more classes, the classes of each in the order of their names.
  private static List<NavigableSet<String>> of(Collection<House.Built> classes) {
    Map<String, NavigableSet<String>> uses = new TreeMap<>();
    for (House.Built each : classes) {
      uses.computeIfAbsent(top(each.name()), _ -> new TreeSet<>());
    }
    for (House.Built each : classes) {
      String user = top(each.name());
      for (String used : each.uses()) {
        String other = top(used);
        if (uses.containsKey(other)
            && House.room(other).equals(House.room(user))
            && !other.equals(user)) {
          uses.getOrDefault(user, new TreeSet<>()).add(other);
        }
      }
    }
    ClassCircles search = new ClassCircles(uses);
    for (String each : uses.keySet()) {
      if (!search.order.containsKey(each)) {
        search.visit(each);
      }
    }
    return search.found;
  }

  private void visit(String type) {
    int number = order.size();
    order.put(type, number);
    lowest.put(type, number);
    path.push(type);
    for (String used : uses.getOrDefault(type, new TreeSet<>())) {
      if (!order.containsKey(used)) {
        visit(used);
        lowest.merge(type, lowest.getOrDefault(used, number), Math::min);
      } else if (path.contains(used)) {
        lowest.merge(type, order.getOrDefault(used, number), Math::min);
      }
    }
    if (lowest.getOrDefault(type, number) == number) {
      NavigableSet<String> circle = new TreeSet<>();
      String last;
      do {
        last = path.pop();
        circle.add(last);
      } while (!last.equals(type));
      if (circle.size() > 1) {
        found.add(circle);
      }
    }
  }

  private static String top(String type) {
    int nested = type.indexOf('$');
    return nested < 0 ? type : type.substring(0, nested);
  }

  /// The simple names of a circle, as `A B C`.
  private static String names(Set<String> circle) {
    return String.join(
        " ", circle.stream().map(each -> each.substring(each.lastIndexOf('.') + 1)).toList());
  }
}
