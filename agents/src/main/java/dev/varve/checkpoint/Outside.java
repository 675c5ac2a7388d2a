// SPDX-License-Identifier: Apache-2.0
package dev.varve.checkpoint;

import dev.varve.StoreException;
import dev.varve.git.Git;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/// A repository of its own for snapshots, outside of the one that they are of: then no push, clone
/// or copy of that one takes them along. It has all objects of its snapshots; none is shared,
/// because whoever collects garbage in the other would not know of them.
///
/// Where it is stands in a line of a file in the repository's folder `varve-rewind`.
final class Outside {

  private static final String FILE = "outside";

  private Outside() {}

  /// @throws StoreException.NotFound if there should be one, and it is gone
  static Optional<Path> of(Path commonFolder) {
    Optional<String> line =
        SmallFile.read(commonFolder.resolve(Shadow.FOLDER).resolve(FILE)).map(String::strip);
    if (line.isEmpty()) {
      return Optional.empty();
    }
    try {
      Path folder = Path.of(line.get());
      if (folder.isAbsolute() && Files.isDirectory(folder.resolve("objects"))) {
        return Optional.of(folder);
      }
    } catch (InvalidPathException e) {
      // not there either
    }
    throw new StoreException.NotFound("repository of the snapshots", line.get());
  }

  /// Moves the snapshots of a repository. Breaking off loses nothing: until the line is written
  /// they are where they were. Called under the lock.
  ///
  /// @param to is made, readable by its owner alone; may be there already, if it is one of these
  static void move(Worktree worktree, Path to) {
    Path folder = to.toAbsolutePath().normalize();
    makeFolder(folder);
    Git git = Git.in(folder).with(java.util.Map.of("GIT_DIR", folder.toString()));
    git.run("init", "-q", "--bare", "--template=", "--object-format=" + worktree.format());
    Git.Output tip =
        worktree.git().tryRun(new byte[0], "rev-parse", "-q", "--verify", StoreRef.NAME);
    if (tip.status() == 0) {
      String from = worktree.commonFolder().toString();
      git.run("fetch", "-q", "--no-tags", from, "+" + StoreRef.NAME + ":" + StoreRef.NAME);
    }
    for (Path shadow : Shadow.all(worktree)) {
      SmallFile.delete(shadow.resolve(LastCapture.FILE));
      SmallFile.delete(shadow.resolve("index"));
    }
    SmallFile.replace(worktree.commonFolder().resolve(Shadow.FOLDER).resolve(FILE), folder + "\n");
    if (tip.status() == 0) {
      worktree.git().run("update-ref", "-d", StoreRef.NAME, tip.line());
    }
  }

  private static void makeFolder(Path folder) {
    try {
      Files.createDirectories(folder);
      if (Permissions.areKnownIn(folder)) {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
      }
    } catch (IOException e) {
      throw SmallFile.refusal(folder, "create", e);
    }
  }
}
