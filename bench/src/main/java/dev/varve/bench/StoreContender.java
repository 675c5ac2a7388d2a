// SPDX-License-Identifier: Apache-2.0
package dev.varve.bench;

import java.io.IOException;

/// Something that keeps turns: it can append one durably, for one of many callers at a time.
interface StoreContender extends AutoCloseable {

  /// Hashes the payload, stores it once under its hash, stores a turn that names it, and moves the
  /// caller's head to that turn. Returns when all three survive a power cut.
  void append(int caller, byte[] payload) throws Exception;

  /// The number of turns in the store, to assert that the store did the work.
  long turns() throws Exception;

  @Override
  void close() throws IOException;
}
