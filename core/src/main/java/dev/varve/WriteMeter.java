// SPDX-License-Identifier: Apache-2.0
package dev.varve;

/// Receives the times that a store's writes take. Called by the thread that writes, one call at a
/// time, before the callers of the writes are woken: must be fast, must not throw and must not
/// wait.
public interface WriteMeter {

  /// Measures nothing.
  WriteMeter NONE =
      new WriteMeter() {
        @Override
        public void committed(int changes, long nanos) {}

        @Override
        public void forced(long nanos) {}
      };

  /// Changes were committed together.
  ///
  /// @param nanos from the moment at which the changes were taken from the queue until readers saw
  ///   them
  void committed(int changes, long nanos);

  /// The disk was asked to keep what was written, and did so.
  ///
  /// @param nanos the time that the disk took, which is a part of the commit's time
  void forced(long nanos);
}
