// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import java.nio.file.Path;

/// A file that is put back.
///
/// @param path where it goes
/// @param file what it will be
/// @param state what lies there now
/// @param torn whether it is a document that ends before its end, which its agent may write over
public record PlannedFile(Path path, ArchivedFile file, State state, boolean torn) {

  /// The state of a place.
  public enum State {
    /// Nothing lies there.
    FREE,
    /// The same bytes lie there.
    SAME,
    /// Something else lies there and stays: sessions share the file.
    KEPT,
    /// Something else lies there.
    TAKEN
  }
}
