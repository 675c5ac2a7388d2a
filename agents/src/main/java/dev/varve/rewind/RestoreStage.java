// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.varve.StoreException;
import dev.varve.disk.DiskErrors;
import dev.varve.files.FolderTree;
import dev.varve.git.RepoPath;
import dev.varve.git.TreeChange;
import dev.varve.rewind.PlannedPath.Action;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// The content of a restore, written out in a folder of its own before the first file of the
/// worktree is touched: content that is missing or does not fit on the disk is found out here.
final class RestoreStage {

  /// The greatest length of a link's target on Linux.
  private static final int LINK_BYTES_MAX = 4_096;

  private final Path folder;
  private final Map<RepoPath, Path> files = new HashMap<>();
  private final SortedMap<String, String> links = new TreeMap<>();

  private RestoreStage(Path folder) {
    this.folder = folder;
  }

  /// Writes out the content of a plan.
  ///
  /// @throws StoreException.Full if it does not fit
  /// @throws StoreException.NotFound if some of it is lost
  static RestoreStage of(RestorePlan plan, SnapshotArchive archive, Path folder) {
    clear(folder);
    RestoreStage stage = new RestoreStage(folder);
    try {
      Files.createDirectories(folder);
      try (SnapshotContents contents = archive.contents()) {
        for (PlannedPath path : plan.paths()) {
          boolean written = path.action() == Action.CREATE || path.action() == Action.CHANGE;
          if (written && !path.folder()) {
            stage.add(path, contents);
          }
        }
        if (!stage.links.isEmpty()) {
          contents.writeLinks(folder, stage.links);
        }
      }
      return stage;
    } catch (IOException e) {
      throw DiskErrors.ofWrite(folder, "write", 0, e);
    }
  }

  static void clear(Path folder) {
    FolderTree.delete(folder);
  }

  private void add(PlannedPath path, SnapshotContents contents) throws IOException {
    Path file = folder.resolve(Integer.toString(files.size()));
    if (path.mode() == TreeChange.LINK) {
      long sizeBytes = contents.copy(path.id(), OutputStream.nullOutputStream());
      if (sizeBytes > LINK_BYTES_MAX) {
        throw new StoreException.TooLarge("link " + path.path(), sizeBytes, LINK_BYTES_MAX);
      }
      links.put(file.getFileName().toString(), path.id());
      files.put(path.path(), file);
      return;
    }
    try (FileChannel channel = create(file, path);
        OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16)) {
      contents.copy(path.id(), out);
      out.flush();
      channel.force(false);
    }
    files.put(path.path(), file);
  }

  /// Creates a file for the owner alone, so that nobody reads a secret before its permissions are
  /// set.
  private static FileChannel create(Path file, PlannedPath path) throws IOException {
    if (!Permissions.areKnownIn(file)) {
      return FileChannel.open(file, CREATE_NEW, WRITE);
    }
    FileChannel channel =
        FileChannel.open(
            file,
            Set.of(CREATE_NEW, WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    if (!path.permissions().isEmpty()) {
      Files.setPosixFilePermissions(file, Permissions.of(path.permissions()));
    }
    return channel;
  }

  /// Gives a file whose snapshot knows no permissions the permissions of the file in its place, or
  /// those of a new file here.
  void permitLike(PlannedPath path, Path place, Set<PosixFilePermission> fresh) throws IOException {
    Path file = file(path.path());
    if (path.mode() == TreeChange.LINK
        || !path.permissions().isEmpty()
        || !Permissions.areKnownIn(file)) {
      return;
    }
    Set<PosixFilePermission> permissions =
        Files.isRegularFile(place, LinkOption.NOFOLLOW_LINKS)
            ? new HashSet<>(Files.getPosixFilePermissions(place))
            : new HashSet<>(fresh);
    boolean isProgram = path.mode() == TreeChange.PROGRAM;
    for (PosixFilePermission[] pair :
        new PosixFilePermission[][] {
          {PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_EXECUTE},
          {PosixFilePermission.GROUP_READ, PosixFilePermission.GROUP_EXECUTE},
          {PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_EXECUTE}
        }) {
      if (isProgram && permissions.contains(pair[0])) {
        permissions.add(pair[1]);
      } else {
        permissions.remove(pair[1]);
      }
    }
    Files.setPosixFilePermissions(file, permissions);
  }

  /// The file or link that was written out for a path.
  Path file(RepoPath path) {
    return Objects.requireNonNull(files.get(path));
  }
}
