// SPDX-License-Identifier: Apache-2.0
package dev.varve.tree;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// Trees of a store, followed from folder to folder.
///
/// Every method refuses with [StoreException.NotFound] or [StoreException.Corrupt] where a blob is
/// missing or damaged, with [StoreException.Invalid] where one is no tree, and with
/// [StoreException.TooLarge] beyond the limits.
public final class StoredTrees {

  private final Function<? super BlobHash, Payload> blobs;
  private final TreeLimits limits;

  /// Something in a tree, and how one gets there.
  ///
  /// @param path steps joined by `/`, without one at the beginning
  public record Place(String path, TreeEntry entry) {}

  /// A difference between two trees at a path.
  public sealed interface Change {

    String path();

    record Added(String path, TreeEntry entry) implements Change {}

    record Removed(String path, TreeEntry entry) implements Change {}

    /// Another content, mode or kind; of two folders, another mode.
    record Modified(String path, TreeEntry before, TreeEntry after) implements Change {}
  }

  /// Takes what is found, one after the other.
  @FunctionalInterface
  public interface Visitor {
    void visit(Place place);
  }

  public StoredTrees(Function<? super BlobHash, Payload> blobs) {
    this(blobs, TreeLimits.DEFAULTS);
  }

  /// @param blobs for instance `store::get`
  public StoredTrees(Function<? super BlobHash, Payload> blobs, TreeLimits limits) {
    this.blobs = blobs;
    this.limits = limits;
  }

  /// The folder that a hash names.
  public Tree tree(BlobHash hash) {
    return Tree.read(blobs.apply(hash));
  }

  // ---- paths

  /// The folder at a path; empty steps and `.` are passed over, `..` is a name like any other, and
  /// links are not followed.
  ///
  /// @throws StoreException.NotFound if a step is not there
  /// @throws StoreException.Invalid if the path, or a part of it that goes on, is no folder
  public Tree folder(BlobHash root, String path) {
    BlobHash at = root;
    for (String step : steps(path)) {
      TreeEntry entry = step(at, step);
      if (!entry.isDirectory()) {
        throw new StoreException.Invalid("path is not a directory", path);
      }
      at = entry.hash();
    }
    return tree(at);
  }

  /// The entry at a path.
  ///
  /// @throws StoreException.NotFound if a step is not there
  /// @throws StoreException.Invalid if the path has no step, or a part of it that goes on is no
  ///   folder
  public TreeEntry entry(BlobHash root, String path) {
    List<String> steps = steps(path);
    if (steps.isEmpty()) {
      throw new StoreException.Invalid("path", "empty file path");
    }
    BlobHash at = root;
    for (String step : steps.subList(0, steps.size() - 1)) {
      TreeEntry entry = step(at, step);
      if (!entry.isDirectory()) {
        throw new StoreException.NotFound("path component", steps.getLast());
      }
      at = entry.hash();
    }
    return step(at, steps.getLast());
  }

  private TreeEntry step(BlobHash folder, String name) {
    return tree(folder)
        .find(name)
        .orElseThrow(() -> new StoreException.NotFound("path component", name));
  }

  private List<String> steps(String path) {
    List<String> steps = new ArrayList<>();
    for (String step : path.split("/", -1)) {
      if (!step.isEmpty() && !step.equals(".")) {
        steps.add(step);
      }
    }
    checkDepth(steps.size() - 1);
    return steps;
  }

  private void checkDepth(int depth) {
    if (depth > limits.depth()) {
      throw new StoreException.TooLarge("folders within each other", depth, limits.depth());
    }
  }

  // ---- the whole

  /// Everything in a tree, each folder before what is in it, names in order.
  public void walk(BlobHash root, Visitor visitor) {
    new Walk().everything("", root, 0, visitor);
  }

  /// The changes that turn the first tree into the second, in the order of paths. Equal parts are
  /// not read. For a folder that was added or removed, everything in the folder is listed too.
  public List<Change> diff(BlobHash before, BlobHash after) {
    List<Change> changes = new ArrayList<>();
    if (!before.equals(after)) {
      new Walk().compare("", before, after, 0, changes);
    }
    return changes;
  }

  /// One walk, with one budget.
  private final class Walk {

    private int entriesLeft = limits.entries();

    private Tree folder(BlobHash hash, int depth) {
      checkDepth(depth);
      Tree tree = tree(hash);
      entriesLeft -= tree.entries().size();
      if (entriesLeft < 0) {
        throw new StoreException.TooLarge(
            "entries of a tree", limits.entries() + 1L, limits.entries());
      }
      return tree;
    }

    void everything(String path, BlobHash hash, int depth, Visitor visitor) {
      for (TreeEntry entry : folder(hash, depth).entries()) {
        String at = joined(path, entry);
        visitor.visit(new Place(at, entry));
        if (entry.isDirectory()) {
          everything(at, entry.hash(), depth + 1, visitor);
        }
      }
    }

    void compare(String path, BlobHash before, BlobHash after, int depth, List<Change> changes) {
      List<TreeEntry> old = folder(before, depth).entries();
      List<TreeEntry> now = folder(after, depth).entries();
      int i = 0;
      int j = 0;
      while (i < old.size() || j < now.size()) {
        int order =
            i == old.size()
                ? 1
                : j == now.size()
                    ? -1
                    : TreeText.ORDER.compare(old.get(i).name(), now.get(j).name());
        if (order < 0) {
          removed(path, old.get(i++), depth, changes);
        } else if (order > 0) {
          added(path, now.get(j++), depth, changes);
        } else {
          compare(path, old.get(i++), now.get(j++), depth, changes);
        }
      }
    }

    private void compare(
        String path, TreeEntry before, TreeEntry after, int depth, List<Change> changes) {
      String at = joined(path, after);
      if (before.isDirectory() && after.isDirectory()) {
        if (before.mode() != after.mode()) {
          changes.add(new Change.Modified(at, before, after));
        }
        if (!before.hash().equals(after.hash())) {
          compare(at, before.hash(), after.hash(), depth + 1, changes);
        }
      } else if (before.isDirectory() || after.isDirectory()) {
        removed(path, before, depth, changes);
        added(path, after, depth, changes);
      } else if (!before.equals(after)) {
        changes.add(new Change.Modified(at, before, after));
      }
    }

    private void added(String path, TreeEntry entry, int depth, List<Change> changes) {
      String at = joined(path, entry);
      changes.add(new Change.Added(at, entry));
      if (entry.isDirectory()) {
        everything(
            at,
            entry.hash(),
            depth + 1,
            place -> changes.add(new Change.Added(place.path(), place.entry())));
      }
    }

    private void removed(String path, TreeEntry entry, int depth, List<Change> changes) {
      String at = joined(path, entry);
      changes.add(new Change.Removed(at, entry));
      if (entry.isDirectory()) {
        everything(
            at,
            entry.hash(),
            depth + 1,
            place -> changes.add(new Change.Removed(place.path(), place.entry())));
      }
    }

    private static String joined(String path, TreeEntry entry) {
      return path.isEmpty() ? entry.name() : path + "/" + entry.name();
    }
  }
}
