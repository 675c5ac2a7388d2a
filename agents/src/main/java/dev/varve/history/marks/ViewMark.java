// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.marks;

import dev.varve.imports.RecordCounts;
import java.util.List;
import java.util.Optional;

/// The view of a transcript behind its last line.
///
/// @param counts the records
/// @param usage the number of usage objects
/// @param recent the last records that became turns; none if nothing can go on from here
/// @param reader the state of the profile's reader; empty if nothing can go on from here
public record ViewMark(
    RecordCounts counts, int usage, List<PlacedRecord> recent, Optional<ReaderState> reader) {

  public ViewMark {
    recent = List.copyOf(recent);
  }
}
