// SPDX-License-Identifier: Apache-2.0
package dev.varve.imports;

import java.nio.file.Path;

/// Follows the progress of an import.
@FunctionalInterface
public interface ImportListener {

  /// Ignores the progress.
  ImportListener NONE = _ -> {};

  /// A source is imported, or its import failed.
  void done(ImportReport report);

  /// `sources` more sources were found below a folder.
  default void found(int sources) {}

  /// From time to time: `doneBytes` of `totalBytes` are read. A source that is read twice counts
  /// twice.
  default void reading(Path source, long doneBytes, long totalBytes) {}
}
