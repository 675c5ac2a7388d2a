// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import dev.varve.imports.CountedFile;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/// The place from which the bytes of a session's file come: a file, or a database of which the
/// session is a part.
public interface HistorySource {

  /// The properties by which a change is noticed.
  ///
  /// @throws java.nio.file.NoSuchFileException if the file is no longer there
  FileStamp stamp() throws IOException;

  /// Opens the file for reading at places; empty if the bytes are no file.
  default Optional<CountedFile> file() throws IOException {
    return Optional.empty();
  }

  /// Opens the bytes as they are now.
  InputStream open() throws IOException;
}
