// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

/// A lock that is held. Closing it frees it.
public interface DiskLock extends AutoCloseable {
  @Override
  void close();
}
