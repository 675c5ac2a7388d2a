// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.files;

import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The facts by which a file is recognised as the one that was read, without reading the file
/// again.
///
/// @param key device and number of the file; null where the system has none
public record FileState(long sizeBytes, FileTime modified, @Nullable Object key) {

  /// The state of what stands at `path`; empty if nothing does.
  public static Optional<FileState> of(Path path) {
    return RealFiles.look(path).map(FileState::of);
  }

  public static FileState of(BasicFileAttributes found) {
    return new FileState(found.size(), found.lastModifiedTime(), found.fileKey());
  }
}
