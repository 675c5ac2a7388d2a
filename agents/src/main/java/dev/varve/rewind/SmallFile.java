// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import dev.varve.disk.DiskErrors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/// Reads small files of rewinding, and compares files with their earlier states.
public final class SmallFile {

  private SmallFile() {}

  /// The text of a file; empty if there is no file.
  public static Optional<String> read(Path file) {
    try {
      return Optional.of(Files.readString(file));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw DiskErrors.of(file, "read", e);
    }
  }

  /// A text that differs once the file was changed or replaced. Does not read the file.
  public static String signature(Path file) {
    try {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      return attributes.size() + "-" + attributes.lastModifiedTime() + "-" + attributes.fileKey();
    } catch (IOException e) {
      return "none";
    }
  }
}
