// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.varve.StoreException;
import dev.varve.disk.DiskErrors;
import dev.varve.files.FolderTree;
import dev.varve.git.Git;
import dev.varve.git.ObjectReader;
import dev.varve.git.RepoPath;
import dev.varve.rewind.Checkout;
import dev.varve.rewind.Snapshot;
import dev.varve.rewind.SnapshotMetadata;
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
import org.jspecify.annotations.Nullable;

/// The meaning of a file's absence in a snapshot: the file did not exist, was ignored, or existed
/// and was not captured. Only the first is a reason to delete the file.
public final class MissingPathRules {

  private static final RepoPath OUTER = RepoPath.of("");
  private static final RepoPath RULES_FILE = RepoPath.of(".gitignore");

  private final Worktree worktree;
  private final ShadowRepository shadow;

  MissingPathRules(Worktree worktree, ShadowRepository shadow) {
    this.worktree = worktree;
    this.shadow = shadow;
  }

  /// The paths among `paths` that the rules at the time of `then` ignore: the `.gitignore` files of
  /// its tree, and the patterns beside them, then and now. For a path in a repository inside, the
  /// rules of that repository alone count.
  Set<RepoPath> ignoredThen(Snapshot then, Collection<RepoPath> paths) {
    if (paths.isEmpty()) {
      return Set.of();
    }
    Path folder = shadow.folder().resolve("rules");
    try {
      FolderTree.delete(folder);
      Files.createDirectories(folder);
      writeRules(then, folder);
      Set<RepoPath> ignored = new HashSet<>();
      for (Map.Entry<RepoPath, List<RepoPath>> each : byRepository(then, paths).entrySet()) {
        ignored.addAll(
            check(folder, each.getKey(), excludes(then, each.getKey()), each.getValue()));
      }
      FolderTree.delete(folder);
      return ignored;
    } catch (IOException e) {
      throw DiskErrors.ofWrite(folder, "write", 0, e);
    }
  }

  /// Groups paths by the repositories inside.
  ///
  /// @return by the repositories' paths with a slash at the end; the outer repository's path is
  ///   empty
  private static Map<RepoPath, List<RepoPath>> byRepository(
      Snapshot snapshot, Collection<RepoPath> paths) {
    return paths.stream()
        .collect(
            Collectors.groupingBy(
                path -> snapshot.metadata().flatMap(f -> f.repositoryOf(path)).orElse(OUTER)));
  }

  private String excludes(Snapshot then, RepoPath repository) {
    if (repository.equals(OUTER)) {
      return shadow.rules().excludes() + then.metadata().map(SnapshotMetadata::excludes).orElse("");
    }
    Checkout checkout =
        then.metadata().map(metadata -> metadata.inner().get(repository)).orElse(null);
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
        String[] entry = new String(bytes, 0, tab, US_ASCII).split(" ", -1);
        if (path.name().equals(RULES_FILE) && path.isSafe() && entry[0].startsWith("100")) {
          Path file = path.under(folder);
          Files.createDirectories(file.getParent());
          Files.write(file, objects.bytes(entry[2]));
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

  /// The paths among `paths` that may have existed although a snapshot does not have them, because
  /// git keeps files out of a sparse worktree.
  Set<RepoPath> sparseThen(Snapshot then, Collection<RepoPath> paths) {
    return sparse(then, paths, false);
  }

  /// The paths among `paths` that git keeps out of the worktree now.
  Set<RepoPath> sparseNow(Snapshot now, Collection<RepoPath> paths) {
    return sparse(now, paths, true);
  }

  /// @param skippedOnly whether only files count that git keeps out now; otherwise all tracked
  ///   files count, because they may have come since
  private Set<RepoPath> sparse(Snapshot snapshot, Collection<RepoPath> paths, boolean skippedOnly) {
    SnapshotMetadata metadata = snapshot.metadata().orElse(null);
    if (metadata == null
        || paths.isEmpty()
        || !metadata.sparse() && metadata.inner().values().stream().noneMatch(Checkout::sparse)) {
      return Set.of();
    }
    Set<RepoPath> found = new HashSet<>();
    byRepository(snapshot, paths)
        .forEach(
            (repository, inside) -> {
              Set<RepoPath> tracked = tracked(metadata, repository, skippedOnly);
              inside.stream()
                  .filter(path -> tracked == null || tracked.contains(path))
                  .forEach(found::add);
            });
    return found;
  }

  /// The tracked files; null if they cannot be listed, so that any file may be one.
  private @Nullable Set<RepoPath> tracked(
      SnapshotMetadata metadata, RepoPath repository, boolean skippedOnly) {
    if (repository.equals(OUTER)) {
      return metadata.sparse() ? GitListing.tracked(worktree.git(), OUTER, skippedOnly) : Set.of();
    }
    Checkout checkout = metadata.inner().get(repository);
    if (checkout == null || !checkout.sparse()) {
      return Set.of();
    }
    try {
      return InnerRepository.open(worktree, repository).tracked(skippedOnly);
    } catch (InnerRepository.Unfit | StoreException.Io e) {
      return null;
    }
  }
}
