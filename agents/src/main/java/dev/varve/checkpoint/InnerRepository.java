// SPDX-License-Identifier: Apache-2.0
package dev.varve.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.varve.StoreException;
import dev.varve.git.Git;
import dev.varve.git.RepoPath;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/// A repository inside a worktree, a submodule for one. What of it is captured, its own git says;
/// nothing of it is changed but files of its worktree.
///
/// Names go in and out as the outer worktree has them.
final class InnerRepository {

  private static final String HEAD = "HEAD";
  private static final int POINTER_BYTES_MAX = 4_096;

  /// That nothing in it can be captured.
  static final class Unfit extends Exception {
    private static final long serialVersionUID = 1;
    private final LeftOut why;

    Unfit(LeftOut why) {
      super(why.words(), null, false, false);
      this.why = why;
    }

    LeftOut why() {
      return why;
    }
  }

  private final RepoPath path;
  private final Worktree worktree;
  private final UserRules rules;

  private InnerRepository(RepoPath path, Worktree worktree) {
    this.path = path;
    this.worktree = worktree;
    this.rules = new UserRules(worktree);
  }

  /// @param path where it is in `outer`, with a slash at the end
  /// @throws Unfit if git does not find a repository just there, or may not look into it
  static InnerRepository open(Worktree outer, RepoPath path) throws Unfit {
    Path root = path.under(outer.root());
    try {
      Worktree found = Worktree.at(root);
      if (!Files.isSameFile(found.root(), root)) {
        throw new Unfit(LeftOut.BROKEN);
      }
      if (Files.isSameFile(found.commonFolder(), outer.commonFolder())) {
        throw new Unfit(LeftOut.LINKED);
      }
      return new InnerRepository(path, found);
    } catch (StoreException.Io e) {
      throw new Unfit(why(String.valueOf(e.getMessage())));
    } catch (IOException | StoreException e) {
      throw new Unfit(LeftOut.BROKEN);
    }
  }

  /// @param said by git
  static LeftOut why(String said) {
    return said.contains("dubious ownership") ? LeftOut.FOREIGN : LeftOut.BROKEN;
  }

  RepoPath path() {
    return path;
  }

  /// Changes when something does that decides what is captured of it, or what it has checked out;
  /// nothing of it is read but a few short files.
  String mark() {
    Path folder = worktree.gitFolder();
    Path common = worktree.commonFolder();
    String head = pointer(folder.resolve(HEAD));
    String name = head.startsWith("ref: ") ? head.substring("ref: ".length()) : "";
    boolean plain = name.startsWith("refs/") && RepoPath.of(name).isSafe();
    return String.join(
        " ",
        identity(worktree.root().resolve(".git")),
        rules.signature(),
        head,
        plain ? pointer(common.resolve(name)) : "",
        SmallFile.signature(common.resolve("packed-refs")),
        SmallFile.signature(common.resolve("reftable").resolve("tables.list")),
        SmallFile.signature(folder.resolve("reftable").resolve("tables.list")));
  }

  /// A link to a git folder elsewhere, or the folder itself, whatever happens in it.
  private static String identity(Path file) {
    try {
      return Files.isDirectory(file)
          ? String.valueOf(Files.getAttribute(file, "fileKey", LinkOption.NOFOLLOW_LINKS))
          : pointer(file);
    } catch (IOException e) {
      return "none";
    }
  }

  private static String pointer(Path file) {
    if (!Files.isRegularFile(file)) {
      return "none"; // a pipe would be waited for
    }
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(POINTER_BYTES_MAX), UTF_8).strip();
    } catch (IOException e) {
      return "none";
    }
  }

  /// The files that are to be captured: those that it tracks, and those that it neither tracks nor
  /// ignores. Not all of them need be there. Repositories in it are among them, with a slash at the
  /// end; submodules without.
  List<RepoPath> files() throws Unfit {
    Git.Output output =
        worktree.git().tryRun(new byte[0], "ls-files", "-z", "-c", "-o", "--exclude-standard");
    if (output.status() != 0) {
      throw new Unfit(LeftOut.BROKEN);
    }
    return RepoPath.list(output.out()).stream().map(each -> each.after(path)).toList();
  }

  /// The folders that it does not ignore and tracks nothing in, with a slash at the end; only the
  /// outermost; among files.
  List<RepoPath> foldersWithoutTracked() throws Unfit {
    try {
      return EmptyFolders.candidates(worktree.git()).stream()
          .map(each -> each.after(path))
          .toList();
    } catch (StoreException.Io e) {
      throw new Unfit(LeftOut.BROKEN);
    }
  }

  Checkout checkout() {
    Git git = worktree.git();
    Git.Output commit = git.tryRun(new byte[0], "rev-parse", "-q", "--verify", HEAD + "^{commit}");
    Git.Output branch = git.tryRun(new byte[0], "symbolic-ref", "-q", HEAD);
    return new Checkout(
        branch.status() == 0 ? branch.line() : "",
        commit.status() == 0 ? commit.line() : "",
        rules.isSparse(),
        rules.excludes());
  }

  /// Those of `paths` that it ignores; not folders that it ignores and tracks files in.
  Set<RepoPath> ignored(Collection<RepoPath> paths) throws Unfit {
    return asked(paths, new IgnoreRules(worktree.git())::untracked);
  }

  /// Those of `paths` that a rule of it names, whatever it tracks.
  Set<RepoPath> named(Collection<RepoPath> paths) throws Unfit {
    return asked(paths, new IgnoreRules(worktree.git())::among);
  }

  private Set<RepoPath> asked(
      Collection<RepoPath> paths, Function<Collection<RepoPath>, Set<RepoPath>> rules)
      throws Unfit {
    Set<RepoPath> ignored = new HashSet<>();
    try {
      rules
          .apply(paths.stream().map(each -> each.below(path)).toList())
          .forEach(each -> ignored.add(each.after(path)));
      return ignored;
    } catch (StoreException.Io e) {
      throw new Unfit(LeftOut.BROKEN);
    }
  }

  /// Those of its files that git tracks and keeps out of a sparse worktree; or all that it tracks.
  Set<RepoPath> tracked(boolean skippedOnly) {
    return Absences.tracked(worktree.git(), path, skippedOnly);
  }
}
