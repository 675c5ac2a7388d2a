// SPDX-License-Identifier: Apache-2.0
package dev.varve.imports;

import java.io.IOException;
import java.nio.file.Path;

/// The import of one source in one agent's format.
@FunctionalInterface
public interface SourceImport {

  /// Imports `source`, which is only read. Importing again adds what is new and nothing else.
  ///
  /// @param listener is called for [ImportListener#reading] only
  /// @throws dev.varve.StoreException.Invalid if the source is of another format; the store is as
  ///   it was
  /// @throws IOException if the source cannot be read
  ImportReport read(Path source, ImportListener listener) throws IOException;
}
