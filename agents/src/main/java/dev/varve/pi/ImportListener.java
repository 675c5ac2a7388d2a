// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi;

import java.nio.file.Path;

/// Is told how an import goes on.
@FunctionalInterface
public interface ImportListener {

  /// Tells nobody.
  ImportListener NONE = _ -> {};

  /// A file is done.
  void done(ImportReport report);

  /// So many session files were found below the folder.
  default void found(int files) {}

  /// From time to time: how much of `file` is done. A file is read twice, and both times count.
  default void reading(Path file, long doneBytes, long totalBytes) {}
}
