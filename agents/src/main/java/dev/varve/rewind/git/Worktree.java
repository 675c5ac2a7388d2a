// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.varve.StoreException;
import dev.varve.git.Git;
import dev.varve.git.LooseObjects;
import dev.varve.git.RepoPath;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// The places of a worktree and its repository.
///
/// @param root the worktree's top, whatever folder in it was named
/// @param gitFolder the git folder of this worktree alone
/// @param commonFolder the git folder that linked worktrees share
/// @param format how objects are named: `sha1` or `sha256`
/// @param keep the git folder that keeps the snapshots: the common one, or one [ExternalRepository]
/// @param objects the writer of objects
public record Worktree(
    Path root, Path gitFolder, Path commonFolder, String format, Path keep, LooseObjects objects) {

  /// Finds the worktree that a folder is in.
  ///
  /// @throws StoreException.NotFound if there is no folder or no repository, or the repository is
  ///   bare
  public static Worktree at(Path folder) {
    if (!Files.isDirectory(folder)) {
      throw new StoreException.NotFound("folder", folder.toString());
    }
    Git git = Git.in(folder.toAbsolutePath());
    String[] question = {
      "rev-parse",
      "--path-format=absolute",
      "--show-toplevel",
      "--absolute-git-dir",
      "--git-common-dir",
      "--show-object-format"
    };
    Git.Output output = git.tryRun(new byte[0], question);
    if (output.status() != 0) {
      if (output.err().contains("not a git repository") || output.err().contains("work tree")) {
        throw new StoreException.NotFound("git worktree", folder.toString());
      }
      throw git.failed(output, question);
    }
    String[] lines = new String(output.out(), ISO_8859_1).split("\n", -1);
    if (lines.length != 5) {
      throw new StoreException.Invalid(
          folder.toString(), "a worktree whose path has a line break is not supported");
    }
    Path common = path(lines[2]);
    Path keep = SnapshotLocation.external(common).orElse(common);
    LooseObjects objects = new LooseObjects(keep.resolve("objects"), lines[3]);
    return new Worktree(path(lines[0]), path(lines[1]), common, lines[3], keep, objects);
  }

  private static Path path(String line) {
    return RepoPath.absolute(line.getBytes(ISO_8859_1));
  }

  /// The user's own git, for reading and for the one ref. The disk decides whether names that
  /// differ by case are different, whatever the user's settings claim.
  public Git git() {
    return Git.in(root)
        .with(
            Map.of(
                "GIT_CONFIG_COUNT",
                "1",
                "GIT_CONFIG_KEY_0",
                "core.ignorecase",
                "GIT_CONFIG_VALUE_0",
                Boolean.toString(foldsCase())));
  }

  /// True if names that differ by case alone name the same file.
  boolean foldsCase() {
    return DiskTraits.foldsCase(root, gitFolder);
  }

  public boolean keepsOutside() {
    return !keep.equals(commonFolder);
  }

  /// Git where the snapshots are.
  public Git keeper() {
    return keepsOutside() ? git().with(Map.of("GIT_DIR", keep.toString())) : git();
  }

  /// The length of an object's id.
  public int idBytes() {
    return format.equals("sha256") ? 32 : 20;
  }

  /// The name of the worktree: `main`, or the name of a linked worktree. The snapshots of all
  /// worktrees share one ref.
  String name() {
    return gitFolder.equals(commonFolder) ? "main" : gitFolder.getFileName().toString();
  }

  Path userIndex() {
    return gitFolder.resolve("index");
  }
}
