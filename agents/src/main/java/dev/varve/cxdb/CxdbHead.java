// SPDX-License-Identifier: Apache-2.0
package dev.varve.cxdb;

import java.nio.ByteBuffer;

/// A record of `heads.tbl`. The server writes a record when a context is made, and at each append.
///
/// @param atMs the time of the record, in milliseconds since 1970
record CxdbHead(long context, long head, long atMs) {

  static final int SIZE_BYTES = 36;

  static CxdbHead read(ByteBuffer slot) {
    return new CxdbHead(slot.getLong(0), slot.getLong(8), slot.getLong(24));
  }
}
