// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.files;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.varve.StoreException;
import dev.varve.disk.DiskErrors;
import dev.varve.files.FileDraft;
import dev.varve.files.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileOwnerAttributeView;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.Arrays;

/// Another content for a file that says the same in another form: its time, permissions and, where
/// the system lets us, its owner stay, so that whoever compares times is not misled.
public final class FileReplacement {

  private FileReplacement() {}

  /// Puts `after` in the place of `before`. Durable on return.
  ///
  /// @param state of `file` when `before` was read
  /// @throws StoreException.Conflict if the file is no longer what was read; nothing is changed
  public static void put(Path file, byte[] before, FileState state, byte[] after) {
    try (FileDraft draft = WholeFile.at(file).draft()) {
      draft.write(after);
      dress(file, file.resolveSibling(draft.name()), state);
      // Another program may have written the file since: what it wrote must not be lost.
      if (!FileState.of(file).filter(state::equals).isPresent()
          || !Arrays.equals(RealFiles.read(file, before.length), before)) {
        throw changed(file);
      }
      draft.replace();
    } catch (StoreException.TooLarge e) {
      throw changed(file);
    }
  }

  private static StoreException.Conflict changed(Path file) {
    return new StoreException.Conflict(
        file.toString(), "the file that was read", "one that was written since");
  }

  private static void dress(Path file, Path draft, FileState state) {
    try {
      PosixFileAttributeView from =
          Files.getFileAttributeView(file, PosixFileAttributeView.class, NOFOLLOW_LINKS);
      PosixFileAttributeView to =
          Files.getFileAttributeView(draft, PosixFileAttributeView.class, NOFOLLOW_LINKS);
      if (from != null && to != null) {
        to.setPermissions(from.readAttributes().permissions());
        own(from, to);
      }
      BasicFileAttributes times =
          Files.readAttributes(file, BasicFileAttributes.class, NOFOLLOW_LINKS);
      Files.getFileAttributeView(draft, BasicFileAttributeView.class, NOFOLLOW_LINKS)
          .setTimes(state.modified(), times.lastAccessTime(), null);
    } catch (IOException e) {
      throw DiskErrors.of(draft, "take over times and permissions", e);
    }
  }

  /// Only a privileged process may give a file away; for others it stays theirs.
  private static void own(PosixFileAttributeView from, FileOwnerAttributeView to) {
    try {
      if (!from.getOwner().equals(to.getOwner())) {
        to.setOwner(from.getOwner());
      }
    } catch (IOException e) {
      // The file is readable and ours; that is what a rewrite by any editor would leave.
    }
  }
}
