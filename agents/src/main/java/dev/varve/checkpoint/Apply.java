// SPDX-License-Identifier: Apache-2.0
package dev.varve.checkpoint;

import dev.varve.checkpoint.PlannedPath.Action;
import dev.varve.git.RepoPath;
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

/// Does what a plan says, under a journal. One file that cannot be restored does not keep the
/// others from it; each is reported.
final class Apply {

  private static final String STAGE = "stage";

  private final Archive archive;

  Apply(Archive archive) {
    this.archive = archive;
  }

  /// @param capturedAt when the plan's state was captured, by the file system's clock
  /// @param begin called when all content is at hand and nothing was touched yet: writes the
  ///   journal, if there is none yet
  /// @return a result for each path that was to change. The journal is still there.
  List<PathResult> run(Plan plan, FileTime capturedAt, Runnable begin) {
    Path folder = archive.folder().resolve(STAGE);
    Stage stage = Stage.of(plan, archive, folder);
    Set<RepoPath> lasting = lasting(plan);
    begin.run();
    Hands hands = new Hands(archive.root(), capturedAt);
    List<PathResult> results = new ArrayList<>();
    // What is in a folder goes before the folder; a folder comes before what is in it.
    for (PlannedPath path : plan.paths().reversed()) {
      if (path.action() == Action.DELETE) {
        results.add(
            tried(
                path,
                () -> {
                  if (path.folder()) {
                    hands.deleteFolder(path.path(), lasting);
                  } else {
                    hands.delete(path.path(), lasting);
                  }
                }));
      }
    }
    Set<PosixFilePermission> fresh = fresh();
    Set<Path> folders = new HashSet<>();
    for (PlannedPath path : plan.paths()) {
      switch (path.action()) {
        case CREATE, CHANGE -> {
          results.add(tried(path, () -> place(path, stage, hands, fresh)));
          folders.add(path.path().under(archive.root()).getParent());
        }
        case PERMIT ->
            results.add(tried(path, () -> hands.permit(path.path(), path.permissions())));
        case DELETE, KEEP -> {}
      }
    }
    force(folders);
    Stage.clear(folder);
    return results;
  }

  /// The folders that deletions may empty and that are there to stay.
  private Set<RepoPath> lasting(Plan plan) {
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

  private void place(PlannedPath path, Stage stage, Hands hands, Set<PosixFilePermission> fresh)
      throws IOException {
    if (path.folder()) {
      hands.folder(path.path(), path.permissions());
      return;
    }
    stage.permitLike(path, path.path().under(archive.root()), fresh);
    hands.place(path.path(), stage.file(path.path()));
  }

  /// Removes what a restore that broke off has left.
  ///
  /// @param paths those that it was to change
  void tidy(Set<RepoPath> paths) {
    Stage.clear(archive.folder().resolve(STAGE));
    Hands.tidy(archive.root(), paths);
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

  /// What a new file gets here, by the process's umask.
  private Set<PosixFilePermission> fresh() {
    Path probe = archive.folder().resolve("probe");
    try {
      Files.deleteIfExists(probe);
      Files.createFile(probe);
      return Permissions.areKnownIn(probe) ? Files.getPosixFilePermissions(probe) : Set.of();
    } catch (IOException e) {
      throw SmallFile.refusal(probe, "create", e);
    }
  }

  /// Makes the names durable, as the contents are already.
  private static void force(Set<Path> folders) {
    for (Path folder : folders) {
      try {
        SmallFile.forceNames(folder);
      } catch (IOException e) {
        // A folder that cannot be read was not read by us either; its entries are in the journal's
        // snapshots.
      }
    }
  }
}
