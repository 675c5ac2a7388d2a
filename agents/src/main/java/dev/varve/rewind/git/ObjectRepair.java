// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.varve.git.Git;
import dev.varve.git.IndexEntry;
import dev.varve.git.PackedObjects;
import dev.varve.git.RepoPath;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Writes objects again that a new snapshot needs and that are damaged. Git takes an object for
/// granted that has a file, or an entry in a pack's index.
final class ObjectRepair {

  private static final String NONE = "000000";
  private static final String REPOSITORY = "160000";

  private final Worktree worktree;
  private final ShadowRepository shadow;
  private final ShadowIndexWriter writer;

  ObjectRepair(Worktree worktree, ShadowRepository shadow, ShadowIndexWriter writer) {
    this.worktree = worktree;
    this.shadow = shadow;
    this.writer = writer;
  }

  /// Makes sure that a tree and all that is new in it can be read.
  ///
  /// @param tree made from the index
  /// @param before the tree of the last snapshot, whose objects are not read again; null to read
  ///   every object
  /// @return the tree of the index; another one if a damaged file changed meanwhile
  String sound(String tree, @Nullable String before) {
    Optional<Set<String>> fresh = before == null ? all(tree) : since(before, tree);
    Set<String> damaged =
        ObjectDamage.among(fresh.orElseGet(this::ofIndex), shadow.git(), worktree).keySet();
    if (fresh.isPresent() && damaged.isEmpty()) {
      return tree;
    }
    return rewritten(tree, damaged, fresh.isEmpty());
  }

  /// Makes sure of the objects of a tree that stand in packs: git made the index without reading
  /// them. What git wrote itself is whole.
  ///
  /// @return as [#sound]
  String soundInPacks(String tree) {
    Set<String> ids = ofIndex();
    CachedFolder top = top();
    top.tree(
        bytes -> {
          String id = worktree.objects().id("tree", bytes);
          ids.add(id);
          return id;
        });
    Set<String> damaged =
        new PackedObjects(worktree.keep().resolve("objects"), worktree.idBytes()).damaged(ids);
    return damaged.isEmpty() ? tree : rewritten(tree, damaged, false);
  }

  /// Writes damaged files and trees again.
  ///
  /// @param anyTree whether any tree may be damaged
  private String rewritten(String tree, Set<String> damaged, boolean anyTree) {
    List<RepoPath> broken =
        entries().stream()
            .filter(entry -> damaged.contains(entry.id()))
            .map(IndexEntry::path)
            .toList();
    writer.addWithPatience(broken);
    String again = top().tree(bytes -> written(bytes, anyTree ? null : damaged));
    worktree.objects().settle();
    return again == null ? tree : again;
  }

  private CachedFolder top() {
    CachedFolder top = CachedFolder.top(CachedFolder.terminated(RepoPath.of("")));
    entries().forEach(entry -> top.enter(entry, 0));
    return top;
  }

  /// @param damaged the objects that are known to be damaged; null if any tree may be
  private String written(byte[] tree, @Nullable Set<String> damaged) {
    String id = worktree.objects().id("tree", tree);
    return damaged == null || damaged.contains(id) ? worktree.objects().write("tree", tree) : id;
  }

  private List<IndexEntry> entries() {
    return shadow.entries(worktree.idBytes());
  }

  private Set<String> ofIndex() {
    Set<String> ids = new HashSet<>();
    entries().forEach(entry -> ids.add(entry.id()));
    return ids;
  }

  /// Every object of a tree; empty if a tree is damaged, so that git cannot list them.
  private Optional<Set<String>> all(String tree) {
    Git.Output output =
        shadow
            .git()
            .tryRun(new byte[0], "rev-list", "--objects", "--no-object-names", "--no-walk", tree);
    return output.status() == 0
        ? Optional.of(new HashSet<>(output.line().lines().toList()))
        : Optional.empty();
  }

  /// The objects that one tree has at other places than another; empty if a tree is damaged.
  private Optional<Set<String>> since(String before, String tree) {
    Git.Output output =
        shadow
            .git()
            .tryRun(new byte[0], "diff-tree", "-r", "-t", "-z", "--no-renames", before, tree);
    if (output.status() != 0) {
      return Optional.empty();
    }
    Set<String> ids = new HashSet<>(Set.of(tree));
    List<RepoPath> pieces = RepoPath.list(output.out());
    for (int i = 0; i < pieces.size(); i += 2) { // each change, and then its path
      String[] words = new String(pieces.get(i).bytes(), ISO_8859_1).split(" ", -1);
      if (words.length == 5 && !words[1].equals(NONE) && !words[1].equals(REPOSITORY)) {
        ids.add(words[3]);
      }
    }
    return Optional.of(ids);
  }
}
