// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

import dev.varve.StoreException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/// Turns what the system says into what a store says.
public final class DiskErrors {

  /// The messages of systems, in English, for a full disk: ENOSPC, EDQUOT, Windows'
  /// ERROR_DISK_FULL.
  private static final List<String> NO_ROOM =
      List.of("no space left", "quota exceeded", "not enough space", "disk full", "disk is full");

  private DiskErrors() {}

  /// The refusal of something that takes no room.
  ///
  /// @param what what was tried, as a noun: `read at byte 80`
  public static StoreException of(Path file, String what, IOException cause) {
    if (cause instanceof ClosedChannelException) {
      return new StoreException.Closed(file.toString());
    }
    return new StoreException.Io(file.toString(), what + ": " + reason(cause), cause);
  }

  /// The refusal of something that takes up to `sizeBytes` of room.
  ///
  /// Java passes on the system's message but not its number, and the message may be in the user's
  /// language. So a disk that has less room than was asked for is taken as full whatever it said.
  public static StoreException ofWrite(Path file, String what, long sizeBytes, IOException cause) {
    if (cause instanceof ClosedChannelException) {
      return new StoreException.Closed(file.toString());
    }
    if (saysNoRoom(cause) || hasNoRoom(file, sizeBytes)) {
      return new StoreException.Full(file.toString(), cause);
    }
    return of(file, what, cause);
  }

  /// The refusal of a change to what was opened for reading only.
  static StoreException readOnly(Path file) {
    return of(file, "not written", new IOException("it was opened for reading only"));
  }

  static boolean saysNoRoom(IOException cause) {
    String reason = reason(cause).toLowerCase(Locale.ROOT);
    return NO_ROOM.stream().anyMatch(reason::contains);
  }

  private static boolean hasNoRoom(Path file, long sizeBytes) {
    Path folder = file.getParent();
    // getUsableSpace answers 0 for what it cannot find, as when the whole disk is gone: that is not
    // full.
    return folder != null
        && folder.toFile().getTotalSpace() > 0
        && folder.toFile().getUsableSpace() < sizeBytes;
  }

  /// The reason in words of the user. The kinds of Java's exceptions whose message is only the
  /// file's name have words of their own.
  static String reason(IOException cause) {
    return switch (cause) {
      case AccessDeniedException _ -> "permission denied";
      case NoSuchFileException _ -> "no such file or folder";
      case NotDirectoryException _ -> "not a folder";
      case FileAlreadyExistsException _ -> "something else is there";
      case FileSystemException e when e.getReason() != null -> e.getReason();
      case FileSystemException e -> e.getClass().getSimpleName();
      default -> cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    };
  }
}
