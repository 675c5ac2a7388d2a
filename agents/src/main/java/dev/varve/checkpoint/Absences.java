// SPDX-License-Identifier: Apache-2.0
package dev.varve.checkpoint;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.varve.StoreException;
import dev.varve.git.Git;
import dev.varve.git.ObjectReader;
import dev.varve.git.RepoPath;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What it means that a file is not in a snapshot: that it did not exist, that it was ignored, or
/// that it was there and not captured. Only the first is a reason to delete it.
final class Absences {

  private static final RepoPath OUTER = RepoPath.of("");
  private static final RepoPath RULES_FILE = RepoPath.of(".gitignore");

  private final Worktree worktree;
  private final Shadow shadow;

  Absences(Worktree worktree, Shadow shadow) {
    this.worktree = worktree;
    this.shadow = shadow;
  }

  /// Those of `paths` that the rules at the time of `then` ignore: the `.gitignore` files of its
  /// tree, and the patterns beside them, then and now. What was in a repository inside is asked of
  /// that one's rules alone.
  Set<RepoPath> ignoredThen(Snapshot then, Collection<RepoPath> paths) {
    if (paths.isEmpty()) {
      return Set.of();
    }
    Path folder = shadow.folder().resolve("rules");
    try {
      deleteAll(folder);
      Files.createDirectories(folder);
      writeRules(then, folder);
      Set<RepoPath> ignored = new HashSet<>();
      for (Map.Entry<RepoPath, List<RepoPath>> each : byRepository(then, paths).entrySet()) {
        ignored.addAll(
            check(folder, each.getKey(), excludes(then, each.getKey()), each.getValue()));
      }
      deleteAll(folder);
      return ignored;
    } catch (IOException e) {
      throw SmallFile.refusal(folder, "write", e);
    }
  }

  /// @return by the repositories inside, with a slash at the end; the outer one is empty
  private static Map<RepoPath, List<RepoPath>> byRepository(
      Snapshot snapshot, Collection<RepoPath> paths) {
    return paths.stream()
        .collect(
            Collectors.groupingBy(
                path -> snapshot.facts().flatMap(f -> f.repositoryOf(path)).orElse(OUTER)));
  }

  private String excludes(Snapshot then, RepoPath repository) {
    if (repository.equals(OUTER)) {
      return shadow.rules().excludes() + then.facts().map(Facts::excludes).orElse("");
    }
    Checkout checkout = then.facts().map(facts -> facts.inner().get(repository)).orElse(null);
    return checkout == null ? "" : checkout.excludes();
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

  private Set<RepoPath> check(
      Path rules, RepoPath repository, String excludes, Collection<RepoPath> paths)
      throws IOException {
    Path patterns = Files.writeString(rules.resolveSibling("patterns"), excludes);
    Path folder = Files.createDirectories(repository.under(rules));
    for (RepoPath path : paths) {
      if (Files.isDirectory(path.under(worktree.root()), LinkOption.NOFOLLOW_LINKS)) {
        makeFolder(path.under(rules)); // some rules are for folders only
      }
    }
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
    List<RepoPath> asked = paths.stream().map(path -> path.below(repository).after("./")).toList();
    Git.Output output = git.tryRun(RepoPath.join(asked), question);
    if (output.status() > 1) {
      throw git.failed(output, question);
    }
    Set<RepoPath> ignored = new HashSet<>(RepoPath.list(output.out()));
    return new HashSet<>(
        paths.stream()
            .filter(path -> ignored.contains(path.below(repository).after("./")))
            .toList());
  }

  private static void makeFolder(Path folder) throws IOException {
    try {
      Files.createDirectories(folder);
    } catch (FileAlreadyExistsException e) {
      // Where rules were, no folder was: it did not exist.
    }
  }

  /// Those of `paths` that may have been there although a snapshot does not have them: git keeps
  /// files out of a sparse worktree.
  Set<RepoPath> sparseThen(Snapshot then, Collection<RepoPath> paths) {
    return sparse(then, paths, false);
  }

  /// Those of `paths` that git keeps out of the worktree now.
  Set<RepoPath> sparseNow(Snapshot now, Collection<RepoPath> paths) {
    return sparse(now, paths, true);
  }

  /// @param skippedOnly else all that git tracks: they may have come with the sparseness' end
  private Set<RepoPath> sparse(Snapshot snapshot, Collection<RepoPath> paths, boolean skippedOnly) {
    Facts facts = snapshot.facts().orElse(null);
    if (facts == null
        || paths.isEmpty()
        || !facts.sparse() && facts.inner().values().stream().noneMatch(Checkout::sparse)) {
      return Set.of();
    }
    Set<RepoPath> found = new HashSet<>();
    byRepository(snapshot, paths)
        .forEach(
            (repository, inside) -> {
              Set<RepoPath> tracked = tracked(facts, repository, skippedOnly);
              inside.stream()
                  .filter(path -> tracked == null || tracked.contains(path))
                  .forEach(found::add);
            });
    return found;
  }

  /// Null if that cannot be told: then it may be any.
  private @Nullable Set<RepoPath> tracked(Facts facts, RepoPath repository, boolean skippedOnly) {
    if (repository.equals(OUTER)) {
      return facts.sparse() ? tracked(worktree.git(), OUTER, skippedOnly) : Set.of();
    }
    Checkout checkout = facts.inner().get(repository);
    if (checkout == null || !checkout.sparse()) {
      return Set.of();
    }
    try {
      return InnerRepository.open(worktree, repository).tracked(skippedOnly);
    } catch (InnerRepository.Unfit | StoreException.Io e) {
      return null;
    }
  }

  /// What a git tracks; or of that, what it keeps out of a sparse worktree.
  ///
  /// @param top where that repository is, with a slash at the end; empty for the outer one
  static Set<RepoPath> tracked(Git git, RepoPath top, boolean skippedOnly) {
    Set<RepoPath> found = new HashSet<>();
    for (RepoPath line : RepoPath.list(git.run("ls-files", "-t", "-z", "-c"))) {
      byte[] bytes = line.bytes();
      if (bytes[0] == 'S' || !skippedOnly) {
        found.add(RepoPath.of(java.util.Arrays.copyOfRange(bytes, 2, bytes.length)).after(top));
      }
    }
    return found;
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
