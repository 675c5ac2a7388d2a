// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.folder;

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

/// Makes trees of the paths that a walk met and the contents that a capture read.
final class TreeBuilder {

  private final Map<RepoPath, Content> contents;
  private final Map<RepoPath, CaptureNotes.Entry> entries = new HashMap<>();
  private final List<Payload> fresh = new ArrayList<>();
  private final CaptureNotes before;

  /// The content of a file, or the target of a link.
  record Content(BlobHash hash, long sizeBytes) {}

  /// @param contents the contents of files and links; a file without one went away meanwhile
  /// @param before the notes of the last capture, whose trees are stored already
  TreeBuilder(Map<RepoPath, Content> contents, CaptureNotes before) {
    this.contents = contents;
    this.before = before;
  }

  /// Makes the tree of a folder, and of all folders in it.
  BlobHash of(WalkedPath.Folder folder) {
    List<TreeEntry> names = new ArrayList<>();
    for (WalkedPath seen : folder.inside()) {
      switch (seen) {
        case WalkedPath.Folder inner ->
            names.add(
                new TreeEntry(
                    inner.name(),
                    TreeEntry.Kind.DIRECTORY,
                    inner.stat().permissions(),
                    0,
                    of(inner)));
        case WalkedPath.Leaf leaf -> {
          Content content = contents.get(leaf.path());
          if (content != null) {
            names.add(entry(leaf, content));
            entries.put(leaf.path(), new CaptureNotes.Entry(leaf.stat(), content.hash()));
          }
        }
      }
    }
    Payload tree = new Tree(names).payload();
    BlobHash hash = Blake3.hash(tree);
    if (!hash.equals(before.known(folder.path()))) {
      fresh.add(tree);
    }
    entries.put(folder.path(), new CaptureNotes.Entry(folder.stat(), hash));
    return hash;
  }

  private static TreeEntry entry(WalkedPath.Leaf leaf, Content content) {
    return new TreeEntry(
        leaf.name(),
        leaf.stat().isLink() ? TreeEntry.Kind.SYMLINK : TreeEntry.Kind.FILE,
        leaf.stat().isLink() ? 0777 : leaf.stat().permissions(),
        content.sizeBytes(),
        content.hash());
  }

  /// The trees that are to be stored, inner ones first.
  List<Payload> fresh() {
    return fresh;
  }

  Map<RepoPath, CaptureNotes.Entry> entries() {
    return entries;
  }
}
