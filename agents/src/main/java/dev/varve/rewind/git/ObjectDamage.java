// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

import dev.varve.StoreException;
import dev.varve.git.Git;
import dev.varve.git.ObjectReader;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The ways in which an object of git can be lost.
enum ObjectDamage {
  MISSING("is missing"),
  OTHER_BYTES("does not have the bytes that its name says"),
  UNREADABLE("cannot be read");

  private final String words;

  ObjectDamage(String words) {
    this.words = words;
  }

  /// The damage for people, after the name of the object.
  String words() {
    return words;
  }

  /// Reads objects to their last byte, loose and packed ones.
  ///
  /// @return the damaged objects by their ids
  static Map<String, ObjectDamage> among(Collection<String> ids, Git git, Worktree worktree) {
    Map<String, ObjectDamage> damaged = new LinkedHashMap<>();
    List<String> all = List.copyOf(ids);
    for (int i = 0; i < all.size(); ) {
      try (ObjectReader objects = ObjectReader.open(git)) {
        i = read(objects, all, i, worktree, damaged);
      }
    }
    return damaged;
  }

  /// @return the first object that was not read: git ends at an object that it cannot read
  private static int read(
      ObjectReader objects,
      List<String> ids,
      int from,
      Worktree worktree,
      Map<String, ObjectDamage> damaged) {
    for (int i = from; i < ids.size(); i++) {
      String id = ids.get(i);
      try {
        if (!objects.isSound(id, worktree.objects().digest())) {
          damaged.put(id, OTHER_BYTES);
        }
      } catch (StoreException.NotFound e) {
        damaged.put(id, MISSING);
      } catch (StoreException.Io e) {
        damaged.put(id, UNREADABLE);
        return i + 1;
      }
    }
    return ids.size();
  }
}
