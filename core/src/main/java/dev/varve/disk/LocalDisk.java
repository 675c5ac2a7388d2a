// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.READ;

import dev.varve.StoreException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A folder of the file system.
///
/// No interrupt closes a file of it. Folders that it creates are for their owner only, and so are
/// files in a folder whose names are plain; others get what the process's umask gives. Folders
/// inside the folder are not seen. A file that is locked by this process cannot be opened, and
/// neither can what is no regular file: to open a pipe means to wait, perhaps for ever. A lock that
/// is a symbolic link is refused too, because the file behind the link would be written.
///
/// An opened folder stays that folder: where it was moved or deleted, and another folder perhaps
/// stands at its path, every use of a name is refused. So no file of the other folder is replaced.
public final class LocalDisk implements Disk {

  private final Path folder;
  private final boolean readOnly;
  private final boolean anyNames;

  /// The folder's number in the file system; null if it need not stay the same folder, or the file
  /// system has no numbers.
  private final @Nullable Object identity;

  private LocalDisk(Path folder, boolean readOnly, boolean anyNames, @Nullable Object identity) {
    this.folder = folder;
    this.readOnly = readOnly;
    this.anyNames = anyNames;
    this.identity = identity;
  }

  /// Opens a folder, creating it (and those above it) if it is absent. A folder that was created
  /// survives a power cut.
  ///
  /// @throws dev.varve.StoreException.Io if it cannot be created, or is not a folder
  public static LocalDisk open(Path folder) {
    Path place = folder.toAbsolutePath();
    try {
      createIfAbsent(place);
      return new LocalDisk(place, false, false, identity(place));
    } catch (IOException e) {
      throw DiskErrors.ofWrite(place, "create folder", 0, e);
    }
  }

  /// A folder as it is, such as one on a medium that cannot be written. Everything that would
  /// change it is refused, and so is opening a file that is not there. A lock taken here is shared
  /// with other readers and keeps writers out.
  public static LocalDisk openReadOnly(Path folder) {
    return new LocalDisk(folder.toAbsolutePath(), true, false, null);
  }

  /// A folder of the user's, where files have the names that the user gave them: any single name
  /// that the file system takes. The folder is not created.
  public static LocalDisk ofUser(Path folder) {
    return new LocalDisk(folder.toAbsolutePath(), false, true, null);
  }

  @Override
  public DiskFile open(String name) {
    Path path = unlockedPath(name);
    return readOnly ? LocalFile.openReadOnly(path) : LocalFile.open(path, access());
  }

  @Override
  public DiskFile openUncached(String name) {
    Path path = unlockedPath(name);
    return readOnly ? LocalFile.openReadOnly(path) : LocalFile.openUncached(path, access());
  }

  /// Returns whether this process holds a lock on `file`, which closing any handle of the file
  /// would free.
  public static boolean isLockedHere(Path file) {
    return LocalLock.isHeldHere(file);
  }

  private FileAccess access() {
    return anyNames ? FileAccess.AS_USUAL : FileAccess.OWNER_ONLY;
  }

  private Path unlockedPath(String name) {
    Path path = path(name);
    if (LocalLock.isHeldHere(path)) {
      throw new IllegalArgumentException(
          "locked by this process, opening it frees the lock: " + path);
    }
    if (!anyNames && Files.exists(path)) {
      demandRegular(path);
    }
    return path;
  }

  private static void demandRegular(Path path) {
    try {
      FileKind.demandRegular(path);
    } catch (IOException e) {
      throw DiskErrors.of(path, "open", e);
    }
  }

  @Override
  public boolean exists(String name) {
    return Files.exists(path(name));
  }

