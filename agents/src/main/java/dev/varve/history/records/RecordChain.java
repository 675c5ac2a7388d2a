// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.records;

import dev.varve.Payload;
import dev.varve.history.HistoryTurn;
import dev.varve.history.RecordSink;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds the turns below which the turns of a transcript stand. A record that names no parent
/// stands below the turn before it; a record that names one which is no turn, below the turn above
/// that one.
public final class RecordChain {

  /// The turns above the records that are no turns; empty where there is none.
  private final Map<String, String> above = new HashMap<>();

  private String last = "";
  private long number;

  /// Hands over a turn.
  ///
  /// @param id may be empty
  /// @param parent the id of the record above; empty if the record names none
  public void turn(
      String id,
      String parent,
      String kind,
      @Nullable Instant at,
      Payload payload,
      RecordSink sink) {
    String found = turnAbove(parent);
    last = id.isEmpty() ? "turn " + number++ : id;
    List<String> parents = found.isEmpty() ? List.of() : List.of(found);
    sink.turn(new HistoryTurn(last, parents, kind, at, payload));
  }

  /// Takes the place of a record that is no turn.
  public void skip(String id, String parent) {
    if (!id.isEmpty()) {
      above.put(id, turnAbove(parent));
    }
  }

  /// Begins a tree of its own with the next turn that names no parent.
  public void restart() {
    last = "";
  }

  private String turnAbove(String parent) {
    return parent.isEmpty() ? last : above.getOrDefault(parent, parent);
  }
}
