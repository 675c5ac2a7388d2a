// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.removal;

import dev.varve.StoreException;
import dev.varve.git.ObjectLinks;
import dev.varve.git.ObjectReader;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/// Finds snapshots that have wanted content. Each object is read once, however many snapshots have
/// it; in memory are the names of objects, and the content of one tree for each folder on the way
/// to a file. For one thread.
final class SnapshotSearch {

  private final ObjectReader objects;
  private final WantedContent wanted;
  private final int idBytes;
  private final Set<String> clean = new HashSet<>();
  private final Set<String> leading = new HashSet<>();
  private final Map<String, String> found = new LinkedHashMap<>();
  private boolean incomplete;

  SnapshotSearch(ObjectReader objects, WantedContent wanted, int idBytes) {
    this.objects = objects;
    this.wanted = wanted;
    this.idBytes = idBytes;
  }

  /// The objects that have the content themselves, each with a path under which a snapshot has the
  /// object; the path of a commit is empty.
  Map<String, String> found() {
    return found;
  }

  /// True if an object of a snapshot could not be read.
  boolean isIncomplete() {
    return incomplete;
  }

  /// Returns whether a snapshot is wanted.
  boolean isWanted(String snapshot) {
    return has(new ObjectLinks.Link(snapshot, "commit", ""), "")
        || wanted.snapshots().contains(snapshot);
  }

  private boolean has(ObjectLinks.Link object, String path) {
    if (clean.contains(object.id())) {
      return false;
    }
    if (leading.contains(object.id())) {
      return true;
    }
    boolean has = false;
    try {
      has = look(object, path);
    } catch (StoreException.NotFound e) {
      incomplete = true;
    }
    (has ? leading : clean).add(object.id());
    return has;
  }

  private boolean look(ObjectLinks.Link object, String path) {
    boolean isFile = object.type().equals("blob");
    WantedContent.Look look = wanted.looks().begin(isFile);
    boolean has = false;
    if (isFile) {
      objects.copy(object.id(), look);
    } else {
      byte[] content = objects.bytes(object.id());
      look.write(content, 0, content.length);
      for (ObjectLinks.Link link : ObjectLinks.of(object.type(), content, idBytes)) {
        String inside = path.isEmpty() ? link.name() : path + "/" + link.name();
        has |= !link.type().equals("commit") && has(link, inside);
      }
    }
    if (look.isFound()) {
      found.put(object.id(), path);
      return true;
    }
    return has;
  }
}
