// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;

import dev.varve.git.RepoPath;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/// Writes and deletes single files of the worktree in a restore. A file is replaced in one step or
/// not at all; nothing is ever written through a link; a folder that is closed for writing is
/// opened for the moment.
public final class WorktreeWriter {

  /// An operation on a file in a folder that is open for writing.
  private interface Work {
    void run() throws IOException;
  }

  private static final String LITTER = ".varve-rewind-";
  private static final String LITTER_NAME =
      "\\.varve-rewind-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

  private final Path root;
  private final FileTime capturedAt;

  /// Files that had several names and lost one by this restore. The system counts this as a change
  /// of the file under its other names.
  private final Set<Object> loosened = new HashSet<>();

  /// @param capturedAt files that changed later are not touched: no snapshot has them as they are
  WorktreeWriter(Path root, FileTime capturedAt) {
    this.root = root;
    this.capturedAt = capturedAt;
  }

  /// Deletes a file or link, and the folders that become empty by it, except those in `lasting`.
  void delete(RepoPath path, Set<RepoPath> lasting) throws IOException {
    Path file = path.under(root);
    if (FolderChecks.isGone(root, file)) {
      return;
    }
    demandUntouched(file);
    if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException("is a folder now");
    }
    loosen(file);
    in(file, () -> Files.deleteIfExists(file));
    deleteEmptied(path, lasting);
  }

  private void deleteEmptied(RepoPath path, Set<RepoPath> lasting) throws IOException {
    for (Optional<RepoPath> step = path.parent();
        step.isPresent() && !lasting.contains(step.get());
        step = step.get().parent()) {
      Path folder = step.get().under(root);
      try {
        in(folder, () -> Files.deleteIfExists(folder));
      } catch (DirectoryNotEmptyException e) {
        return;
      }
    }
  }

  /// Deletes a folder that is empty by now, and the folders that become empty by it, except those
  /// in `lasting`.
  void deleteFolder(RepoPath path, Set<RepoPath> lasting) throws IOException {
    Path folder = path.under(root);
    if (FolderChecks.isGone(root, folder)) {
      return;
    }
    demandReal(folder);
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException("is no folder any more");
    }
    in(folder, () -> Files.delete(folder));
    deleteEmptied(path, lasting);
  }

  /// Makes a folder if it is absent, in place of a file if there is one.
  void folder(RepoPath path, String octal) throws IOException {
    Path folder = path.under(root);
    demandUntouched(folder);
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      in(folder, () -> Files.deleteIfExists(folder));
    }
    makeFolder(path);
    permit(path, octal);
  }

  /// Puts a staged file or link in its place.
  void place(RepoPath path, Path staged) throws IOException {
    Path file = path.under(root);
    makeRoom(path, file);
    loosen(file);
    in(
        file,
        () -> {
          try {
            Files.move(staged, file, ATOMIC_MOVE);
          } catch (AtomicMoveNotSupportedException e) {
            Path beside = beside(file);
            Files.copy(staged, beside, COPY_ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
            force(beside);
            Files.move(beside, file, ATOMIC_MOVE);
          }
        });
  }

  void permit(RepoPath path, String octal) throws IOException {
    Path file = path.under(root);
    demandReal(file);
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
        && !Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException("is neither file nor folder any more");
    }
    if (Permissions.areKnownIn(file)) {
      Files.setPosixFilePermissions(file, Permissions.of(octal));
    }
  }

  private static Path beside(Path file) {
    return file.resolveSibling(LITTER + UUID.randomUUID());
  }

  /// Forces a file that could not be moved and was copied, so that it is not durable yet.
  private static void force(Path file) throws IOException {
    if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && Files.isReadable(file)) {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }

  /// True for a name that only a killed restore leaves behind.
  public static boolean isLitter(String name) {
    return name.matches(LITTER_NAME);
  }

  /// Deletes the files that a killed restore left beside those that it was to place.
  static void tidy(Path root, Set<RepoPath> paths) {
    Set<Path> folders = new HashSet<>();
    paths.forEach(path -> folders.add(path.under(root).getParent()));
    for (Path folder : folders) {
      if (!FolderChecks.areReal(root, folder.resolve("any"))) {
        continue;
      }
      try (DirectoryStream<Path> left = Files.newDirectoryStream(folder, LITTER + "*")) {
        for (Path file : left) {
          if (isLitter(file.getFileName().toString())
              && !Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
            Files.deleteIfExists(file);
          }
        }
      } catch (IOException e) {
        // The folder is gone or closed: then nothing of ours can be seen in it.
      }
    }
  }

  private void makeRoom(RepoPath path, Path file) throws IOException {
    demandUntouched(file);
    Optional<RepoPath> parent = path.parent();
    if (parent.isPresent()) {
      makeFolder(parent.get());
    }
    if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
      deleteEmpty(file);
    }
  }

  private void makeFolder(RepoPath path) throws IOException {
    Path folder = path.under(root);
    if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Optional<RepoPath> parent = path.parent();
    if (parent.isPresent()) {
      makeFolder(parent.get());
    }
    in(folder, () -> Files.createDirectory(folder));
  }

  /// Deletes a folder in whose place a file comes; the plan saw that the folder holds only folders.
  private void deleteEmpty(Path folder) throws IOException {
    try (var inside = Files.newDirectoryStream(folder)) {
      for (Path each : inside) {
        if (!Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)) {
          throw new IOException("a folder that is not empty is in its place");
        }
        deleteEmpty(each);
      }
    }
    in(folder, () -> Files.delete(folder));
  }

  /// Refuses a file that was changed while the restore was under way.
  private void demandUntouched(Path file) throws IOException {
    demandReal(file);
    try {
      if (!Permissions.areKnownIn(file) || Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
        return;
      }
      FileTime changedAt =
          (FileTime) Files.getAttribute(file, "unix:ctime", LinkOption.NOFOLLOW_LINKS);
      if (changedAt.compareTo(capturedAt) > 0 && !isLoosenedOnly(file)) {
        throw new IOException("was changed while it was to be restored");
      }
    } catch (NoSuchFileException e) {
      // Nothing there that could be lost.
    }
  }

  /// Notes a file that is to lose a name and has others.
  private void loosen(Path file) throws IOException {
    if (Permissions.areKnownIn(file)
        && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
        && (int) Files.getAttribute(file, "unix:nlink", LinkOption.NOFOLLOW_LINKS) > 1) {
      loosened.add(key(file));
    }
  }

  private boolean isLoosenedOnly(Path file) throws IOException {
    return loosened.contains(key(file))
        && Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).compareTo(capturedAt) <= 0;
  }

  private static Object key(Path file) throws IOException {
    Map<String, Object> attributes =
        Files.readAttributes(file, "unix:dev,ino", LinkOption.NOFOLLOW_LINKS);
    return Map.copyOf(attributes);
  }

  private void demandReal(Path file) throws IOException {
    if (!FolderChecks.areReal(root, file)) {
      throw new NotDirectoryException("a step on the way is a link or a file");
    }
  }

  /// Carries out an operation on an entry of the folder that `file` is in.
  private static void in(Path file, Work work) throws IOException {
    try {
      work.run();
    } catch (AccessDeniedException e) {
      Path folder = file.getParent();
      if (folder == null || !Permissions.areKnownIn(folder) || Files.isWritable(folder)) {
        throw e;
      }
      Set<PosixFilePermission> before = Files.getPosixFilePermissions(folder);
      Set<PosixFilePermission> open = new HashSet<>(before);
      open.add(PosixFilePermission.OWNER_WRITE);
      open.add(PosixFilePermission.OWNER_EXECUTE);
      Files.setPosixFilePermissions(folder, open);
      try {
        work.run();
      } finally {
        Files.setPosixFilePermissions(folder, before);
      }
    }
  }
}
