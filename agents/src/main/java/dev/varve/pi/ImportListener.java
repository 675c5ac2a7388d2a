// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi;

import java.nio.file.Path;

/// Is told how an import goes on. Each method does nothing unless it is overridden.
public interface ImportListener {

  /// Tells nobody.
  ImportListener NONE = new ImportListener() {};

  /// So many session files were found below the folder.
  default void found(int files) {}

  /// From time to time: how much of `file` is done. A file is read twice, and both times count.
  default void reading(Path file, long doneBytes, long totalBytes) {}

  /// A file is done.
  default void done(ImportReport report) {}
}
