// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import dev.varve.StoreException;
import dev.varve.disk.DiskErrors;
import dev.varve.disk.LocalDisk;
import dev.varve.git.RepoPath;
import dev.varve.rewind.PlannedPath.Action;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Carries out a plan under a journal. A file that cannot be restored does not keep the other files
/// from being restored; each failure is reported.
final class RestoreRun {

  private static final String STAGE = "stage";

  private final SnapshotArchive archive;

  RestoreRun(SnapshotArchive archive) {
    this.archive = archive;
  }

  /// @param capturedAt when the plan's state was captured, by the file system's clock
  /// @param begin called when all content is at hand and no file was touched yet: writes the
  ///   journal, if there is none yet
  /// @return a result for each path that was to change. The journal is still there.
  List<PathResult> run(RestorePlan plan, FileTime capturedAt, Runnable begin) {
    Path folder = archive.folder().resolve(STAGE);
    RestoreStage stage = RestoreStage.of(plan, archive, folder);
    Set<RepoPath> lasting = lasting(plan);
    begin.run();
    WorktreeWriter writer = new WorktreeWriter(archive.root(), capturedAt);
    List<PathResult> results = new ArrayList<>();
    // What is in a folder goes before the folder; a folder comes before what is in it.
    for (PlannedPath path : plan.paths().reversed()) {
      if (path.action() == Action.DELETE) {
        results.add(
            tried(
                path,
                () -> {
                  if (path.folder()) {
                    writer.deleteFolder(path.path(), lasting);
                  } else {
                    writer.delete(path.path(), lasting);
                  }
                }));
      }
    }
    Set<PosixFilePermission> fresh = fresh();
    Set<Path> folders = new HashSet<>();
    for (PlannedPath path : plan.paths()) {
      switch (path.action()) {
        case CREATE, CHANGE -> {
          results.add(tried(path, () -> place(path, stage, writer, fresh)));
          folders.add(path.path().under(archive.root()).getParent());
        }
        case PERMIT ->
            results.add(tried(path, () -> writer.permit(path.path(), path.permissions())));
        case DELETE, KEEP -> {}
      }
    }
    force(folders);
    RestoreStage.clear(folder);
    return results;
  }

  /// The folders that deletions may empty and that are there to stay.
  private Set<RepoPath> lasting(RestorePlan plan) {
    Set<RepoPath> folders = new HashSet<>();
    for (PlannedPath path : plan.paths()) {
      if (path.action() == Action.DELETE) {
        for (Optional<RepoPath> step = path.path().parent();
            step.isPresent() && folders.add(step.get());
            step = step.get().parent()) {}
      }
    }
    return folders.isEmpty() ? folders : archive.lasting(plan.target(), folders);
  }

  private void place(
      PlannedPath path, RestoreStage stage, WorktreeWriter writer, Set<PosixFilePermission> fresh)
      throws IOException {
    if (path.folder()) {
      writer.folder(path.path(), path.permissions());
      return;
    }
    stage.permitLike(path, path.path().under(archive.root()), fresh);
    writer.place(path.path(), stage.file(path.path()));
  }

  /// Removes what a restore that broke off has left.
  ///
  /// @param paths the paths that the restore was to change
  void tidy(Set<RepoPath> paths) {
    RestoreStage.clear(archive.folder().resolve(STAGE));
    WorktreeWriter.tidy(archive.root(), paths);
  }

  private interface Work {
    void run() throws IOException;
  }

  private static PathResult tried(PlannedPath path, Work work) {
    String failure = "";
    try {
      work.run();
    } catch (IOException e) {
      failure = reason(path.path(), e);
    }
    return new PathResult(path.path(), path.action(), failure);
  }

  private static String reason(RepoPath path, IOException e) {
    String said = String.valueOf(e.getMessage());
    return switch (e) {
      case java.nio.file.AccessDeniedException _ -> "permission denied";
      case java.nio.file.DirectoryNotEmptyException _ ->
          "a folder that is not empty is in its place";
      case java.nio.file.FileSystemException f when f.getReason() != null -> f.getReason();
      default -> said.isEmpty() ? path + ": " + e.getClass().getSimpleName() : said;
    };
  }

  /// The permissions that a new file gets here, by the process's umask.
  private Set<PosixFilePermission> fresh() {
    Path probe = archive.folder().resolve("new-file");
    try {
      Files.deleteIfExists(probe);
      Files.createFile(probe);
      Set<PosixFilePermission> found =
          Permissions.areKnownIn(probe) ? Files.getPosixFilePermissions(probe) : Set.of();
      Files.delete(probe);
      return found;
    } catch (IOException e) {
      throw DiskErrors.ofWrite(probe, "create", 0, e);
    }
  }

  /// Makes the names durable, as the contents are already.
  private static void force(Set<Path> folders) {
    for (Path folder : folders) {
      try {
        LocalDisk.ofUser(folder).forceNames();
      } catch (StoreException.Io e) {
        // A folder that cannot be read was not read by us either; its entries are in the journal's
        // snapshots.
      }
    }
  }
}
