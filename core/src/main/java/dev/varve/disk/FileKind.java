// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/// The kinds of things that a name of a file can stand for.
public final class FileKind {

  private FileKind() {}

  /// Refuses a pipe, a socket, a device and a folder, without opening anything: to open a pipe
  /// means to wait for a writer, perhaps for ever.
  ///
  /// @param links [LinkOption#NOFOLLOW_LINKS] to refuse a symbolic link too
  /// @throws java.nio.file.NoSuchFileException if there is nothing of this name
  /// @throws IOException if it is no regular file
  public static void demandRegular(Path file, LinkOption... links) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class, links);
    if (!attributes.isRegularFile()) {
      throw new FileSystemException(
          file.toString(), null, "expected a regular file, found " + kind(attributes));
    }
  }

  private static String kind(BasicFileAttributes attributes) {
    if (attributes.isDirectory()) {
      return "a folder";
    }
    return attributes.isSymbolicLink() ? "a symbolic link" : "a pipe, a socket or a device";
  }
}
