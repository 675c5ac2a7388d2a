// SPDX-License-Identifier: Apache-2.0
package dev.varve.copy;

/// Hears how far a copy has come, on the thread that copies. May end the copy by throwing.
@FunctionalInterface
public interface CopyProgress {

  /// Hears nothing.
  CopyProgress NONE = (_, _, _) -> {};

  /// So much of one kind of thing was looked at.
  ///
  /// @param what as `blobs` or `turns`
  /// @param total about what `done` will be at the end
  void reached(String what, long done, long total);
}
