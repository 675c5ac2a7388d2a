// SPDX-License-Identifier: Apache-2.0
package dev.varve.checkpoint;

import java.io.OutputStream;
import java.nio.file.Path;
import java.util.SortedMap;

/// Reads what was captured, by the names that [dev.varve.git.TreeChange] gives. For one thread.
public interface Contents extends AutoCloseable {

  /// Copies what a file has, or a link says; never all of it in memory.
  ///
  /// @return how many bytes
  /// @throws dev.varve.StoreException.NotFound if it is lost
  /// @throws dev.varve.StoreException.Io if `to` does not take it; this is then of no further use
  long copy(String id, OutputStream to);

  /// Makes links, each exactly as it was: what a link says may be any bytes.
  ///
  /// @param links what they say, by the names that they are to have in `folder`
  void writeLinks(Path folder, SortedMap<String, String> links);

  @Override
  void close();
}
