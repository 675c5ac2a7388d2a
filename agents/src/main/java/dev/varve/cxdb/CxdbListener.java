// SPDX-License-Identifier: Apache-2.0
package dev.varve.cxdb;

/// Is told how far an import has come, from time to time.
@FunctionalInterface
public interface CxdbListener {

  /// So much of one file is read.
  ///
  /// @param file what is being read
  /// @param doneBytes how much of it is read
  /// @param sizeBytes how much there is
  void progress(String file, long doneBytes, long sizeBytes);
}
