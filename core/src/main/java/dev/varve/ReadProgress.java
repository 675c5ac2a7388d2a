// SPDX-License-Identifier: Apache-2.0
package dev.varve;

/// Hears how far a long reading of a store has come, such as [Store#check], on the thread that
/// reads. May pause the reading by taking its time, and ends it by throwing.
@FunctionalInterface
public interface ReadProgress {

  /// Hears nothing.
  ReadProgress NONE = (_, _) -> {};

  /// So much has been read.
  ///
  /// @param doneBytes grows from call to call
  /// @param totalBytes about what `doneBytes` will be at the end
  void reached(long doneBytes, long totalBytes);
}
