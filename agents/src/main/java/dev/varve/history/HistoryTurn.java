// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import dev.varve.Payload;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A record that becomes a turn.
///
/// @param id the record's id within its transcript; may be empty
/// @param parents the ids of the records that it may follow, the best first; none for a root. The
///   first one that the transcript has counts
/// @param type the kind of record, a plain word
/// @param createdAt null if the record does not say
/// @param payload the bytes of the turn
public record HistoryTurn(
    String id, List<String> parents, String type, @Nullable Instant createdAt, Payload payload) {

  public HistoryTurn {
    parents = List.copyOf(parents);
  }
}
