// SPDX-License-Identifier: Apache-2.0
package dev.varve.checkpoint;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.varve.StoreException;
import dev.varve.git.Git;
import dev.varve.git.ObjectReader;
import dev.varve.git.RepoPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// What it means that a file is not in a snapshot: that it did not exist, that it was ignored, or
/// that it was there and not captured. Only the first is a reason to delete it.
final class Absences {

  private static final RepoPath RULES_FILE = RepoPath.of(".gitignore");

  private final Worktree worktree;
  private final Shadow shadow;

  Absences(Worktree worktree, Shadow shadow) {
    this.worktree = worktree;
    this.shadow = shadow;
  }

  /// Those of `paths` that the rules at the time of `then` ignore: the `.gitignore` files of its
  /// tree, and the patterns beside them, then and now.
  Set<RepoPath> ignoredThen(Snapshot then, Collection<RepoPath> paths) {
    if (paths.isEmpty()) {
      return Set.of();
    }
    Path folder = shadow.folder().resolve("rules");
    try {
      deleteAll(folder);
      Files.createDirectories(folder);
      writeRules(then, folder);
      Path patterns = folder.resolveSibling("patterns");
      Files.writeString(patterns, shadow.excludes() + then.facts().map(Facts::excludes).orElse(""));
      Set<RepoPath> ignored = check(folder, patterns, paths);
      deleteAll(folder);
      return ignored;
    } catch (IOException e) {
      throw SmallFile.refusal(folder, "write", e);
    }
  }

  private void writeRules(Snapshot then, Path folder) throws IOException {
    Git git = shadow.git();
    List<RepoPath> listing =
        RepoPath.list(git.run("ls-tree", "-r", "-z", "--full-tree", then.tree()));
    try (ObjectReader objects = ObjectReader.open(git)) {
      for (RepoPath line : listing) {
        byte[] bytes = line.bytes();
        int tab = 0;
        while (bytes[tab] != '\t') {
          tab++;
        }
        RepoPath path = RepoPath.of(java.util.Arrays.copyOfRange(bytes, tab + 1, bytes.length));
        String[] facts = new String(bytes, 0, tab, US_ASCII).split(" ", -1);
        if (path.name().equals(RULES_FILE) && path.isSafe() && facts[0].startsWith("100")) {
          Path file = path.under(folder);
          Files.createDirectories(file.getParent());
          Files.write(file, objects.bytes(facts[2]));
        }
      }
    }
  }

  private Set<RepoPath> check(Path folder, Path patterns, Collection<RepoPath> paths) {
    Git git =
        Git.in(folder)
            .with(
                Map.of(
                    "GIT_DIR",
                    shadow.folder().toString(),
                    "GIT_WORK_TREE",
                    folder.toString(),
                    "GIT_CONFIG_GLOBAL",
                    "/dev/null",
                    "GIT_CONFIG_NOSYSTEM",
                    "1",
                    "GIT_LITERAL_PATHSPECS",
                    "0"));
    String[] question = {
      "-c", "core.excludesFile=" + patterns, "check-ignore", "--no-index", "-z", "--stdin"
    };
    // This command takes patterns only; none begins with a dot and a slash.
    List<RepoPath> asked = paths.stream().map(path -> path.after("./")).toList();
    Git.Output output = git.tryRun(RepoPath.join(asked), question);
    if (output.status() > 1) {
      throw git.failed(output, question);
    }
    Set<RepoPath> ignored = new HashSet<>(RepoPath.list(output.out()));
    return new HashSet<>(
        paths.stream().filter(path -> ignored.contains(path.after("./"))).toList());
  }

  /// Those of `paths` that git keeps out of a sparse worktree, or, if it was sparse at the time of
  /// `then` only, those that git tracks: they may have come with the sparseness' end.
  Set<RepoPath> trackedBy(boolean skippedOnly, Collection<RepoPath> paths) {
    Set<RepoPath> wanted = new HashSet<>(paths);
    List<RepoPath> found = new ArrayList<>();
    for (RepoPath line : RepoPath.list(worktree.git().run("ls-files", "-t", "-z", "-c"))) {
      byte[] bytes = line.bytes();
      boolean skipped = bytes[0] == 'S';
      RepoPath path = RepoPath.of(java.util.Arrays.copyOfRange(bytes, 2, bytes.length));
      if ((skipped || !skippedOnly) && wanted.contains(path)) {
        found.add(path);
      }
    }
    return new HashSet<>(found);
  }

  static void deleteAll(Path folder) {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new StoreException.Io(folder.toString(), "delete: " + e.getMessage(), e);
    }
  }
}
