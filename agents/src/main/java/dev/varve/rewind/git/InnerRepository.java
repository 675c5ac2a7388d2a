// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.varve.StoreException;
import dev.varve.git.Git;
import dev.varve.git.RepoPath;
import dev.varve.rewind.Checkout;
import dev.varve.rewind.LeftOut;
import dev.varve.rewind.SmallFile;
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

/// A repository inside a worktree, for instance a submodule. Its own git decides which of its files
/// are captured; nothing of the repository is changed but the files of its worktree.
///
/// All paths are those of the outer worktree.
final class InnerRepository {

  private static final String HEAD = "HEAD";
  private static final int POINTER_BYTES_MAX = 4_096;

  /// The reason why no file of a repository can be captured.
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
  private final UserGitRules rules;
  private boolean complete = true;

  private InnerRepository(RepoPath path, Worktree worktree) {
    this.path = path;
    this.worktree = worktree;
    this.rules = new UserGitRules(worktree);
  }

  /// @param path the repository's place in `outer`, with a slash at the end
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

  /// @param said the output of git
  static LeftOut why(String said) {
    return said.contains("dubious ownership") ? LeftOut.FOREIGN : LeftOut.BROKEN;
  }

  RepoPath path() {
    return path;
  }

  /// A text that differs once a rule that decides about captured files changed, or the checkout
  /// changed. Only a few short files are read.
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

  /// The text of a link to a git folder elsewhere, or the identity of the git folder itself.
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

  /// The files that are to be captured: those that the repository tracks, and those that it neither
  /// tracks nor ignores. Tracked files may be absent. Repositories inside this one are listed with
  /// a slash at the end, submodules without.
  List<RepoPath> files() throws Unfit {
    Git.Output output =
        worktree.git().tryRun(new byte[0], "ls-files", "-z", "-c", "-o", "--exclude-standard");
    if (output.status() != 0) {
      throw new Unfit(LeftOut.BROKEN);
    }
    complete = output.err().isBlank();
    return RepoPath.list(output.out()).stream().map(each -> each.after(path)).toList();
  }

  /// False if git complained when the files were listed: a folder may be missing from the list.
  boolean isComplete() {
    return complete;
  }

  /// The outermost folders that the repository does not ignore and in which it tracks nothing, with
  /// a slash at the end, and untracked files.
  List<RepoPath> foldersWithoutTracked() throws Unfit {
    try {
      return GitListing.outermost(worktree.git()).stream().map(each -> each.after(path)).toList();
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

  /// The paths among `paths` that the repository ignores, without ignored folders in which it
  /// tracks files.
  Set<RepoPath> ignored(Collection<RepoPath> paths) throws Unfit {
    return asked(paths, new GitIgnoreRules(worktree.git())::untracked);
  }

  /// The paths among `paths` that a rule of the repository names, tracked or not.
  Set<RepoPath> named(Collection<RepoPath> paths) throws Unfit {
    return asked(paths, new GitIgnoreRules(worktree.git())::among);
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

  /// The tracked files that git keeps out of a sparse worktree; or all tracked files.
  Set<RepoPath> tracked(boolean skippedOnly) {
    return GitListing.tracked(worktree.git(), path, skippedOnly);
  }
}