  @Override
  public List<String> names() {
    demandSameFolder();
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(Files::isRegularFile).map(p -> p.getFileName().toString()).toList();
    } catch (IOException e) {
      throw DiskErrors.of(folder, "list", e);
    }
  }

  @Override
  public Map<String, Long> sizesBytes() {
    Map<String, Long> sizes = new TreeMap<>();
    for (String name : names()) {
      try {
        sizes.put(name, Files.size(folder.resolve(name)));
      } catch (NoSuchFileException e) {
        // it went away
      } catch (IOException e) {
        throw DiskErrors.of(folder.resolve(name), "measure", e);
      }
    }
    return sizes;
  }

  @Override
  public void delete(String name) {
    Path path = path(name);
    refuseIfReadOnly(path);
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw DiskErrors.of(path, "delete", e);
    }
  }

  @Override
  public void replace(String from, String to) {
    Path source = path(from);
    Path target = path(to);
    refuseIfReadOnly(target);
    try {
      Files.move(source, target, ATOMIC_MOVE);
    } catch (IOException e) {
      throw DiskErrors.ofWrite(target, "replace by " + from, 0, e);
    }
  }

  @Override
  public DiskFile createDraft(String target, FileAccess access) {
    refuseIfReadOnly(folder);
    return LocalDrafts.create(path(target), access);
  }

  /// A link refuses to take an existing name, in one step. Where the file system has no links, a
  /// move looks first.
  @Override
  public void claim(String from, String to) {
    Path source = path(from);
    Path target = path(to);
    refuseIfReadOnly(target);
    try {
      try {
        Files.createLink(target, source);
      } catch (FileAlreadyExistsException e) {
        throw e;
      } catch (UnsupportedOperationException | IOException e) {
        Files.move(source, target);
      }
    } catch (FileAlreadyExistsException e) {
      throw new StoreException.Conflict(target.toString(), "no file of this name", "a file");
    } catch (IOException e) {
      throw DiskErrors.ofWrite(target, "claim for " + from, 0, e);
    }
  }

  @Override
  public int deleteAbandonedDrafts() {
    refuseIfReadOnly(folder);
    demandSameFolder();
    return LocalDrafts.deleteAbandoned(folder);
  }

  @Override
  public void forceNames() {
    refuseIfReadOnly(folder);
    demandSameFolder();
    try {
      forceFolder(folder);
    } catch (IOException e) {
      throw DiskErrors.ofWrite(folder, "force folder", 0, e);
    }
  }

  @Override
  public DiskLock lock(String name, String holder) {
    return readOnly ? LocalLock.takeShared(path(name)) : LocalLock.take(path(name), holder);
  }

  @Override
  public long freeBytes() {
    return folder.toFile().getUsableSpace();
  }

  @Override
  public long totalBytes() {
    long bytes = folder.toFile().getTotalSpace();
    return bytes == 0 ? -1 : bytes;
  }

  @Override
  public String describe() {
    return folder.toString();
  }

  private void refuseIfReadOnly(Path path) {
    if (readOnly) {
      throw DiskErrors.readOnly(path);
    }
  }

  private Path path(String name) {
    demandSameFolder();
    return folder.resolve(anyNames ? PlainName.checkSingle(name) : PlainName.check(name));
  }

  /// Refuses a path at which the folder that was opened stands no more.
  private void demandSameFolder() {
    if (identity == null) {
      return;
    }
    try {
      if (identity.equals(identity(folder))) {
        return;
      }
    } catch (NoSuchFileException e) {
      // as if another folder stood there
    } catch (IOException e) {
      throw DiskErrors.of(folder, "look up", e);
    }
    throw new StoreException.Io(
        folder.toString(),
        "no longer the folder that was opened: it was moved or deleted",
        new NoSuchFileException(folder.toString()));
  }

  private static @Nullable Object identity(Path folder) throws IOException {
    return Files.readAttributes(folder, BasicFileAttributes.class).fileKey();
  }

  private static void createIfAbsent(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      return;
    }
    Path parent = folder.getParent();
    if (parent != null) {
      createIfAbsent(parent);
    }
    try {
      Files.createDirectory(folder, FileAccess.OWNER_ONLY.ofFolder(folder));
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(folder)) {
        throw e;
      }
    }
    if (parent != null) {
      forceFolder(parent);
    }
  }

  /// Elsewhere than on POSIX a folder cannot be opened, and its names are journalled by the file
  /// system.
  private static void forceFolder(Path folder) throws IOException {
    if (isPosix(folder)) {
      QuietThread.run(
          () -> {
            try (FileChannel names = FileChannel.open(folder, READ)) {
              names.force(true);
            }
            return folder;
          });
    }
  }

  static boolean isPosix(Path folder) {
    return folder.getFileSystem().supportedFileAttributeViews().contains("posix");
  }
}
