// SPDX-License-Identifier: Apache-2.0
package dev.varve.house;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Which rooms there are, which others each may use, and which libraries are let in where: the two
/// fenced blocks `rooms` and `libraries` of `docs/ARCHITECTURE.md`.
///
/// @param arrows for each room the rooms it may use; [#ANY] stands for all
/// @param libraries for each package prefix of a library the rooms that may use it
record Plan(Map<String, Set<String>> arrows, Map<String, Set<String>> libraries) {

  static final String ANY = "*";

  static Plan read(String page) {
    return new Plan(block(page, "rooms"), block(page, "libraries"));
  }

  private static Map<String, Set<String>> block(String page, String name) {
    Map<String, Set<String>> lines = new LinkedHashMap<>();
    boolean inside = false;
    for (String line : page.lines().toList()) {
      if (line.startsWith("```")) {
        inside = line.equals("```" + name);
      } else if (inside && !line.isBlank()) {
        String[] sides = line.split("->", -1);
        if (sides.length != 2 || sides[0].isBlank()) {
          throw new IllegalArgumentException(name + ": expected 'a -> b c', found '" + line + "'");
        }
        Set<String> targets = new HashSet<>(List.of(sides[1].strip().split(" +")));
        targets.remove("");
        if (lines.put(sides[0].strip(), targets) != null) {
          throw new IllegalArgumentException(name + ": '" + sides[0].strip() + "' twice");
        }
      }
    }
    if (lines.isEmpty()) {
      throw new IllegalArgumentException("no block '" + name + "' in the page");
    }
    return lines;
  }

  /// This plan without one arrow. An arrow to everything becomes arrows to all rooms but one.
  Plan without(String from, String to) {
    Map<String, Set<String>> fewer = new LinkedHashMap<>(arrows);
    Set<String> targets = new HashSet<>(arrows.getOrDefault(from, Set.of()));
    if (targets.remove(ANY)) {
      targets.addAll(arrows.keySet());
    }
    targets.remove(to);
    fewer.put(from, targets);
    return new Plan(fewer, libraries);
  }

  boolean allows(String from, String to) {
    Set<String> targets = arrows.getOrDefault(from, Set.of());
    return from.equals(to) || targets.contains(to) || targets.contains(ANY);
  }

  /// The library that a package belongs to, empty if it is not listed.
  List<String> library(String packageName) {
    return libraries.keySet().stream()
        .filter(prefix -> packageName.equals(prefix) || packageName.startsWith(prefix + "."))
        .toList();
  }

  /// What is wrong with the plan itself: arrows to rooms that are not there, and circles.
  List<String> complaints() {
    List<String> complaints = new ArrayList<>();
    arrows.forEach(
        (room, targets) -> {
          for (String target : targets) {
            if (!target.equals(ANY) && !arrows.containsKey(target)) {
              complaints.add(room + " -> " + target + ": there is no room " + target);
            }
          }
          if (reaches(room, room, new HashSet<>())) {
            complaints.add(room + ": the arrows lead back to it");
          }
        });
    return complaints;
  }

  private boolean reaches(String from, String to, Set<String> seen) {
    for (String next : arrows.getOrDefault(from, Set.of())) {
      if (next.equals(to) || seen.add(next) && reaches(next, to, seen)) {
        return true;
      }
    }
    return false;
  }
}
