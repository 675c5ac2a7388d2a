// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

import dev.varve.disk.DiskErrors;
import dev.varve.files.WholeFile;
import dev.varve.git.Git;
import dev.varve.rewind.Permissions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/// A separate repository for snapshots, outside of the repository whose files they hold, so that no
/// push, clone or copy of that repository takes them along. The external repository has all objects
/// of its snapshots. No object is shared, because garbage collection in the other repository would
/// not know of the snapshots.
///
/// A file in the repository's folder `varve-rewind` holds the path of the external repository in
/// one line.
public final class ExternalRepository {

  private ExternalRepository() {}

  /// Moves the snapshots of a repository. Breaking off loses nothing: until the line is written,
  /// the snapshots are where they were. Called under the lock.
  ///
  /// @param to the external repository: made, for its owner alone, if it is absent; an external
  ///   repository that exists is used
  public static void move(Worktree worktree, Path to) {
    Path folder = to.toAbsolutePath().normalize();
    makeFolder(folder);
    Git git = Git.in(folder).with(java.util.Map.of("GIT_DIR", folder.toString()));
    git.run("init", "-q", "--bare", "--template=", "--object-format=" + worktree.format());
    Git.Output tip =
        worktree.git().tryRun(new byte[0], "rev-parse", "-q", "--verify", SnapshotRef.NAME);
    if (tip.status() == 0) {
      String from = worktree.commonFolder().toString();
      git.run("fetch", "-q", "--no-tags", from, "+" + SnapshotRef.NAME + ":" + SnapshotRef.NAME);
    }
    for (Path shadow : ShadowRepository.all(worktree)) {
      WholeFile.at(shadow.resolve(LastCapture.FILE)).delete();
      WholeFile.at(shadow.resolve("index")).delete();
    }
    SnapshotLocation.write(worktree.commonFolder(), folder);
    if (tip.status() == 0) {
      worktree.git().run("update-ref", "-d", SnapshotRef.NAME, tip.line());
    }
  }

  private static void makeFolder(Path folder) {
    try {
      Files.createDirectories(folder);
      if (Permissions.areKnownIn(folder)) {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
      }
    } catch (IOException e) {
      throw DiskErrors.ofWrite(folder, "create", 0, e);
    }
  }
}
