// SPDX-License-Identifier: Apache-2.0
package dev.varve.folder;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.git.RepoPath;
import dev.varve.hash.Blake3;
import dev.varve.tree.Tree;
import dev.varve.tree.TreeEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Makes trees of what a walk met and a capture read.
final class Growth {

  private final Map<RepoPath, Content> contents;
  private final Map<RepoPath, Notes.Entry> entries = new HashMap<>();
  private final List<Payload> fresh = new ArrayList<>();
  private final Notes before;

  /// What a file has, or a link says.
  record Content(BlobHash hash, long sizeBytes) {}

  /// @param contents of files and links; one that is not in it went away meanwhile
  /// @param before trees that stand there are stored already
  Growth(Map<RepoPath, Content> contents, Notes before) {
    this.contents = contents;
    this.before = before;
  }

  /// The tree of a folder, and of all in it.
  BlobHash of(Seen.Folder folder) {
    List<TreeEntry> names = new ArrayList<>();
    for (Seen seen : folder.inside()) {
      switch (seen) {
        case Seen.Folder inner ->
            names.add(
                new TreeEntry(
                    inner.name(),
                    TreeEntry.Kind.DIRECTORY,
                    inner.stat().permissions(),
                    0,
                    of(inner)));
        case Seen.Leaf leaf -> {
          Content content = contents.get(leaf.path());
          if (content != null) {
            names.add(entry(leaf, content));
            entries.put(leaf.path(), new Notes.Entry(leaf.stat(), content.hash()));
          }
        }
      }
    }
    Payload tree = new Tree(names).payload();
    BlobHash hash = Blake3.hash(tree);
    if (!hash.equals(before.known(folder.path()))) {
      fresh.add(tree);
    }
    entries.put(folder.path(), new Notes.Entry(folder.stat(), hash));
    return hash;
  }

  private static TreeEntry entry(Seen.Leaf leaf, Content content) {
    return new TreeEntry(
        leaf.name(),
        leaf.stat().isLink() ? TreeEntry.Kind.SYMLINK : TreeEntry.Kind.FILE,
        leaf.stat().isLink() ? 0777 : leaf.stat().permissions(),
        content.sizeBytes(),
        content.hash());
  }

  /// Trees that are to be stored, what is in a folder before it.
  List<Payload> fresh() {
    return fresh;
  }

  Map<RepoPath, Notes.Entry> entries() {
    return entries;
  }
}
