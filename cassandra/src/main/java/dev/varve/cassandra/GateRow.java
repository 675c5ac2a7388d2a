// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A row of the table `erasure_gate`.
///
/// @param closings how often the gate was closed
/// @param run the number of the last erasure that is done
/// @param owner the erasure's process, while the gate is closed
/// @param beat rises while the owner lives
/// @param attempt the record of the erasure, once the erasure is decided
/// @param atMicros the time of the deletions of the last erasure that was decided
record GateRow(
    long closings,
    int run,
    int phase,
    @Nullable UUID owner,
    long beat,
    @Nullable UUID attempt,
    long atMicros) {

  /// Everybody may write.
  static final int OPEN = 0;

  /// An erasure waits for writers or plans; if its program ends, nothing goes.
  static final int PLANNING = 1;

  /// An erasure is decided; if its program ends, somebody else completes the erasure.
  static final int DECIDED = 2;

  static final String COLUMNS = "closings, run, phase, owner, beat, attempt, at_us";

  static GateRow read(Row row) {
    return new GateRow(
        row.getLong(0),
        row.getInt(1),
        row.getInt(2),
        row.getUuid(3),
        row.getLong(4),
        row.getUuid(5),
        row.getLong(6));
  }

  boolean isOpen() {
    return phase == OPEN;
  }
}
