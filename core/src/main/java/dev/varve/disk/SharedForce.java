// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

import org.jspecify.annotations.Nullable;

/// Forces an open file that more than one thread forces, and never again once that has failed.
///
/// After a failure the system may count pages as written that it never wrote, and reports the
/// failure to only one caller. The next force would succeed, and its caller would rely on it: an
/// append would be acknowledged, or a checkpoint made, although the bytes are nowhere. Therefore
/// the failure stays, for all callers, until the file is opened again and written anew.
public final class SharedForce {

  private final DiskFile file;

  // Guarded by this, which is held while the file is forced: nobody's force begins before a failure
  // is known.
  private @Nullable RuntimeException failure;

  public SharedForce(DiskFile file) {
    this.file = file;
  }

  /// Returns once all bytes written so far survive a power cut.
  ///
  /// @throws dev.varve.StoreException.Io if that fails, or ever failed
  public synchronized void force() {
    if (failure != null) {
      throw failure;
    }
    try {
      file.force();
    } catch (RuntimeException e) {
      failure = e;
      throw e;
    }
  }
}
