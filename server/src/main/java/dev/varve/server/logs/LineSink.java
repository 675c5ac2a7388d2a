// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.logs;

import java.io.IOException;

/// A place where log lines go. For one thread at a time.
@FunctionalInterface
public interface LineSink {

  /// Writes whole lines, each with its line feed.
  void write(String lines) throws IOException;

  /// Ends the writing. A sink that belongs to its caller stays open.
  default void close() {}
}
