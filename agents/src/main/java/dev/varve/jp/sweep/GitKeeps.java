// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.sweep;

import dev.varve.jp.blobs.BlobFolder;
import dev.varve.jp.blobs.Sha256;
import dev.varve.jp.files.RealFiles;
import dev.varve.jp.place.WorkspaceRoot;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/// Which blobs a workspace's git repository still needs, though no conversation in this checkout
/// refers to them: those that conversations on other branches, in stashes, in the index or in other
/// worktrees refer to, and those that are tracked here.
///
/// Looks at what each of these holds, not at history: a commit that is checked out again brings the
/// blobs that it tracks along.
final class GitKeeps {

  private static final int OBJECTS_AT_ONCE = 200;

  private final GitQueries git;
  private final BooleanSupplier stop;
  private final String conversations;
  private final String blobs;
  private final Map<Sha256, String> keeps = new HashMap<>();

  private GitKeeps(GitQueries git, BooleanSupplier stop, String prefix) {
    this.git = git;
    this.stop = stop;
    this.conversations = prefix + "conversations";
    this.blobs = prefix + "blobs";
  }

  /// Returns whether a folder, or one above it, is a work tree of git.
  static boolean concerns(WorkspaceRoot root) {
    for (Path at = root.folder(); at != null; at = at.getParent()) {
      if (RealFiles.look(at.resolve(".git")).isPresent()) {
        return true;
      }
    }
    return false;
  }

  /// The blobs that are needed, each with the reason.
  ///
  /// @param stop once it says yes, this fails
  static Map<Sha256, String> of(WorkspaceRoot root, BooleanSupplier stop) throws GitQueries.Failed {
    GitQueries git = new GitQueries(root.folder(), stop);
    List<String> prefix = git.ask("rev-parse", "--show-prefix");
    GitKeeps keeps = new GitKeeps(git, stop, prefix.isEmpty() ? "" : prefix.getFirst());
    keeps.tracked();
    keeps.trees(keeps.commits());
    keeps.index();
    keeps.worktrees(root);
    if (stop.getAsBoolean()) {
      throw new GitQueries.Failed("asked to stop");
    }
    return keeps.keeps;
  }

  private void tracked() throws GitQueries.Failed {
    for (String path : git.ask("ls-files", "-z", "--", ":/" + blobs)) {
      BlobFolder.hash(Path.of(path)).ifPresent(hash -> keeps.put(hash, "tracked by git"));
    }
  }

  /// Everything that git holds by a name, and the stashes behind the first.
  private Map<String, String> commits() throws GitQueries.Failed {
    Map<String, String> commits = new LinkedHashMap<>();
    int number = 0;
    for (String stash : git.ask("stash", "list", "--format=%H")) {
      String name = "stash@{" + number++ + "}";
      commits.putIfAbsent(stash, name);
      commits.putIfAbsent(stash + "^2", name); // its index
      commits.putIfAbsent(stash + "^3", name); // its untracked files, if they were stashed
    }
    for (String line : git.ask("for-each-ref", "--format=%(objectname) %(refname:short)")) {
      String[] parts = line.split(" ", 2);
      commits.putIfAbsent(parts[0], parts.length > 1 ? parts[1] : parts[0]);
    }
    for (String line : git.ask("worktree", "list", "--porcelain")) {
      if (line.startsWith("HEAD ")) {
        commits.putIfAbsent(line.substring(5), "the head of a worktree");
      }
    }
    return commits;
  }

  private void trees(Map<String, String> commits) throws GitQueries.Failed {
    StringBuilder question = new StringBuilder();
    for (String commit : commits.keySet()) {
      question.append(commit).append(':').append(conversations).append('\n');
    }
    String format = "--batch-check=%(objectname) %(objecttype)"; // of what is absent: one line too
    byte[] answer = git.run(question.toString(), "cat-file", format);
    List<String> lines = new String(answer, StandardCharsets.UTF_8).lines().toList();
    Map<String, String> trees = new LinkedHashMap<>();
    int at = 0;
    for (String name : commits.values()) {
      String line = at < lines.size() ? lines.get(at++) : "";
      if (line.endsWith(" tree")) {
        trees.putIfAbsent(line.substring(0, line.indexOf(' ')), name);
      }
    }
    Map<String, String> objects = new LinkedHashMap<>();
    for (Map.Entry<String, String> tree : trees.entrySet()) {
      for (String entry : git.ask("ls-tree", "-r", "-z", "--full-tree", tree.getKey())) {
        addJson(entry, 2, tree.getValue(), objects);
      }
    }
    read(objects);
  }

  private void index() throws GitQueries.Failed {
    Map<String, String> objects = new LinkedHashMap<>();
    for (String entry : git.ask("ls-files", "-s", "-z", "--", ":/" + conversations)) {
      addJson(entry, 1, "the index of git", objects);
    }
    read(objects);
  }

  /// @param column in which the object's id stands
  private static void addJson(String entry, int column, String where, Map<String, String> objects) {
    int tab = entry.indexOf('\t');
    String[] columns = tab < 0 ? new String[0] : entry.substring(0, tab).split(" ");
    if (columns.length > column && entry.contains(".json")) {
      objects.putIfAbsent(columns[column], where);
    }
  }

  private void read(Map<String, String> objects) throws GitQueries.Failed {
    List<String> ids = new ArrayList<>(objects.keySet());
    for (int from = 0; from < ids.size(); from += OBJECTS_AT_ONCE) {
      List<String> some = ids.subList(from, Math.min(ids.size(), from + OBJECTS_AT_ONCE));
      List<byte[]> contents =
          GitQueries.contents(git.run(String.join("\n", some) + "\n", "cat-file", "--batch"));
      for (int i = 0; i < contents.size(); i++) {
        ReferenceScan references = new ReferenceScan(stop);
        references.bytes(Path.of(some.get(i)), contents.get(i));
        keep(references.hashes(), "referred to in " + objects.get(some.get(i)));
      }
    }
  }

  /// Adds the references that other worktrees hold in no commit and no index.
  private void worktrees(WorkspaceRoot root) throws GitQueries.Failed {
    Set<Path> others = new LinkedHashSet<>();
    for (String line : git.ask("worktree", "list", "--porcelain")) {
      if (line.startsWith("worktree ")) {
        others.add(Path.of(line.substring(9)));
      }
    }
    for (Path other : others) {
      Path folder = other.resolve(conversations);
      if (!folder.equals(root.conversations())) {
        ReferenceScan references = new ReferenceScan(stop);
        references.look(List.of(folder));
        keep(references.hashes(), "referred to in the worktree " + other);
        if (!references.unreadable().isEmpty()) {
          throw new GitQueries.Failed(references.unreadable().getFirst());
        }
      }
    }
  }

  private void keep(Collection<Sha256> hashes, String why) {
    hashes.forEach(hash -> keeps.putIfAbsent(hash, why));
  }
}
