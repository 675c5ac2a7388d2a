// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.TurnId;
import java.nio.ByteBuffer;
import java.time.Instant;

/// A row of the table `head`.
///
/// @param lane the lane of the head's turn; 0 while the context is empty
record HeadRow(ContextHead head, long lane) {

  static final String COLUMNS =
      "context_id, turn_id, lane, depth, base, created_ms, active_ms, about";

  /// Reads the columns in their order.
  static HeadRow read(Row row) {
    ByteBuffer about = row.getByteBuffer("about");
    return new HeadRow(
        new ContextHead(
            new ContextId(row.getLong("context_id")),
            new TurnId(row.getLong("turn_id")),
            row.getInt("depth"),
            new TurnId(row.getLong("base")),
            Instant.ofEpochMilli(row.getLong("created_ms")),
            Instant.ofEpochMilli(row.getLong("active_ms")),
            about == null ? null : BlobList.hash(about)),
        row.getLong("lane"));
  }

  long turnId() {
    return head.head().value();
  }

  long activeMs() {
    return head.activeAt().toEpochMilli();
  }

  /// The row after a later activity.
  HeadRow moved(TurnRow turn, long activeMs) {
    return new HeadRow(
        new ContextHead(
            head.id(),
            turn.turn().id(),
            turn.turn().depth(),
            head.base(),
            head.createdAt(),
            Instant.ofEpochMilli(activeMs),
            head.about()),
        turn.lane());
  }
}
