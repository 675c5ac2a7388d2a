// SPDX-License-Identifier: Apache-2.0
package dev.varve.tree;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.hash.Blake3;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// A folder: its entries in the order of their names' bytes, no name twice.
public record Tree(List<TreeEntry> entries) {

  public static final Tree EMPTY = new Tree(List.of());

  /// @throws IllegalArgumentException if a name stands twice
  public Tree {
    entries =
        entries.stream().sorted(Comparator.comparing(TreeEntry::name, TreeText.ORDER)).toList();
    for (int i = 1; i < entries.size(); i++) {
      if (entries.get(i).name().equals(entries.get(i - 1).name())) {
        throw new IllegalArgumentException("twice in one folder: '" + entries.get(i).name() + "'");
      }
    }
  }

  /// The entry with this name. O(log n).
  public Optional<TreeEntry> find(String name) {
    int low = 0;
    int high = entries.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = TreeText.ORDER.compare(entries.get(middle).name(), name);
      if (order == 0) {
        return Optional.of(entries.get(middle));
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return Optional.empty();
  }

  /// The bytes of the blob: the same entries always give the same bytes.
  public Payload payload() {
    return TreeCodec.write(this);
  }

  /// The name of that blob.
  public BlobHash hash() {
    return Blake3.hash(payload().bytes());
  }

  /// Reads a blob.
  ///
  /// @throws dev.varve.StoreException.Invalid if it is no tree, or one with a name that is not
  ///   plain or stands twice
  public static Tree read(Payload blob) {
    return TreeCodec.read(blob);
  }
}
