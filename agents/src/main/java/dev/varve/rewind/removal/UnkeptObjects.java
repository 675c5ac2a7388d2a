// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.removal;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.varve.StoreException;
import dev.varve.git.Git;
import dev.varve.git.ObjectLinks;
import dev.varve.git.ObjectReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The objects of a repository that nothing keeps and that git has not collected yet. Branches,
/// tags, stashes, indexes, and the logs of refs keep objects.
///
/// @param types all of them, with their types
/// @param snapshots commits among them that are snapshots: let go, or taken only to compare with
/// @param links commits among them that kept snapshots once
/// @param complete false if the repository lacks objects that it needs
record UnkeptObjects(
    Map<String, String> types, Set<String> snapshots, Set<String> links, boolean complete) {

  /// A status of git-fsck(1) that is more than damage.
  private static final int FAILED = 64;

  /// The bit of the status that stands for objects which are needed and missing.
  private static final int INCOMPLETE = 2;

  private static final String WHO = "<pi-rewind@localhost>";
  private static final String LINK = "\n\npi rewind store\n";

  /// Asks git.
  static UnkeptObjects of(Git git, ObjectReader reader) {
    Map<String, String> types = new LinkedHashMap<>();
    String[] question = {"fsck", "--unreachable", "--connectivity-only", "--no-progress"};
    Git.Output output =
        git.lines(
            new byte[0],
            line -> {
              String[] words = line.split(" ", -1);
              if (words.length == 3 && words[0].equals("unreachable")) {
                types.put(words[2], words[1]);
              }
            },
            question);
    if (output.status() >= FAILED) {
      throw git.failed(output, question);
    }
    Set<String> snapshots = new LinkedHashSet<>();
    Set<String> links = new LinkedHashSet<>();
    types.forEach(
        (id, type) -> {
          if (type.equals("commit")) {
            String text = new String(reader.bytes(id), ISO_8859_1);
            if (text.contains(WHO)) {
              (text.endsWith(LINK) ? links : snapshots).add(id);
            }
          }
        });
    return new UnkeptObjects(types, snapshots, links, (output.status() & INCOMPLETE) == 0);
  }

  /// The objects among `wanted` that other unkept objects need, which are not in `wanted`
  /// themselves.
  Set<String> neededAmong(Set<String> wanted, ObjectReader reader, int idBytes) {
    Set<String> needed = new LinkedHashSet<>();
    types.forEach(
        (id, type) -> {
          if (!wanted.contains(id) && !type.equals("blob")) {
            need(ObjectLinks.of(type, reader.bytes(id), idBytes), wanted, needed, reader, idBytes);
          }
        });
    return needed;
  }

  private static void need(
      List<ObjectLinks.Link> first,
      Set<String> wanted,
      Set<String> needed,
      ObjectReader reader,
      int idBytes) {
    List<ObjectLinks.Link> waiting = new ArrayList<>(first);
    while (!waiting.isEmpty()) {
      ObjectLinks.Link next = waiting.removeLast();
      if (wanted.contains(next.id()) && needed.add(next.id()) && !next.type().equals("blob")) {
        try {
          waiting.addAll(ObjectLinks.of(next.type(), reader.bytes(next.id()), idBytes));
        } catch (StoreException.NotFound e) {
          // taken out before
        }
      }
    }
  }
}
