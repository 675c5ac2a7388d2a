// SPDX-License-Identifier: Apache-2.0
package dev.varve.imports;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// A path below a folder of sources that cannot be read.
///
/// @param why the reason, as a sentence for the user
public record UnreadablePath(Path file, String why) {

  /// A path at which a reading failed.
  static UnreadablePath of(Path file, IOException e) {
    return new UnreadablePath(file, reason(e));
  }

  /// The reason why a file could not be read, in words that do not repeat the file's name.
  public static String reason(IOException e) {
    return switch (e) {
      case AccessDeniedException _ -> "permission denied";
      case NoSuchFileException _ -> "no such file or folder";
      case FileSystemException failed when failed.getReason() != null -> failed.getReason();
      case FileSystemException _ -> e.getClass().getSimpleName();
      default -> e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    };
  }
}
