// SPDX-License-Identifier: Apache-2.0
package dev.varve.files;

import dev.varve.StoreException;
import dev.varve.disk.Disk;
import dev.varve.disk.FileAccess;
import dev.varve.disk.LocalDisk;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// A file that is replaced as a whole: a reader sees the former content or the new one, never a
/// part, also after a power cut. Where the name is a symbolic link, the link is replaced.
///
/// Every method may throw `StoreException.Io`, and those that write `StoreException.Full`; the
/// former content then still stands.
public final class WholeFile {

  /// The folders of the file system whose abandoned drafts this process has deleted.
  private static final Set<Path> TIDY = ConcurrentHashMap.newKeySet();

  private final Disk disk;
  private final String name;
  private final FileAccess access;
  private final @Nullable Path folder;

  private WholeFile(Disk disk, String name, FileAccess access, @Nullable Path folder) {
    this.disk = disk;
    this.name = name;
    this.access = access;
    this.folder = folder;
  }

  /// The file of that name on a disk; the file need not exist.
  public static WholeFile in(Disk disk, String name) {
    return new WholeFile(disk, name, FileAccess.AS_USUAL, null);
  }

  /// A file of the file system; the file need not exist, its folder has to.
  ///
  /// @throws IllegalArgumentException if the path has no name
  public static WholeFile at(Path file) {
    Path absolute = file.toAbsolutePath().normalize();
    Path folder = absolute.getParent();
    Path last = absolute.getFileName();
    if (folder == null || last == null) {
      throw new IllegalArgumentException("not the path of a file: " + file);
    }
    return new WholeFile(LocalDisk.ofUser(folder), last.toString(), FileAccess.AS_USUAL, folder);
  }

  /// The same file with other permissions for the content that comes; it never has those of the
  /// content before.
  public WholeFile with(FileAccess other) {
    return new WholeFile(disk, name, other, folder);
  }

  /// The same file, which only its owner may read if that is so for the folder that it is in.
  public WholeFile asItsFolder() {
    return with(folder == null ? access : FileAccess.withinFolder(folder));
  }

  /// Puts `content` in the place of whatever the file holds. When this returns, the content and its
  /// name survive a power cut; if the power is cut before, the former content or the new one is
  /// there.
  public void replace(byte[] content) {
    try (FileDraft draft = draft()) {
      draft.write(content);
      draft.replace();
    }
  }

  /// Puts `content` in the place of whatever the file holds, for readers at once and for the disk
  /// some seconds later. A power cut may leave the former content, the new one, an empty file or
  /// one with any bytes: for what is verified when read and can be made again.
  public void replaceSoon(byte[] content) {
    try (FileDraft draft = draft()) {
      draft.write(content);
      draft.replaceSoon();
    }
  }

  /// Replaces the content by a text in UTF-8: see [#replace(byte\[\])].
  public void replace(String text) {
    replace(text.getBytes(StandardCharsets.UTF_8));
  }

  /// Replaces the content by a text in UTF-8: see [#replaceSoon(byte\[\])].
  public void replaceSoon(String text) {
    replaceSoon(text.getBytes(StandardCharsets.UTF_8));
  }

  /// Makes the file with `content`, if there is none. When this returns, the content and its name
  /// survive a power cut.
  ///
  /// @throws StoreException.Conflict if there is a file of this name
  public void create(byte[] content) {
    try (FileDraft draft = draft()) {
      draft.write(content);
      draft.claim();
    }
  }

  /// Deletes the file if it is there. When this returns, it stays so after a power cut.
  public void delete() {
    if (disk.exists(name)) {
      disk.delete(name);
      disk.forceNames();
    }
  }

  /// New content in the making, empty at first. The drafts that dead processes left in the folder
  /// are deleted: each time on a disk, once a process in a folder of the file system.
  public FileDraft draft() {
    if (folder == null || TIDY.add(folder)) {
      deleteAbandonedDrafts();
    }
    return new FileDraft(disk, name, disk.createDraft(name, access));
  }

  /// New content for a file that does not exist yet, to be claimed by [FileDraft#claim]: a name
  /// that is taken is refused before the content is made.
  ///
  /// @throws StoreException.Conflict if there is a file of this name
  public FileDraft newDraft() {
    if (disk.exists(name)) {
      throw new StoreException.Conflict(
          disk.describe() + "/" + name, "no file of this name", "a file");
    }
    return draft();
  }

  private void deleteAbandonedDrafts() {
    try {
      int _ = disk.deleteAbandonedDrafts();
    } catch (StoreException.Io e) {
      // A folder that cannot be listed can be written in all the same.
    }
  }
}
