// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.folder;

import dev.varve.StoreException;
import dev.varve.disk.DiskErrors;
import dev.varve.git.RepoPath;
import dev.varve.rewind.LeftOut;
import dev.varve.rewind.WorktreeWriter;
import dev.varve.tree.TreeLimits;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// Looks at everything in a folder that is to be captured. Reads no file, follows no link.
final class FolderWalk {

  private static final String GIT = ".git";

  private final Path root;
  private final Path store;
  private final IgnoreFileRules rules;
  private final long fileBytesMax;
  private final SortedMap<RepoPath, LeftOut> leftOut = new TreeMap<>();
  private int entriesLeft = TreeLimits.DEFAULTS.entries();

  /// @param store the store's folder: its own files are not captured
  FolderWalk(Path root, Path store, IgnoreFileRules rules, long fileBytesMax) {
    this.root = root;
    this.store = store;
    this.rules = rules;
    this.fileBytesMax = fileBytesMax;
  }

  /// The paths that exist and are not in the result, with the reasons.
  SortedMap<RepoPath, LeftOut> leftOut() {
    return leftOut;
  }

  /// @throws StoreException.Io if the top itself cannot be listed
  /// @throws StoreException.TooLarge if there is more than a tree may have
  WalkedPath.Folder run() {
    try {
      return new WalkedPath.Folder(
          RepoPath.of(""), FileStat.of(root), inside(root, RepoPath.of(""), 0));
    } catch (IOException e) {
      throw DiskErrors.of(root, "list", e);
    }
  }

  private List<WalkedPath> inside(Path folder, RepoPath above, int depth) throws IOException {
    if (depth > TreeLimits.DEFAULTS.depth()) {
      throw new StoreException.TooLarge(
          "folders within each other, " + folder, depth, TreeLimits.DEFAULTS.depth());
    }
    List<WalkedPath> seen = new ArrayList<>();
    try (DirectoryStream<Path> names = Files.newDirectoryStream(folder)) {
      for (Path place : names) {
        RepoPath name = RepoPath.from(folder, place);
        String step = name.toString();
        boolean topGit = depth == 0 && step.equals(GIT);
        if (!topGit && !WorktreeWriter.isLitter(step)) {
          look(place, depth == 0 ? name : name.after(above.asFolder()), depth, seen);
        }
      }
    } catch (java.nio.file.DirectoryIteratorException e) {
      throw e.getCause();
    }
    return seen;
  }

  private void look(Path place, RepoPath path, int depth, List<WalkedPath> seen)
      throws IOException {
    FileStat stat;
    try {
      stat = FileStat.of(place);
    } catch (NoSuchFileException e) {
      return; // it went away meanwhile
    } catch (IOException e) {
      leftOut.put(path, LeftOut.UNREADABLE);
      return;
    }
    if (rules.ignores(path, stat.isFolder())) {
      return;
    }
    if (--entriesLeft < 0) {
      throw new StoreException.TooLarge(
          "files in " + root, TreeLimits.DEFAULTS.entries() + 1L, TreeLimits.DEFAULTS.entries());
    }
    if (stat.isFolder()) {
      folder(place, path, stat, depth, seen);
    } else if (!path.isSafe()) {
      leftOut.put(path, LeftOut.NAME);
    } else if (!stat.isFile() && !stat.isLink()) {
      leftOut.put(path, LeftOut.SPECIAL);
    } else if (stat.isFile() && stat.sizeBytes() > fileBytesMax) {
      leftOut.put(path, LeftOut.LARGE);
    } else if (stat.isFile() && !Files.isReadable(place)) {
      leftOut.put(path, LeftOut.UNREADABLE);
    } else {
      seen.add(new WalkedPath.Leaf(path, stat, place));
    }
  }

  private void folder(Path place, RepoPath path, FileStat stat, int depth, List<WalkedPath> seen)
      throws IOException {
    if (place.equals(store)) {
      leftOut.put(path.asFolder(), LeftOut.OWN);
      return;
    }
    if (!path.isSafe()) {
      leftOut.put(path.asFolder(), LeftOut.NAME);
      return;
    }
    if (Files.exists(place.resolve(GIT), LinkOption.NOFOLLOW_LINKS)) {
      leftOut.put(path.asFolder(), LeftOut.REPOSITORY);
      return;
    }
    try {
      seen.add(new WalkedPath.Folder(path, stat, inside(place, path, depth + 1)));
    } catch (NoSuchFileException | NotDirectoryException e) {
      // it went away meanwhile
    } catch (IOException e) {
      leftOut.put(path.asFolder(), LeftOut.UNREADABLE);
    }
  }
}
