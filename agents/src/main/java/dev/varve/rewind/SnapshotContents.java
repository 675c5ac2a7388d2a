// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import java.io.OutputStream;
import java.nio.file.Path;
import java.util.SortedMap;

/// Reads captured files and links by the ids that [dev.varve.git.TreeChange] gives. For one thread.
public interface SnapshotContents extends AutoCloseable {

  /// Copies the content of a file, or the target of a link, a piece at a time.
  ///
  /// @return the number of bytes
  /// @throws dev.varve.StoreException.NotFound if the content is lost
  /// @throws dev.varve.StoreException.Io if `to` does not take the bytes; the reader is then of no
  ///   further use
  long copy(String id, OutputStream to);

  /// Makes links, each exactly as it was: the target of a link may be any bytes.
  ///
  /// @param links the ids of the targets, by the names that the links are to have in `folder`
  void writeLinks(Path folder, SortedMap<String, String> links);

  @Override
  void close();
}
